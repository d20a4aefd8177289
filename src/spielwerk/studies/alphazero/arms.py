"""What the recipes train: games, sizes for a GPU and for a CPU, and the trainings that several recipes share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from spielwerk.studies.backgammon import parts
from spielwerk.studies.backgammon.ladder import GAME as BACKGAMMON
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form
from spielwerk.studies.trainings.measures import GRADE, RAW, SEARCHED, Measure
from spielwerk.studies.trainings.training import Arm

EINSTEIN, MORRIS, OTHELLO = "einstein:board=4", "morris", "othello:size=6"
AZ, TD = "alphazero", "td"
ACTIONS, AFTERSTATES = "actions", "afterstates"

# Triples are the full form, on one GPU, the quick one, on a core, and the full one on two cores.
SECONDS = {EINSTEIN: (60.0, 20.0, 120.0), MORRIS: (90.0, 30.0, 300.0), BACKGAMMON: (150.0, 20.0, 300.0)}
DECISIONS = {EINSTEIN: (1000, 200, 1000), MORRIS: (1000, 100, 1000), BACKGAMMON: (1000, 50, 500)}
SIMULATIONS = {EINSTEIN: 100, MORRIS: 100, BACKGAMMON: 200}
MEASURING = {EINSTEIN: (6.0, 3.0, 6.0), MORRIS: (10.0, 4.0, 10.0), BACKGAMMON: (50.0, 8.0, 150.0)}  # seconds, once
CURVE = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # shares of the time
POINTS = (CURVE, (0.0, 0.25, 0.5, 1.0), CURVE)

Settings = dict[str, Any]
Sizes = tuple[Settings, Settings, Settings]
# How they learn does not differ from the full form to the quick one, but for what a CPU has time for.
# Windows are long, so that values are learned from how games end; few boards make that many windows.
LARGE: Settings = {"window": 32, "minibatch": 4096, "passes": 4.0, "rate": 0.002, "precision": "bfloat16"}
SMALL: Settings = {"boards": 32, "window": 32, "minibatch": 256, "passes": 2.0, "mean": 0.95, "rate": 0.005}
MIDDLE: Settings = {"boards": 128, "window": 32, "minibatch": 512, "passes": 4.0, "mean": 0.99, "rate": 0.002}
PLAIN: Sizes = (
    LARGE | {"blocks": 4, "filters": 512, "boards": 8192},
    SMALL | {"blocks": 1, "filters": 128},
    MIDDLE | {"blocks": 2, "filters": 192},
)
CONVOLVED: Sizes = (
    LARGE | {"net": "residual", "blocks": 10, "filters": 64, "boards": 4096, "passes": 2.0, "minibatch": 2048},
    SMALL | {"net": "residual", "blocks": 2, "filters": 16, "rate": 0.002},
    MIDDLE | {"net": "residual", "blocks": 10, "filters": 64, "passes": 2.0},
)
# In minutes convolutions have too few games of backgammon for a policy to learn from, whatever its head; fully
# connected layers with experts' inputs have enough. Moves differ by hundredths there, so that values count more.
COMPARED: Sizes = (
    LARGE | {"blocks": 4, "filters": 512, "boards": 4096, "passes": 2.0, "scale": 3.0},
    CONVOLVED[1],
    MIDDLE | {"blocks": 2, "filters": 192, "boards": 64, "passes": 2.0, "scale": 3.0},
)
# Untrained players take a hundred turns for a game of backgammon; short searches for most moves make that more games.
LONG: Settings = {"lam": 1.0, "window": 64, "caps": 0.75, "capped": 1, "simulations": 8}
MIXED: Settings = {"lam": 0.9}  # value targets: mostly how games end
VARIED: dict[str, Settings] = {
    EINSTEIN: {"starts": "random:10"},
    MORRIS: {"starts": "random:40"},
    OTHELLO: {"starts": "random:8"},
    BACKGAMMON: LONG,
}
VALUES: Sizes = (
    {"hidden": "512-256", "boards": 16_384, "minibatch": 4096, "window": 8},
    {"hidden": "64-64", "boards": 128, "minibatch": 256, "window": 8, "mean": 0.95},
    {"hidden": "256-128", "boards": 512, "minibatch": 512, "window": 8, "mean": 0.99},
)
ON_BACKGAMMON: Sizes = (*parts.SIZES, {"hidden": "160-80", "boards": 512, "minibatch": 512, "mean": 0.99})
TEMPORAL: Settings = {"approximator": "network", "epsilon": 0.1, "epsilon_end": 0.02, "lam": 0.7}


def learned(game: str, sizes: Sizes, form: Form, **changed: Any) -> Settings:
    """The settings of AlphaZero on a game."""
    return {**MIXED, **sizes[form.scale], **VARIED.get(game, {}), **changed}


def temporal(game: str, form: Form) -> Settings:
    """The settings of TD: on backgammon those of `backgammon/parts`."""
    if game == BACKGAMMON:
        return parts.BASE | ON_BACKGAMMON[form.scale]
    return {**TEMPORAL, **VALUES[form.scale], **VARIED[game]}


def grades(game: str, form: Form) -> list[Measure]:
    """The grade of the raw play and with a search, on the same decisions."""
    count = DECISIONS[game][form.scale]
    return [Measure(RAW, GRADE, count), Measure(SEARCHED, GRADE, count, simulations=SIMULATIONS[game])]


def curve_arm(game: str, form: Form) -> Arm:
    """AlphaZero on a game whose truth is known, graded on the way."""
    points = POINTS[form.scale]
    more = len(points) * MEASURING[game][form.scale]
    settings = learned(game, PLAIN, form)
    return Arm(game, AZ, settings, SECONDS[game][form.scale], along=grades(game, form), points=points, more=more)


def head_arm(policy: str, form: Form) -> Arm:
    """A network for backgammon with a policy over actions, as the source's, or over afterstates."""
    settings = learned(BACKGAMMON, COMPARED, form, policy=policy)
    more = MEASURING[BACKGAMMON][form.scale]
    return Arm(BACKGAMMON, AZ, settings, SECONDS[BACKGAMMON][form.scale], grades(BACKGAMMON, form), more=more)


def job_of(arm: Arm, form: Form) -> Job:
    """Its training, on the device of the form."""
    return replace(arm, threads=form.threads).job(form.place, form.seeds(1)[0])


def jobs_of(arms: Sequence[Arm], form: Form) -> list[Job]:
    """Those of several."""
    return [job_of(arm, form) for arm in arms]

"""What each part of the network is worth: trainings of equal length that differ from the base in one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from spielwerk.learn.kind import CPU, CUDA
from spielwerk.studies.backgammon import plots
from spielwerk.studies.backgammon.errors import JUDGE, PUBLIC, error_row
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

EPISODES = (400_000, 2000)  # full and quick
DECISIONS = (PUBLIC, 200)
SEEDS = (2, 1)
GAMES_A_SECOND = (20_000, 110)  # of training: on an H200, and on one core
MORE_A_SECOND = (2_500, 20)  # the same of better targets
# As the shipped network was trained, which took 16.9 million games; the quick form is as small as a CPU needs it.
BASE: dict[str, Any] = {"approximator": "network", "epsilon": 0.0, "epsilon_end": 0.0, "lam": 0.7, "window": 8}
SIZES: tuple[dict[str, Any], dict[str, Any]] = (
    {"hidden": "400-200", "boards": 65_536, "minibatch": 8192},
    {"hidden": "80", "boards": 128, "minibatch": 256, "mean": 0.99},
)
WIDTHS = (("100-50", "800-400"), ("20",))
# How each arm of better targets goes on after the base has ended, with boards that cost about as much.
MORE_EPISODES = (40_000, 300)
MORE: dict[str, Any] = {"rate": 0.0002, "rate_end": 0.00001, "lam": 0.9}
MORE_SIZES: tuple[dict[str, Any], dict[str, Any]] = ({"boards": 8192, "minibatch": 2048}, {"boards": 32})
SIBLINGS: dict[str, Any] = {"siblings": 4, "margin": 0.12, "rolls": "all"}


@dataclass(frozen=True)
class Arm:
    """One training: what is changed, and a word on it."""

    label: str
    changed: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    then: dict[str, Any] | None = None  # what is changed where it goes on after the base


def arms(form: Form) -> list[Arm]:
    """The base, then one change at a time; Tesauro's inputs name no classes, so they go with one net."""
    one_net = {"split": False}
    return [
        Arm("base", note="expert inputs, a net for each class, λ = 0.7"),
        Arm("one net", one_net, "for all classes of positions"),
        Arm("one net, Tesauro's inputs", one_net | {"inputs": "tesauro"}, "to be compared with one net"),
        Arm("λ = 0", {"lam": 0.0}, "targets are what the next position says"),
        Arm("no running mean", {"mean": 0.0}, "the weights that learn also play"),
        *(Arm(f"hidden {width}", {"hidden": width}) for width in WIDTHS[form.quick]),
        Arm("base, then as before", note="what more games alone are worth", then={}),
        Arm("base, then all rolls", note="targets free of luck", then={"rolls": "all"}),
        Arm("base, then siblings", note="rollouts of unsure decisions", then=SIBLINGS | {"ranking": 0.0}),
        Arm("base, then siblings, ranked", note="and a ranking loss", then=SIBLINGS | {"ranking": 0.3}),
    ]


def jobs_of(arm: Arm, form: Form) -> list[Job]:
    """The trainings of an arm, one a seed."""
    episodes = EPISODES[form.quick]
    given = {
        "settings": BASE | SIZES[form.quick] | arm.changed | {"episodes": episodes},
        "decisions": DECISIONS[form.quick],
        "device": CPU if form.quick else CUDA,
    }
    seconds = 5 + DECISIONS[form.quick] / 100 + episodes / GAMES_A_SECOND[form.quick]
    if arm.then is not None:
        more = MORE_EPISODES[form.quick]
        later = given["settings"] | MORE | MORE_SIZES[form.quick] | arm.then | {"episodes": more}
        given = given | {"then": later}
        seconds += more / MORE_A_SECOND[form.quick] - episodes / GAMES_A_SECOND[form.quick]  # the base is there
    seeds = form.seeds(SEEDS[form.quick])
    alone = given["device"] == CUDA
    return [Job("backgammon.part_training:train", given | {"seed": seed}, seconds, alone) for seed in seeds]


def jobs(form: Form) -> list[Job]:
    """All trainings."""
    return [job for arm in arms(form) for job in jobs_of(arm, form)]


def report(form: Form, results: Results) -> Report:
    """The error rate of each arm, over all its seeds, and how much more that is than the base's."""
    rows = [_row(arm, form, results) for arm in arms(form)]
    notes = [
        f"Error rates in mEMG after {EPISODES[form.quick]:,} games of self-play; those that go on play "
        f"{MORE_EPISODES[form.quick]:,} more. Judge: {JUDGE}, "
        f"{DECISIONS[form.quick]:,} public decisions. All arms are asked the same ones: differences have smaller "
        "intervals than the rates, and are in the notes.",
        "Intervals are those of the decisions; how much trainings of other seeds differ is in the report as seeds.",
        "Known elsewhere, of contact positions: Tesauro's inputs 19.1 with 80 hidden units and 16.1 with 400, five "
        "nets with experts' inputs 9.9 (bgsage); a net for crashed positions 14.9 → 14.0 (Higgins).",
    ]
    title = f"After {EPISODES[form.quick]:,} games: error rate in mEMG; judge: {JUDGE}"
    return Report(rows, notes, {"parts": partial(plots.ladder, title, rows)})


def costs_of(arm: Arm, form: Form, results: Results) -> np.ndarray:
    """What each decision costs: [seeds, decisions]."""
    return np.array([results[job]["costs"] for job in jobs_of(arm, form)])


def _row(arm: Arm, form: Form, results: Results) -> Row:
    costs, base = costs_of(arm, form, results), costs_of(arms(form)[0], form, results)
    means = costs.mean(axis=0)
    row = error_row(arm.label, "", means.tolist(), JUDGE, seeds=costs.mean(axis=1).tolist())
    apart = means - base.mean(axis=0)
    other = arm.changed or arm.then is not None
    said = f"{apart.mean():+.1f} ± {1.96 * apart.std(ddof=1) / len(apart) ** 0.5:.1f}" if other else ""
    note = "; ".join(filter(None, (said, arm.note)))
    return Row(row.name, None, row.ours, row.interval, note=note, unit=row.unit, more=row.more)


RECIPES = (
    Recipe(
        "backgammon/parts",
        f"what inputs, nets and targets are worth, one at a time: error rates in mEMG (judge: {JUDGE})",
        jobs,
        report,
        f"{EPISODES[1]:,} games of training on the CPU instead of {EPISODES[0]:,} on a GPU, {SIZES[1]['hidden']} "
        f"hidden units instead of {SIZES[0]['hidden']}, {DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
    ),
)

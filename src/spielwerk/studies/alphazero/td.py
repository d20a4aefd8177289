"""AlphaZero against networks that learn by temporal differences, trained for as long on the same games."""

from __future__ import annotations

from spielwerk.studies.alphazero.arms import (
    ACTIONS,
    AFTERSTATES,
    BACKGAMMON,
    DECISIONS,
    EINSTEIN,
    MEASURING,
    MORRIS,
    SECONDS,
    SIMULATIONS,
    TD,
    curve_arm,
    grades,
    head_arm,
    job_of,
    temporal,
)
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.trainings.measures import GRADE, RAW, SEARCHED, Measure
from spielwerk.studies.trainings.plots import dots
from spielwerk.studies.trainings.rows import last, row
from spielwerk.studies.trainings.training import Arm

GAMES = (EINSTEIN, MORRIS, BACKGAMMON)
DEEPER, DEPTH = "depth", 2


def td_arm(game: str, form: Form) -> Arm:
    """A training by temporal differences, graded as AlphaZero's is, and by the search that suits it."""
    deeper = Measure(DEEPER, GRADE, DECISIONS[game][form.scale], depth=DEPTH)
    measures, more = [*grades(game, form), deeper], 2 * MEASURING[game][form.scale]
    return Arm(game, TD, temporal(game, form), SECONDS[game][form.scale], measures, more=more)


def arms(game: str, form: Form) -> dict[str, Arm]:
    """Those of a game by name; AlphaZero's are those of `truth` and `heads`."""
    if game == BACKGAMMON:
        heads = (AFTERSTATES, ACTIONS)
        return {f"alphazero, {head}": head_arm(head, form) for head in heads} | {TD: td_arm(game, form)}
    return {"alphazero": curve_arm(game, form), TD: td_arm(game, form)}


def jobs(form: Form) -> list[Job]:
    """All trainings."""
    return [job_of(arm, form) for game in GAMES for arm in arms(game, form).values()]


def report(form: Form, results: Results) -> Report:
    """Each learner's play on each game, raw and with a search."""
    rows = {game: _rows(game, form, results) for game in GAMES}
    times = ", ".join(f"{game} {SECONDS[game][form.scale]:.0f} s" for game in GAMES)
    seen = "the source's planes" if form.quick else "the same"
    notes = [
        f"Equal compute is equal time of training on the same machine: {times}. Raw, AlphaZero plays by its policy, "
        "which looks at one position, and TD by the best of all positions after a turn, at all of which it looks.",
        "With a search, both have as many simulations: AlphaZero by PUCT with its policy, TD by UCT without one. Depth "
        f"{DEPTH} is the search that suits TD: it follows the best eight turns further.",
        "TD sees the inputs that each game names, on backgammon experts' inputs; AlphaZero's network there sees "
        f"{seen}.",
    ]
    plots = {game.partition(":")[0]: dots(game, rows[game], rows[game][0].more["figure"]) for game in GAMES}
    return Report([one for game in GAMES for one in rows[game]], notes, plots)


def _rows(game: str, form: Form, results: Results) -> list[Row]:
    """All learners of a game, raw first."""
    names = {RAW: "raw", SEARCHED: f"{SIMULATIONS[game]} simulations", DEEPER: f"depth {DEPTH}"}
    ends = {name: last(results[job_of(arm, form)]) for name, arm in arms(game, form).items()}
    return [
        row(f"{game}, {name}, {shown}", end, label)
        for label, shown in names.items()
        for name, end in ends.items()
        if label in end["measured"]
    ]


RECIPES = (
    Recipe(
        "alphazero/td",
        f"AlphaZero against TD networks at equal compute: {EINSTEIN} by regret, {MORRIS} by best class, backgammon in "
        "mEMG",
        jobs,
        report,
        "; ".join(
            f"{game}: {SECONDS[game][1]:.0f} s on the CPU instead of {SECONDS[game][0]:.0f} s on a GPU"
            for game in GAMES
        )
        + "; smaller networks, fewer decisions",
        without_gpu="; ".join(
            f"{game}: {SECONDS[game][2]:.0f} s on two cores instead of {SECONDS[game][0]:.0f} s on a GPU"
            for game in GAMES
        )
        + f"; smaller networks, and on backgammon {DECISIONS[BACKGAMMON][2]} decisions instead of "
        f"{DECISIONS[BACKGAMMON][0]:,}",
    ),
)

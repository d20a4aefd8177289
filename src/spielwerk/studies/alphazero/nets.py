"""Convolutions over the board against fully connected layers, trained for as long."""

from __future__ import annotations

from spielwerk.studies.alphazero.arms import AZ, MORRIS, OTHELLO, PLAIN, Sizes, grades, job_of, learned
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings.measures import MATCH, RAW, SEARCHED, Measure
from spielwerk.studies.trainings.plots import dots
from spielwerk.studies.trainings.rows import BEST_CLASS, last, row
from spielwerk.studies.trainings.training import Arm

GAMES = (OTHELLO, MORRIS)
SECONDS = (45.0, 15.0, 120.0)  # of each training: on a GPU, quick, on two cores
BOARDS, RATES = (8192, 64, 128), (0.001, 0.002, 0.002)  # the same for both
MATCHES = (400, 60, 400)  # games
OPPONENTS = ("mcts:iterations=1000", "mcts:iterations=100", "mcts:iterations=1000")
OPENING = 4
SIMULATIONS = 50  # in the match
MORE = (20.0, 6.0, 40.0)  # seconds of measuring
# About as many weights a game as makes sense of each: convolutions use theirs at every point.
SHAPES: dict[str, Sizes] = {
    "residual": (
        {"net": "residual", "blocks": 6, "filters": 64},
        {"net": "residual", "blocks": 2, "filters": 16},
        {"net": "residual", "blocks": 4, "filters": 32},
    ),
    "mlp": (
        {"net": "mlp", "blocks": 4, "filters": 512},
        {"net": "mlp", "blocks": 1, "filters": 128},
        {"net": "mlp", "blocks": 2, "filters": 192},
    ),
}


def arm(game: str, shape: str, form: Form) -> Arm:
    """A training of one shape on one game."""
    both = {"boards": BOARDS[form.scale], "rate": RATES[form.scale]}
    settings = learned(game, PLAIN, form, **both, **SHAPES[shape][form.scale])
    measures = grades(game, form) if game == MORRIS else _matches(form)
    return Arm(game, AZ, settings, SECONDS[form.scale], measures, more=MORE[form.scale])


def _matches(form: Form) -> list[Measure]:
    """Against a searcher without a network, raw and with a search."""
    games, other = MATCHES[form.scale], OPPONENTS[form.scale]
    return [
        Measure(label, MATCH, games, simulations, opponent=other, opening=OPENING)
        for label, simulations in ((RAW, 0), (SEARCHED, SIMULATIONS))
    ]


def jobs(form: Form) -> list[Job]:
    """Both shapes on both games."""
    return [job_of(arm(game, shape, form), form) for game in GAMES for shape in SHAPES]


def report(form: Form, results: Results) -> Report:
    """How each shape plays each game, raw and with a search."""
    rows = {
        game: [
            row(f"{game}, {shape}, {label}", last(results[job_of(arm(game, shape, form), form)]), label)
            for label in (RAW, SEARCHED)
            for shape in SHAPES
        ]
        for game in GAMES
    }
    against = f"rate against {OPPONENTS[form.scale]}"
    notes = [
        f"Each training has {SECONDS[form.scale]:.0f} s and {BOARDS[form.scale]:,} boards. {OTHELLO}: {against} after "
        f"{OPENING} random turns, searched with {SIMULATIONS} simulations. {MORRIS}: best class on public decisions, "
        "searched with 100.",
        "On morris the convolutions follow the lines of the board; they see planes, and the fully connected layers "
        "see the game's own inputs.",
    ]
    titles = {OTHELLO: against, MORRIS: BEST_CLASS}
    plots = {game.partition(":")[0]: dots(f"Nets on {game}", rows[game], titles[game]) for game in GAMES}
    return Report([one for game in GAMES for one in rows[game]], notes, plots)


RECIPES = (
    Recipe(
        "alphazero/nets",
        f"residual against fully connected networks at equal time: {OTHELLO} in matches, {MORRIS} by best class",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of each training on the CPU instead of {SECONDS[0]:.0f} s on a GPU, smaller networks, "
        f"{MATCHES[1]} games against {OPPONENTS[1]} instead of {MATCHES[0]} against {OPPONENTS[0]}",
        without_gpu=f"{SECONDS[2]:.0f} s of each training on two cores instead of {SECONDS[0]:.0f} s on a GPU, smaller "
        "networks",
    ),
)

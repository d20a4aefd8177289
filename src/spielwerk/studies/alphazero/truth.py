"""Curves against exact truth: what AlphaZero's play loses while it learns, raw and with a search."""

from __future__ import annotations

from functools import partial

from spielwerk.studies.alphazero.arms import DECISIONS, EINSTEIN, MORRIS, SECONDS, SIMULATIONS, curve_arm, job_of
from spielwerk.studies.job import Job, Result
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import SHARE, Draw, Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import RAW, SEARCHED
from spielwerk.studies.trainings.rows import blind, figure_of, line, row

GAMES = (MORRIS, EINSTEIN)


def jobs(form: Form) -> list[Job]:
    """A training on each game."""
    return [job_of(curve_arm(game, form), form) for game in GAMES]


def report(form: Form, results: Results) -> Report:
    """Every point of both curves."""
    found = {game: results[job] for game, job in zip(GAMES, jobs(form), strict=True)}
    rows = [
        row(f"{game}, {_named(label, game)}, {point['seconds']:.0f} s", point, label)
        for game, result in found.items()
        for label in (RAW, SEARCHED)
        for point in result["points"]
    ]
    notes = [
        f"{MORRIS}: the share of public decisions in which the best class (win, draw or loss) is kept, by exact "
        f"values. {EINSTEIN}: regret a decision, by the exact solution.",
        f"{EINSTEIN}: {blind(found[EINSTEIN]['points'][1:])}",
        "The raw policy and the search with it are always apart. The seconds are those of training; measuring and "
        "compiling do not count.",
    ]
    return Report(rows, notes, {game.partition(":")[0]: _draw(game, result) for game, result in found.items()})


def _named(label: str, game: str) -> str:
    return "raw" if label == RAW else f"{SIMULATIONS[game]} simulations"


def _draw(game: str, result: Result) -> Draw:
    """The curve of a game."""
    what, _, _, unit = figure_of(result["points"][-1]["measured"][RAW])
    those = [line(_named(label, game), result, label) for label in (RAW, SEARCHED)]
    return partial(plots.lines, f"AlphaZero on {game} against the truth", those, ("seconds", what), unit == SHARE)


RECIPES = (
    Recipe(
        "alphazero/truth",
        f"curves against exact truth: best class on {MORRIS}, regret on {EINSTEIN}, raw and with a search",
        jobs,
        report,
        "; ".join(
            f"{game}: {SECONDS[game][1]:.0f} s of training on the CPU instead of {SECONDS[game][0]:.0f} s on a GPU, "
            f"{DECISIONS[game][1]} decisions instead of {DECISIONS[game][0]:,}"
            for game in GAMES
        )
        + "; a smaller network",
        without_gpu="; ".join(
            f"{game}: {SECONDS[game][2]:.0f} s of training on two cores instead of {SECONDS[game][0]:.0f} s on a GPU"
            for game in GAMES
        )
        + "; a smaller network",
    ),
)

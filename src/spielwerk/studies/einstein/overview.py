"""Table 16: how strong all agents are in all variants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import sqrt

from spielwerk.arena.matches.statistics import NORMAL
from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.ceilings import ceiling_notes, ceilings
from spielwerk.studies.einstein.grids import Cell, cell_of
from spielwerk.studies.einstein.learning import curves
from spielwerk.studies.einstein.matches import match_job, random_job, rates
from spielwerk.studies.einstein.published import SCORE, doubt, published, rate, section
from spielwerk.studies.einstein.searches.agent_grids import MC, MCTSE, PARTS, Grid
from spielwerk.studies.einstein.training import AGAINST_MCTSE, final
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

RANDOM_GAMES = 1_000_000  # as in the source
TABLES = {
    "4x4-2": ("table-3", "table-7"),
    "5x5-2": ("table-4", "table-8"),
    "4x4-4": ("table-5", "table-9"),
    "6x6-4": ("table-6", "table-10"),
}
LESS = f"searches play 10 × {MC.games[1]} and 10 × {MCTSE.games[1]} games; TD: {curves.LESS}"
EXACT_RANDOM = (
    "Random against random is the rate of the team that begins. On 4×4 with two players it is exactly {exact:.2f} %: "
    "the published {printed:.1f} % cannot be reproduced, since a million games are right to within 0.1 %."
)


def best_cell(table: str, grid: Grid) -> Cell:
    """The setting that the source found best."""
    return cell_of(max(published(table)["rows"], key=lambda line: line["mean"]), grid.axes)


def search_job(variant: Variant, which: int, die: str, form: Form, seating: str = "") -> Job:
    """Monte Carlo (0) or MCTS-Expectimax (1) with the best published setting."""
    table, grid = TABLES[variant.key][which], (MC, MCTSE)[which]
    return grid.job(variant, die, best_cell(table, grid), form, seating)


def seat_job(variant: Variant, die: str, form: Form) -> Job:
    """What the random mover wins in TD's seat against MCTS-Expectimax."""
    agents, seconds = ("random", curves.MCTSE), AGAINST_MCTSE[variant.key]
    return match_job(variant.game(die), variant.seating, agents, form, PARTS, MCTSE.games[form.quick], seconds)


def jobs(form: Form) -> list[Job]:
    """The agents of all variants, under every rule of the die."""
    found: list[Job] = []
    for variant in VARIANTS.values():
        for die in variant.dice:
            found.append(random_job(variant.game(die), RANDOM_GAMES, form))
            found += [search_job(variant, which, die, form) for which in (0, 1)]
            found += [seat_job(variant, die, form)]
        found += [*curves.all_long_jobs(variant, form), *ceilings(variant)]
    return found


def variant_rows(variant: Variant, form: Form, results: Results) -> list[Row]:
    """The column of a variant: published and reproduced."""
    rows: list[Row] = []
    for die in variant.dice:
        rows += [_random_row(variant, die, form, results)]
        for which, label in enumerate(("MC against random", "MCTSE against random")):
            sample = rates(results, search_job(variant, which, die, form))
            rows.append(_row(variant, label, ("mc", "mctse")[which], "random", die, sample))
    for label, trained, die in curves.series(variant, form):
        for opponent, name in (("random", curves.RANDOM), ("mctse", curves.MCTSE)):
            sample = final(results, trained, name)
            rows.append(_row(variant, f"TD ({label}) against {opponent}", "td", opponent, die, sample))
    for die in variant.dice:
        sample = rates(results, seat_job(variant, die, form))
        rows.append(Row.of(f"{variant.title}: random against mctse, in TD's seat", None, sample, die=die))
    return rows


def _row(variant: Variant, label: str, agent: str, against: str, die: str, sample: Sample) -> Row:
    printed = _printed(variant, agent, against)
    score = variant.seating == "teams" and against == "random"
    known = rate(printed, SCORE) if score else printed
    note = doubt(printed) if variant.seating == "mixed" and against == "random" else ""
    return Row.of(f"{variant.title}: {label}", known, sample, printed=printed if score else None, die=die, note=note)


def _printed(variant: Variant, agent: str, against: str) -> float:
    lines = published("table-16")["rows"]
    return next(line[variant.key] for line in lines if (line["agent"], line["against"]) == (agent, against))


def _random_row(variant: Variant, die: str, form: Form, results: Results) -> Row:
    found = results[random_job(variant.game(die), RANDOM_GAMES, form)]
    ours, half = found["rate"], NORMAL * sqrt(found["rate"] * (1 - found["rate"]) / found["games"])
    label = f"{variant.title}: random against random, who begins"
    return Row(label, _printed(variant, "random", "random"), ours, (ours - half, ours + half), die=die)


def report(form: Form, results: Results) -> Report:
    """The whole table."""
    rows = [row for variant in VARIANTS.values() for row in variant_rows(variant, form, results)]
    return Report(rows, notes(results, rows), {"figures": partial(_draw, rows)})


def _draw(rows: Sequence[Row]) -> object:
    return plots.beside("How strong the agents are: published and ours", rows, "win rate")


def notes(results: Results, rows: Sequence[Row]) -> list[str]:
    """Why published and reproduced figures differ."""
    small = VARIANTS["4x4-2"]
    four = [_printed(variant, "td", "mctse") for variant in VARIANTS.values() if variant.seating == "mixed"]
    (job,) = ceilings(small)
    figures = [row.published for row in rows if row.name.startswith(small.title)]
    return [
        f"{remarks.SCORES} That holds for the two-player rows against random except the first; the others are rates.",
        EXACT_RANDOM.format(
            exact=100 * results[job]["random_first"], printed=100 * _printed(small, "random", "random")
        ),
        *ceiling_notes(small, results, figures),
        "MC is the best of 70 settings at 2,000 games, MCTSE the best of 27 at 100 games: both lucky (tables 3 to 10).",
        remarks.SEATING,
        remarks.DOUBT,
        "Read as win rates, the published four-player figures do not fit together: a TD agent no better than a random "
        f"mover should win against MCTSE what that wins (last rows of each variant), not {_percents(four)} %.",
        f"{remarks.BOTH_DICE} With three stones (4×4) the two are the same.",
        "TD learns with the settings of table 15 in the published coding; where that only knows the owner of a stone, "
        "also in a finer one. MCTSE as TD's opponent is mctse:iterations=2000.",
    ]


def _percents(shares: Sequence[float]) -> str:
    return " and ".join(f"{100 * share:g}" for share in shares)


RECIPES = (Recipe("einstein/table-16", "all agents in all variants", jobs, report, LESS, section("table-16")),)

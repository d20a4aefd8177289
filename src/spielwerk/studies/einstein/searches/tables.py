"""Tables 3 to 10: flat Monte Carlo and MCTS-Expectimax against the random mover, over grids."""

from __future__ import annotations

from functools import partial
from typing import Any

from spielwerk.games.registry import game
from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.ceilings import ceiling_notes, ceilings
from spielwerk.studies.einstein.factors import factor_notes, factor_rows
from spielwerk.studies.einstein.grids import Measured, cell_of, grid_rows
from spielwerk.studies.einstein.matches import rates
from spielwerk.studies.einstein.published import SCORE, contradictions, published, rate, section
from spielwerk.studies.einstein.searches.agent_grids import MC, MCTSE, PARTS, Grid
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results


def table_jobs(table: str, grid: Grid, form: Form) -> list[Job]:
    """Every setting under every rule of the die."""
    variant = VARIANTS[published(table)["variant"]]
    jobs = [grid.job(variant, die, cell, form) for die in variant.dice for cell in grid.cells(table, form)]
    return [*jobs, *ceilings(variant)]


def table_report(table: str, grid: Grid, form: Form, results: Results) -> Report:
    """The published settings, the whole grid, what luck does, and which setting matters."""
    source = published(table)
    variant = VARIANTS[source["variant"]]
    rows: list[Row] = []
    by_die: dict[str, Measured] = {}
    for die in variant.dice:
        measured = {cell: rates(results, grid.job(variant, die, cell, form)) for cell in grid.cells(table, form)}
        by_die[die] = measured
        rows += grid_rows(table, grid.axes, grid.agent, die, measured, grid.settings, grid.scale(form))
        rows += factor_rows(grid.axes, die, _crossed(grid, form, measured))
    notes = [
        *remarks.common(variant, source["unit"] == SCORE),
        remarks.LUCK.format(settings=grid.settings, games=PARTS * grid.theirs),
        remarks.DEVIATION.format(games=grid.theirs),
        *factor_notes(grid.axes, {die: _crossed(grid, form, measured) for die, measured in by_die.items()}),
        *_alike(grid, variant, by_die),
        *ceiling_notes(variant, results, [row.published for row in rows]),
        *contradictions(table),
    ]
    title = f"{source['caption'].partition(',')[0]}: {variant.title}"  # theirs shows the best, ours all settings
    return Report(rows, notes, {"grid": partial(_draw_grid, title, table, grid, by_die)})


def _crossed(grid: Grid, form: Form, measured: Measured) -> Measured:
    return {cell: measured[cell] for cell in grid.crossed(form)}


def _alike(grid: Grid, variant: Variant, by_die: dict[str, Measured]) -> list[str]:
    """Settings that never come into play: such agents are one, and play the same games by the same seed."""
    if grid is not MCTSE:
        return []
    longest = game(variant.game(variant.dice[0])).constants["LONGEST"]
    different = ", ".join(
        f"{len({sample.values for sample in measured.values()})} of {len(measured)} (die={die})"
        for die, measured in by_die.items()
    )
    return [
        f"Games of {variant.title} have at most {longest} turns, and playouts of 125 to 175 turns are hardly ever "
        "truncated; few trees are 21 turns deep. All settings play with the same seeds; results that differ: "
        f"{different}.",
        "Nodes are counted as in the source (count=actions): only actions that were tried. Nothing is proven "
        "(proof=false), as there.",
    ]


def _draw_grid(title: str, table: str, grid: Grid, by_die: dict[str, Measured]) -> Any:
    """Heat maps of the last two axes, one for each die and value of the axes before."""
    source = published(table)
    listed = {cell_of(line, grid.axes): rate(line["mean"], source["unit"]) for line in source["rows"]}
    panels = []
    for die, measured in by_die.items():
        for front in sorted({cell[:-2] for cell in measured}):
            before = [f"{axis} {value:g}" for axis, value in zip(grid.axes, front, strict=False)]
            label = ", ".join([*before, *([f"die={die}"] if len(by_die) > 1 else [])])
            here = {cell[-2:]: sample.mean for cell, sample in measured.items() if cell[:-2] == front}
            theirs = {cell[-2:]: figure for cell, figure in listed.items() if cell[:-2] == front}
            panels.append(plots.Panel(label, grid.axes[-2], grid.axes[-1], here, theirs))
    return plots.heat_maps(f"{title} (win rate in %, published in orange)", panels)


def _less(grid: Grid, table: str) -> str:
    few = len(grid.cells(table, Form(quick=True)))
    return (
        f"{few} settings instead of {grid.settings}, {PARTS} × {grid.games[1]} games each instead of "
        f"{PARTS} × {grid.games[0]}"
    )


def _table(number: int, grid: Grid, agent: str) -> Recipe:
    table = f"table-{number}"
    variant = VARIANTS[published(table)["variant"]]
    return Recipe(
        f"einstein/{table}",
        f"{agent} against random over a grid of settings: {variant.title}",
        partial(table_jobs, table, grid),
        partial(table_report, table, grid),
        _less(grid, table),
        section(table),
    )


RECIPES = (
    *(_table(number, MC, "flat Monte Carlo") for number in range(3, 7)),
    *(_table(number, MCTSE, "MCTS-Expectimax") for number in range(7, 11)),
)

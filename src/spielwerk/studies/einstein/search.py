"""Tables 3 to 10 and figure 16: flat Monte Carlo and MCTS-Expectimax against the random mover, over grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from spielwerk.games.registry import game
from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.grids import Cell, Measured, cell_of, grid_rows
from spielwerk.studies.einstein.matches import ceiling_job, match_job, rates
from spielwerk.studies.einstein.published import SCORE, published, rate
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

PARTS = 10
SOLVED = "4x4-2"  # the variant whose truth is known
FIGURE_16 = 23  # its rollout depth

# Milliseconds a game with 1000 playouts for each action, or 2000 simulations a decision, on one core.
MC_TIME = {"4x4-2": 2.4, "5x5-2": 9.0, "4x4-4": 2.3, "6x6-4": 17.0}
MCTSE_TIME = {"4x4-2": 4.0, "5x5-2": 8.5, "4x4-4": 3.0, "6x6-4": 18.0}


@dataclass(frozen=True)
class Grid:
    """The settings of one agent: axes with their values, in the full and in the quick form."""

    axes: tuple[str, ...]
    full: tuple[Sequence[int], ...]
    quick: tuple[Sequence[int], ...]
    games: tuple[int, int]  # of one of the ten measurements, full and quick
    theirs: int  # games of one of theirs

    @property
    def settings(self) -> int:
        """How many there are in the source."""
        return len(list(product(*self.full)))

    def agent(self, cell: Cell) -> str:
        """The agent's name. The source counts nodes at which actions were tried; we count every child."""
        values = dict(zip(self.axes, (int(value) for value in cell), strict=True))
        if "nodes" not in values:
            return f"mc:iterations={values['iterations']},rollout={values['rollout']}"
        tree, rollout, nodes = values["tree"], values["rollout"], 10 * values["nodes"]
        return f"mctse:iterations=2000,tree={tree},rollout={rollout},nodes={nodes}"

    def seconds(self, variant: Variant, cell: Cell) -> float:
        """What a game takes about."""
        if "nodes" in self.axes:
            return MCTSE_TIME[variant.key] / 1000
        return MC_TIME[variant.key] * cell[self.axes.index("iterations")] / 1e6

    def job(self, variant: Variant, die: str, cell: Cell, form: Form, seating: str = "") -> Job:
        """The measurement of one setting, seated as in the source or otherwise."""
        games, seconds = self.games[form.quick], self.seconds(variant, cell)
        agents = self.agent(cell), "random"
        return match_job(variant.game(die), seating or variant.seating, agents, form, PARTS, games, seconds)

    def scale(self, form: Form) -> float:
        """What makes the deviation of our measurements that of theirs, which have another number of games."""
        return (self.games[form.quick] / self.theirs) ** 0.5

    def cells(self, table: str, form: Form) -> list[Cell]:
        """What is measured: the grid, and whatever is published."""
        listed = [cell_of(line, self.axes) for line in published(table)["rows"]]
        return list(dict.fromkeys([*listed, *product(*(self.quick if form.quick else self.full))]))


MC = Grid(
    axes=("iterations", "rollout"),
    full=(range(800, 2601, 200), range(17, 24)),
    quick=((800, 1400, 2000, 2600), (17, 20, 23)),
    games=(200, 40),
    theirs=200,
)
MCTSE = Grid(
    axes=("rollout", "tree", "nodes"),
    full=((125, 150, 175), (21, 22, 23), (450, 500, 550)),
    quick=((125, 175), (21, 23), (450, 550)),
    games=(100, 40),
    theirs=10,
)


def table_jobs(table: str, grid: Grid, form: Form) -> list[Job]:
    """Every setting under every rule of the die."""
    variant = VARIANTS[published(table)["variant"]]
    jobs = [grid.job(variant, die, cell, form) for die in variant.dice for cell in grid.cells(table, form)]
    return [*jobs, *ceilings(variant)]


def ceilings(variant: Variant) -> list[Job]:
    """The exact bounds, where they are known."""
    return [ceiling_job(variant.game(variant.dice[0]))] if variant.key == SOLVED else []


def table_report(table: str, grid: Grid, form: Form, results: Results) -> Report:
    """The published settings, the whole grid, and what luck does."""
    source = published(table)
    variant = VARIANTS[source["variant"]]
    rows: list[Row] = []
    by_die: dict[str, Measured] = {}
    for die in variant.dice:
        measured = {cell: rates(results, grid.job(variant, die, cell, form)) for cell in grid.cells(table, form)}
        by_die[die] = measured
        rows += grid_rows(table, grid.axes, grid.agent, die, measured, grid.settings, grid.scale(form))
    notes = [
        *remarks.common(variant, source["unit"] == SCORE),
        remarks.LUCK.format(settings=grid.settings, games=PARTS * grid.theirs),
        remarks.DEVIATION.format(games=grid.theirs),
        *_alike(grid, variant, by_die),
        *ceiling_notes(variant, results, [row.published for row in rows]),
    ]
    title = f"{source['caption']}: {variant.title}"
    return Report(rows, notes, {"grid": partial(_draw_grid, title, table, grid, by_die)})


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
        f"No game of {variant.title} has more than {longest} turns, so playouts of 125 to 175 turns are hardly "
        "ever truncated, and few trees are 21 turns deep. All settings play with the same seeds; results that differ: "
        f"{different}.",
        "The source counts nodes at which actions were tried, ours every child: it has ten times as many.",
    ]


def ceiling_notes(variant: Variant, results: Results, figures: Sequence[float | None]) -> list[str]:
    """What is possible at all, and which published figures lie above it."""
    for job in ceilings(variant):
        exact = results[job]
        above = sorted({figure for figure in figures if figure is not None and figure > exact["ceiling"]})
        text = (
            f"Exact on {variant.title}: perfect play wins {100 * exact['perfect']:.2f} % against the random mover, and "
            f"no strategy wins more than {100 * exact['ceiling']:.2f} %."
        )
        if above:
            shown = ", ".join(f"{100 * figure:.1f} %" for figure in above)
            text += f" Published above that, which only few games can show: {shown}."
        return [text]
    return []


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


def figure_16_cells(form: Form) -> list[Cell]:
    """All iterations at one rollout depth."""
    return [(iterations, FIGURE_16) for iterations in MC.full[0]]


def figure_16_jobs(form: Form) -> list[Job]:
    """The settings of the figure."""
    variant = VARIANTS[published("figure-16")["variant"]]
    jobs = [MC.job(variant, die, cell, form) for die in variant.dice for cell in figure_16_cells(form)]
    return [*jobs, *ceilings(variant)]


def figure_16(form: Form, results: Results) -> Report:
    """What the number of playouts does."""
    source = published("figure-16")
    variant, unit = VARIANTS[source["variant"]], source["unit"]
    theirs = {line["iterations"]: line["mean"] for line in source["rows"]}
    rows, lines = [], []
    for die in variant.dice:
        samples = [rates(results, MC.job(variant, die, cell, form)) for cell in figure_16_cells(form)]
        for (iterations, _), sample in zip(figure_16_cells(form), samples, strict=True):
            printed = theirs.get(int(iterations))
            known = None if printed is None else rate(printed, unit)
            rows.append(Row.of(f"mc:iterations={iterations},rollout=23", known, sample, printed=printed, die=die))
        values = np.array([sample.values for sample in samples]).T
        lines.append(plots.Curve(f"mc, rollout 23, die={die}", list(MC.full[0]), values))
    notes = [
        *remarks.common(variant, unit == SCORE),
        *ceiling_notes(variant, results, [row.published for row in rows]),
        "The text gives four of the ten points. Twice as many playouts make no difference that these games could show: "
        "the ups and downs of the published curve are noise.",
    ]
    points = [(iterations, rate(mean, unit)) for iterations, mean in theirs.items()]
    labels = ("playouts for each action", "win rate against random")
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, points)
    return Report(rows, notes, {"curve": draw})


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
    )


RECIPES = (
    *(_table(number, MC, "flat Monte Carlo") for number in range(3, 7)),
    Recipe(
        "einstein/figure-16",
        "flat Monte Carlo: the effect of the iterations: 4×4, two players",
        figure_16_jobs,
        figure_16,
        f"{PARTS} × {MC.games[1]} games a point instead of {PARTS} × {MC.games[0]}",
    ),
    *(_table(number, MCTSE, "MCTS-Expectimax") for number in range(7, 11)),
)

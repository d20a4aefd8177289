"""Tables 12 to 14, figures 17 to 19: the source's search for TD's settings, one after the other, on 5×5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.factors import factor_notes, factor_rows
from spielwerk.studies.einstein.grids import Cell, Measured, cell_of, grid_rows
from spielwerk.studies.einstein.published import contradictions, published, rate, section
from spielwerk.studies.einstein.spreads import known_row
from spielwerk.studies.einstein.training import AS_PUBLISHED, EPISODES, agents, final, train_job
from spielwerk.studies.einstein.variants import DICE, VARIANTS
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

VARIANT = VARIANTS["5x5-2"]
LENGTH, GAMES = 50_000, 1000  # episodes of an agent, and games that it is tested by
AGENTS = (10, 3)  # of each setting, full and quick
TENTHS = tuple(step / 10 for step in range(11))
START: dict[str, float] = published("table-11")["settings"]
FOUND: dict[str, float] = published("table-15")["settings"]
AXES = {"alpha": "first step size α", "alpha_end": "last step size α", "epsilon": "first ε", "epsilon_end": "last ε"}
AXES |= {"gamma": "discount γ", "lam": "λ"}


@dataclass(frozen=True)
class Search:
    """The search for one setting, or a pair of them; what was found before it is kept fixed."""

    table: str
    axes: tuple[str, ...]
    full: tuple[Sequence[float], ...]
    quick: tuple[Sequence[float], ...]

    @property
    def before(self) -> dict[str, float]:
        """The settings at this stage of the source's search: those found for what was searched earlier."""
        order = ("alpha", "alpha_end", "epsilon", "epsilon_end", "gamma", "lam")
        first = order.index(self.axes[0])
        return {name: (FOUND if order.index(name) < first else START)[name] for name in order}

    @property
    def settings(self) -> int:
        """How many there are in the source."""
        return len(list(product(*self.full)))

    def crossed(self, form: Form) -> list[Cell]:
        """The grid itself: every value of each setting with every other."""
        return list(product(*(self.quick if form.quick else self.full)))

    def cells(self, form: Form) -> list[Cell]:
        """What is measured: the grid, and whatever is published."""
        listed = [cell_of(line, self.axes) for line in published(self.table)["rows"]]
        return list(dict.fromkeys([*listed, *self.crossed(form)]))

    def jobs(self, cell: Cell, die: str, form: Form) -> list[Job]:
        """The agents of one setting."""
        return agents_of(self.before | dict(zip(self.axes, cell, strict=True)), die, form)

    def all_jobs(self, form: Form) -> list[Job]:
        """The agents of every setting under both rules of the die."""
        return [job for die in DICE for cell in self.cells(form) for job in self.jobs(cell, die, form)]

    def measured(self, die: str, form: Form, results: Results) -> Measured:
        """What the agents of each setting came to."""
        return {cell: final(results, self.jobs(cell, die, form), "random") for cell in self.cells(form)}

    def name(self, cell: Cell) -> str:
        """A setting as a report names it."""
        return ", ".join(f"{axis}={value:g}" for axis, value in zip(self.axes, cell, strict=True))


ALPHA = Search("table-12", ("alpha", "alpha_end"), (TENTHS[1:], TENTHS), ((0.1, 0.3, 0.6, 1.0), (0.0, 0.1, 0.4, 1.0)))
EPSILON = Search("table-13", ("epsilon", "epsilon_end"), (TENTHS, TENTHS), ((0.0, 0.3, 0.6, 1.0), (0.0, 0.3, 0.6, 1.0)))
GAMMA = Search("figure-19", ("gamma",), (TENTHS,), (TENTHS,))
LAMBDA = Search("table-14", ("lam",), (TENTHS,), (TENTHS,))
SEARCHES = (ALPHA, EPSILON, GAMMA, LAMBDA)


def agents_of(chosen: dict[str, float], die: str, form: Form) -> list[Job]:
    """Agents with these settings, trained as long as in the source."""
    settings: dict[str, Any] = {**AS_PUBLISHED, **chosen, "coding": VARIANT.coding}
    if chosen["alpha_end"] == 0 and chosen["alpha"] > 0:
        settings["alpha_shape"] = "linear"  # a geometric way to 0 does not exist
    seconds = LENGTH / EPISODES[VARIANT.key] + 0.1
    against = {"random": (GAMES, GAMES)}
    game = VARIANT.game(die)
    return [
        train_job(game, VARIANT.seating, settings, seed, [LENGTH], against, seconds) for seed in agents(form, *AGENTS)
    ]


def pair_report(search: Search, form: Form, results: Results) -> Report:
    """Tables 12 and 13: the grid of a first and a last value."""
    rows: list[Row] = []
    panels = []
    grids: dict[str, Measured] = {}
    source = published(search.table)
    theirs = {cell_of(line, search.axes): rate(line["mean"], source["unit"]) for line in source["rows"]}
    for die in DICE:
        measured = search.measured(die, form, results)
        grids[die] = {cell: measured[cell] for cell in search.crossed(form)}
        rows += grid_rows(search.table, search.axes, search.name, die, measured, search.settings)
        rows += factor_rows(search.axes, die, grids[die])
        shown = {cell: sample.mean for cell, sample in measured.items()}
        panels.append(plots.Panel(f"die={die}", AXES[search.axes[0]], AXES[search.axes[1]], shown, theirs))
    title = f"{source['caption']} (win rate against random in %, published in orange)"
    notes = [*_notes(search), *factor_notes(search.axes, grids)]
    return Report(rows, notes, {"grid": partial(plots.heat_maps, title, panels)})


def _notes(search: Search) -> list[str]:
    notes = [
        *_settings_notes(search),
        remarks.LUCK.format(settings=search.settings, games=2000),
        "The text speaks of 1,000 test games an agent; the steps of the published figures fit 200. Ours play 1,000.",
        *contradictions(search.table),
    ]
    if search is ALPHA:
        notes.append(
            "A step size that falls geometrically, as theirs does, never reaches 0; if it must, ours is linear."
        )
    return notes


def _settings_notes(search: Search) -> list[str]:
    fixed = ", ".join(f"{name}={value:g}" for name, value in search.before.items() if name not in search.axes)
    return [
        *remarks.common(VARIANT, True),
        f"Everything else as in the source: {fixed}; {LENGTH:,} episodes, tuples of 3×2 and 2×3 cells, 13 values a "
        "cell, weights for each player.",
    ]


def box_jobs(search: Search, form: Form) -> list[Job]:
    """The five settings that a figure shows."""
    listed = [cell_of(line, search.axes) for line in published(search.table)["rows"]]
    return [job for die in DICE for cell in listed for job in search.jobs(cell, die, form)]


def box_report(search: Search, form: Form, results: Results) -> Report:
    """Figures 17 and 18: the spread of the agents."""
    source = published(search.table)
    unit = source["unit"]
    rows, shown = [], []
    for line in source["rows"]:
        cell = cell_of(line, search.axes)
        samples = {die: final(results, search.jobs(cell, die, form), "random") for die in DICE}
        least, median, largest, mean = (rate(line[key], unit) for key in ("min", "median", "max", "mean"))
        rows += [known_row(search.name(cell), line, unit, sample, die=die) for die, sample in samples.items()]
        ours = [(f"die={die}", sample) for die, sample in samples.items()]
        label = " → ".join(f"{value:g}" for value in cell)
        shown.append(plots.Box(label, ours, (least, median, largest, mean)))
    draw = partial(plots.boxes, f"{source['caption']}: the spread of the agents", shown, "win rate against random")
    return Report(rows, _settings_notes(search), {"boxes": draw})


def _line_row(name: str, line: dict[str, Any] | None, unit: str, sample: Sample, die: str) -> Row:
    return Row.of(name, None, sample, die=die) if line is None else known_row(name, line, unit, sample, die=die)


def line_report(search: Search, form: Form, results: Results) -> Report:
    """Figure 19 and table 14: one setting from 0 to 1."""
    source = published(search.table)
    unit, theirs = source["unit"], {line[search.axes[0]]: line for line in source["rows"]}
    rows, lines = [], []
    for die in DICE:
        measured = search.measured(die, form, results)
        order = sorted(measured)
        for cell in order:
            rows.append(_line_row(search.name(cell), theirs.get(cell[0]), unit, measured[cell], die))
        values = np.array([measured[cell].values for cell in order]).T
        lines.append(plots.Curve(f"ours, die={die}", [cell[0] for cell in order], values))
    points = [(value, rate(line["mean"], unit)) for value, line in theirs.items()]
    labels = (AXES[search.axes[0]], "win rate against random")
    notes = [*_settings_notes(search), *contradictions(search.table)]
    if search is LAMBDA:
        notes.append(
            "λ = 1 learns nothing in GBG because of a bug, and its traces carry over from one episode to the next, "
            "which spoils large λ. Here every λ learns."
        )
    return Report(rows, notes, {"curve": partial(plots.curves, source["caption"], lines, labels, points)})


LESS = f"{AGENTS[1]} agents a setting instead of {AGENTS[0]}"
PAIR, SPREAD = "TD: first and last", "TD: the spread of agents with the best"


def _less(search: Search) -> str:
    return f"{len(search.cells(Form(quick=True)))} settings instead of {search.settings}, {LESS}"


def _recipe(name: str, about: str, search: Search, jobs: Any, report: Any, less: str) -> Recipe:
    return Recipe(f"einstein/{name}", about, jobs, partial(report, search), less, section_of(name))


def section_of(name: str) -> str:
    """Figures 17 and 18 draw tables 12 and 13."""
    drawn = {"figure-17": "table-12", "figure-18": "table-13"}
    return f"{section(drawn[name])}, {name.replace('-', ' ')}" if name in drawn else section(name)


RECIPES = (
    _recipe("table-12", f"{PAIR} step size over a grid, 5×5", ALPHA, ALPHA.all_jobs, pair_report, _less(ALPHA)),
    _recipe("figure-17", f"{SPREAD} step sizes", ALPHA, partial(box_jobs, ALPHA), box_report, LESS),
    _recipe(
        "table-13", f"{PAIR} exploration rate over a grid, 5×5", EPSILON, EPSILON.all_jobs, pair_report, _less(EPSILON)
    ),
    _recipe("figure-18", f"{SPREAD} exploration rates", EPSILON, partial(box_jobs, EPSILON), box_report, LESS),
    _recipe("figure-19", "TD: the discount γ, 5×5", GAMMA, GAMMA.all_jobs, line_report, LESS),
    _recipe("table-14", "TD: the decay λ of the traces, 5×5", LAMBDA, LAMBDA.all_jobs, line_report, LESS),
)

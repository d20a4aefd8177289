"""Tables 11 to 15, figures 17 to 19: the source's search for TD's settings, one after the other, on 5×5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.grids import Cell, Measured, cell_of, grid_rows
from spielwerk.studies.einstein.published import SCORE, published, rate, spread
from spielwerk.studies.einstein.training import AS_PUBLISHED, EPISODES, agents, final, train_job
from spielwerk.studies.einstein.variants import DICE, VARIANTS
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
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

    def cells(self, form: Form) -> list[Cell]:
        """What is measured: the grid, and whatever is published."""
        listed = [cell_of(line, self.axes) for line in published(self.table)["rows"]]
        return list(dict.fromkeys([*listed, *product(*(self.quick if form.quick else self.full))]))

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
    source = published(search.table)
    theirs = {cell_of(line, search.axes): rate(line["mean"], source["unit"]) for line in source["rows"]}
    for die in DICE:
        measured = search.measured(die, form, results)
        rows += grid_rows(search.table, search.axes, search.name, die, measured, search.settings)
        shown = {cell: sample.mean for cell, sample in measured.items()}
        panels.append(plots.Panel(f"die={die}", AXES[search.axes[0]], AXES[search.axes[1]], shown, theirs))
    title = f"{source['caption']} (win rate against random in %, published in orange)"
    return Report(rows, _notes(search), {"grid": partial(plots.heat_maps, title, panels)})


def _notes(search: Search) -> list[str]:
    notes = [
        *_settings_notes(search),
        remarks.LUCK.format(settings=search.settings, games=2000),
        "The text speaks of 1,000 test games an agent; the steps of the published figures fit 200. Ours play 1,000.",
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
        for die, sample in samples.items():
            more = {"printed": line["mean"], "published_sd": spread(line["sd"], unit), "die": die}
            note = f"median {100 * sample.median:.1f} % ({100 * median:.1f} %)"
            rows.append(Row.of(search.name(cell), mean, sample, note=note, **more))
        ours = [(f"die={die}", sample) for die, sample in samples.items()]
        label = " → ".join(f"{value:g}" for value in cell)
        shown.append(plots.Box(label, ours, (least, median, largest, mean)))
    draw = partial(plots.boxes, f"{source['caption']}: the spread of the agents", shown, "win rate against random")
    return Report(rows, _settings_notes(search), {"boxes": draw})


def line_report(search: Search, form: Form, results: Results) -> Report:
    """Figure 19 and table 14: one setting from 0 to 1."""
    source = published(search.table)
    unit, theirs = source["unit"], {line[search.axes[0]]: line for line in source["rows"]}
    rows, lines = [], []
    for die in DICE:
        measured = search.measured(die, form, results)
        order = sorted(measured)
        for cell in order:
            line = theirs.get(cell[0], {})
            known = rate(line["mean"], unit) if line else None
            more = {"printed": line.get("mean"), "published_sd": spread(line.get("sd"), unit)}
            note = "published: more than that" if line.get("least") else ""
            rows.append(Row.of(search.name(cell), known, measured[cell], die=die, note=note, **more))
        values = np.array([measured[cell].values for cell in order]).T
        lines.append(plots.Curve(f"ours, die={die}", [cell[0] for cell in order], values))
    points = [(value, rate(line["mean"], unit)) for value, line in theirs.items()]
    labels = (AXES[search.axes[0]], "win rate against random")
    notes = _settings_notes(search)
    if search is LAMBDA:
        notes.append(
            "λ = 1 learns nothing in GBG because of a bug, and its traces carry over from one episode to the next, "
            "which spoils large λ. Here every λ learns."
        )
    return Report(rows, notes, {"curve": partial(plots.curves, source["caption"], lines, labels, points)})


def start_jobs(form: Form) -> list[Job]:
    """Agents that begin as the source's search does."""
    return [job for die in DICE for job in agents_of(START, die, form)]


def start_report(form: Form, results: Results) -> Report:
    """Table 11: settings, and what they are worth: with α = 0 nothing is learned."""
    rows = [Row(AXES[name], value, value, unit=VALUE) for name, value in START.items()]
    for die in DICE:
        sample = final(results, agents_of(START, die, form), "random")
        rows.append(Row.of("against random with these settings", None, sample, die=die))
    note = (
        "With α = 0 no weight ever changes, and all positions are worth the same: such an agent sees a win that is one "
        "move away, and otherwise takes the first of the equal moves, which is worse than a random one."
    )
    return Report(rows, [note])


def found_jobs(form: Form) -> list[Job]:
    """Everything that the settings were found by."""
    return [job for search in SEARCHES for job in search.all_jobs(form)]


def found_report(form: Form, results: Results) -> Report:
    """Table 15: where our grids have their best, and what the published settings are worth."""
    rows: list[Row] = []
    for die in DICE:
        for search in SEARCHES:
            measured = search.measured(die, form, results)
            best = max(measured, key=lambda cell: measured[cell].mean)
            for axis, value in zip(search.axes, best, strict=True):
                note = f"best of our {len(measured)}: {100 * measured[best].mean:.1f} %"
                rows.append(Row(AXES[axis], FOUND[axis], value, die=die, unit=VALUE, note=note))
        rows += [_worth(die, form, results)]
    notes = [
        *remarks.common(VARIANT, True),
        "The best of a grid is mostly luck: many settings are equally good within their intervals (tables 12 to 14).",
    ]
    return Report(rows, notes)


def _worth(die: str, form: Form, results: Results) -> Row:
    printed = next(line["mean"] for line in published("table-14")["rows"] if line["lam"] == FOUND["lam"])
    sample: Sample = final(results, agents_of(FOUND, die, form), "random")
    return Row.of("against random with the settings published", rate(printed, SCORE), sample, printed=printed, die=die)


LESS = f"{AGENTS[1]} agents a setting instead of {AGENTS[0]}"


def _less(search: Search) -> str:
    return f"{len(search.cells(Form(quick=True)))} settings instead of {search.settings}, {LESS}"


RECIPES = (
    Recipe("einstein/table-11", "TD: the initial settings, and how well they play", start_jobs, start_report, LESS),
    Recipe(
        "einstein/table-12",
        "TD: first and last step size over a grid, 5×5",
        ALPHA.all_jobs,
        partial(pair_report, ALPHA),
        _less(ALPHA),
    ),
    Recipe(
        "einstein/figure-17",
        "TD: the spread of agents with the best step sizes",
        partial(box_jobs, ALPHA),
        partial(box_report, ALPHA),
        LESS,
    ),
    Recipe(
        "einstein/table-13",
        "TD: first and last exploration rate over a grid, 5×5",
        EPSILON.all_jobs,
        partial(pair_report, EPSILON),
        _less(EPSILON),
    ),
    Recipe(
        "einstein/figure-18",
        "TD: the spread of agents with the best exploration rates",
        partial(box_jobs, EPSILON),
        partial(box_report, EPSILON),
        LESS,
    ),
    Recipe("einstein/figure-19", "TD: the discount γ, 5×5", GAMMA.all_jobs, partial(line_report, GAMMA), LESS),
    Recipe(
        "einstein/table-14", "TD: the decay λ of the traces, 5×5", LAMBDA.all_jobs, partial(line_report, LAMBDA), LESS
    ),
    Recipe("einstein/table-15", "TD: the settings found, and how well they play", found_jobs, found_report, LESS),
)

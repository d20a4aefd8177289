"""Stacks 1–8 with one-hot output, where the source stalls: more runs, more generations and its other parameters."""

from __future__ import annotations

from functools import partial
from typing import Any

from spielwerk.learn.evolution.settings import CHAMPIONS, SAFE
from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.left_open.effects import each
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.rows import BEST_COURSE, LESS, NUMBERED, points_rows, share_row
from spielwerk.studies.nim.settings import LAST, SHARES, Chosen
from spielwerk.studies.nim.source.experiments import ANY, GRADES, taken_row
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

KEY = "stacks-1-8-1"
LENGTHS, LONG = (1000, 200), (5000, 400)  # generations, full and quick
# What the source lists as parameters (section 3.1.5), changed one at a time.
CHANGES: list[Chosen] = [
    *({}, {"population": 50, "opponents": 25}, *each("population", 200), *each("opponents", 25)),
    *(*each("exponent", 1.0, 4.0), dict.fromkeys(SHARES, 0.0), dict.fromkeys(SHARES, 0.3)),
    *(*each("best_from", CHAMPIONS), *each("mutations_max", 4), *each("illegal", SAFE)),
    *(*each("add_node", 0.0), *each("shift_weight", 3.0)),
]


def arms(form: Form) -> list[Arm]:
    """Each change, and the base for longer."""
    return [
        *(Arm(_label(changes), ANY, LAST | changes, LENGTHS[form.quick], stop=False) for changes in CHANGES),
        Arm(f"{LONG[form.quick]:,} generations", ANY, LAST, LONG[form.quick], stop=False),
    ]


def _label(changes: Chosen) -> str:
    """Such as exponent=1."""
    values = (f"{name}={f'{value:g}' if isinstance(value, float) else value}" for name, value in changes.items())
    return ", ".join(values) or "as in the source"


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for arm in arms(form) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """Where each stalls, by the source's grade and ours, and how many matches it ever takes."""
    found = [arm.runs(form, results) for arm in arms(form)]
    source = published(KEY)
    rows = [row for runs in found for row in _rows(runs, source)]
    notes = [_verdict(found, source["taken"]), GRADES, NUMBERED]
    lines = [runs.best_course() for runs in found[:: max(1, len(found) // 6)]]
    draw = partial(generation_plots.courses, "Stacks 1–8, one-hot: other parameters", lines, BEST_COURSE)
    return Report(rows, notes, {"course": draw})


def _rows(runs: Runs, source: dict[str, Any]) -> list[Row]:
    top = Row.of(f"{runs.arm.label}: right decisions of the best champion", None, runs.figure("top"), note="ours")
    points = points_rows(runs, source["grade"], f"published: {source['about']}")
    return [share_row(runs, source["reached"] / source["runs"]), *points, top, taken_row(runs, source["taken"])]


def _verdict(found: list[Runs], taken: float) -> str:
    """Whether the source's "never" holds."""
    more = [one["taken"] for runs in found for one in runs.found if one["taken"] is not None]
    beyond, reached = (
        sum(one > taken for one in more),
        sum(one["perfect"] is not None for runs in found for one in runs.found),
    )
    return (
        f"The source's networks never learn to take more than {taken:.0f} matches, whatever the parameters. Here late "
        f"champions of {beyond} of {len(more)} populations do, and {reached} of {len(more)} become perfect."
    )


RECIPES = (
    Recipe(
        "nim/parameters",
        "stacks 1–8 with one-hot output: many runs with the source's other parameters",
        jobs,
        report,
        f"{LESS}, {LENGTHS[1]} generations instead of {LENGTHS[0]:,}, {LONG[1]} instead of {LONG[0]:,}",
    ),
)

"""Several stacks to perfect play, which the source leaves open."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm
from spielwerk.studies.nim.rows import LESS, MEDIANS, NUMBERED, perfect_row, share_row, size_row
from spielwerk.studies.nim.settings import MULTI, MULTI_GENERATIONS, written
from spielwerk.studies.nim.training import POSITIONS
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, Report, Row
from spielwerk.studies.results import Results

QUICK = 300  # generations


def arms(form: Form) -> list[Arm]:
    """One for each set of stacks."""
    return [
        Arm(stacks, f"nim:stacks={stacks}", settings, QUICK if form.quick else MULTI_GENERATIONS[stacks])
        for stacks, settings in MULTI.items()
    ]


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for arm in arms(form) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """How many are perfect in every position, when, and what the others reach."""
    rows, lines = [], []
    for arm in arms(form):
        runs = arm.runs(form, results)
        median = runs.median()
        genomes = None if median is None else runs.population * (median + 1)
        rows += [
            share_row(runs),
            perfect_row(runs),
            Row(f"{arm.label}: genomes graded until perfect", None, genomes, note="median", unit=NUMBER),
            Row.of(f"{arm.label}: right decisions of the best champion", None, runs.figure("top")),
            size_row(runs),
        ]
        lines.append(runs.course(POSITIONS))
    notes = [
        "Whoever takes the last match loses. Perfect means: right in every position that can come up.",
        *(f"{stacks}: {written(settings)}." for stacks, settings in MULTI.items()),
        *(NUMBERED, MEDIANS),
    ]
    labels = ("generations", "right decisions of the champion")
    draw = partial(generation_plots.courses, "Several stacks: the champion in all positions", lines, labels)
    return Report(rows, notes, {"course": draw})


RECIPES = (
    Recipe(
        "nim/multi-stack",
        "3-4-5 and 1-3-5-7 to perfect play",
        jobs,
        report,
        f"{LESS}, {QUICK} generations instead of {max(MULTI_GENERATIONS.values()):,}",
    ),
)

"""Several stacks to perfect play, which the source leaves open."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm
from spielwerk.studies.nim.rows import (
    BEST_COURSE,
    LESS,
    MEDIANS,
    NUMBERED,
    anew,
    genomes_rows,
    perfect_row,
    share_row,
    size_row,
)
from spielwerk.studies.nim.settings import MULTI, MULTI_GENERATIONS, written
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
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
        rows += [
            share_row(runs),
            perfect_row(runs),
            *genomes_rows(runs),
            Row.of(f"{arm.label}: right decisions of the best champion", None, runs.figure("top")),
            size_row(runs),
        ]
        lines.append(runs.best_course())
    notes = [
        "Whoever takes the last match loses. Perfect means: right in every position that can come up.",
        *(f"{stacks}: {written(settings)}." for stacks, settings in MULTI.items()),
        *(anew(patience) for patience in {settings["patience"] for settings in MULTI.values()}),
        *(NUMBERED, MEDIANS),
    ]
    title = "Several stacks: the best champion in all positions"
    draw = partial(generation_plots.courses, title, lines, BEST_COURSE)
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

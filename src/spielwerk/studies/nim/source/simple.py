"""Simple Nim as the source defines it: several stacks, of which one, drawn at random, is filled."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm
from spielwerk.studies.nim.rows import BEST_COURSE, LESS, MEDIANS, NUMBERED
from spielwerk.studies.nim.settings import MULTI
from spielwerk.studies.nim.source.several_stacks import OUTPUTS, STOPPED, result_rows
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results

LENGTHS = (1000, 150)  # generations, full and quick
USUAL = 0.5  # of them that are needed
SIZES = {"full": "fixed", "random": "random"}  # how full the stack is


def arms(form: Form) -> list[Arm]:
    """Each set of stacks, filled up or at random, with the source's two outputs and with our settings."""
    length = LENGTHS[form.quick]
    return [
        Arm(
            f"{stacks}, {full}, {label}",
            f"nim:stacks={stacks},{'' if sizes == 'fixed' else f'sizes={sizes},'}simple=true",
            settings,
            length,
            usual=USUAL,
        )
        for stacks, ours in MULTI.items()
        for full, sizes in SIZES.items()
        for label, settings in {**OUTPUTS, "ours": ours}.items()
    ]


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for arm in arms(form) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """How many are perfect in every position, when, and what the others come to."""
    found = [arm.runs(form, results) for arm in arms(form)]
    rows = [row for runs in found for row in result_rows(runs)]
    notes = [
        "One stack, drawn at random, is filled, to its size (full) or with 1 to that many matches (random); the others "
        "are empty. The right move takes all matches but one.",
        "One-hot and direct: the source's settings of its last test. Ours: the settings of nim/multi-stack.",
        *(STOPPED, NUMBERED, MEDIANS),
    ]
    lines = [runs.best_course() for runs in found if "random" in runs.arm.label]
    title = "Simple Nim, filled at random: the best champion in all positions"
    return Report(rows, notes, {"course": partial(generation_plots.courses, title, lines, BEST_COURSE)})


RECIPES = (
    Recipe(
        "nim/simple-nim",
        "Simple Nim, one of several stacks filled, with the source's settings and ours",
        jobs,
        report,
        f"{LESS}, {LENGTHS[1]} generations instead of {LENGTHS[0]:,}",
    ),
)

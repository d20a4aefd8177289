"""Several stacks with the source's own settings, one-hot and direct, beside ours."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.left_open import multi
from spielwerk.studies.nim.rows import BEST_COURSE, LESS, MEDIANS, NUMBERED, perfect_row, points_rows, share_row
from spielwerk.studies.nim.settings import DIRECTLY, LAST, MULTI, Chosen
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

LENGTHS = (1000, 150)  # generations, full and quick
STOPPED = "A population stops as soon as it is perfect; its last generations are those until then."
OUTPUTS: dict[str, Chosen] = {"one-hot": LAST, "direct": DIRECTLY}


def arms(form: Form) -> list[Arm]:
    """Each set of stacks with each output."""
    return [
        Arm(f"{stacks}, {output}", f"nim:stacks={stacks}", settings, LENGTHS[form.quick])
        for stacks in MULTI
        for output, settings in OUTPUTS.items()
    ]


def jobs(form: Form) -> list[Job]:
    """The populations of all of them, and ours."""
    return [job for arm in (*arms(form), *multi.arms(form)) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """Where the source's settings come to, and ours."""
    theirs, ours = ([arm.runs(form, results) for arm in found] for found in (arms(form), multi.arms(form)))
    rows = [row for runs in theirs for row in result_rows(runs)]
    for runs in ours:
        rows += [share_row(runs, name=f"{runs.arm.label}, ours"), perfect_row(runs, name=f"{runs.arm.label}, ours")]
    notes = [
        "The source's settings: those of its last test with one stack, by wins, population 100, shares of 15 %.",
        "Ours: the settings of nim/multi-stack, which are graded by perfect play and see the bits of the stacks.",
        *(STOPPED, NUMBERED, MEDIANS),
    ]
    lines = [*(runs.best_course() for runs in theirs), *(runs.best_course(f"{runs.arm.label}, ours") for runs in ours)]
    title = "Several stacks: the source's settings and ours"
    return Report(rows, notes, {"course": partial(generation_plots.courses, title, lines, BEST_COURSE)})


def result_rows(runs: Runs) -> list[Row]:
    """How many are perfect, when, and what the others come to."""
    top = Row.of(f"{runs.arm.label}: right decisions of the best champion", None, runs.figure("top"), note="ours")
    return [share_row(runs), perfect_row(runs), top, *points_rows(runs)]


RECIPES = (
    Recipe(
        "nim/multi-stack-source",
        "3-4-5 and 1-3-5-7 with the source's own settings, one-hot and direct, beside ours",
        jobs,
        report,
        f"{LESS}, {LENGTHS[1]} generations instead of {LENGTHS[0]:,}; ours: {multi.RECIPES[0].less}",
    ),
)

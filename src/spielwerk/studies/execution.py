"""Carrying out a recipe: what is missing is measured, the report is made, its plots are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.arena.plots import save
from spielwerk.data import json_text
from spielwerk.names import BadInput, printable
from spielwerk.studies.device import form_here
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import JobPool, StudyProgress, distinct, missing
from spielwerk.studies.recipe import Form, Recipe, spent
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results, folder, path, write

UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # what figures of another form end in
QUOTED = 100  # letters


@dataclass(frozen=True)
class Outcome:
    """A report, the file that keeps it, and those of its plots."""

    recipe: Recipe
    form: Form
    report: Report
    file: Path
    plots: list[Path]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        about = {"study": self.recipe.name, "quick": self.form.quick, "seed": self.form.seed}
        about |= {"section": self.recipe.section} if self.recipe.section else {}
        about |= {"device": self.form.place} if self.recipe.without_gpu else {}
        rows, plots = [row.facts() for row in self.report.rows], [str(file) for file in self.plots]
        return {"rows": rows, **about, "notes": list(self.report.notes), "report": str(self.file), "plots": plots}


@dataclass(frozen=True)
class Todo:
    """What a recipe takes: all its jobs, those never finished, and the seconds that these take about."""

    jobs: list[Job]
    missing: list[Job]
    seconds: float


@dataclass(frozen=True)
class Overview:
    """A recipe in a list: what its forms take about, and how much of the full one has been measured."""

    name: str
    about: str
    quick_seconds: float
    full_seconds: float
    less: str
    known: float  # share of the full form's measurements


def overview(recipe: Recipe, cores: int) -> Overview:
    """What a list says of a recipe; results are not opened."""
    quick, full = distinct(recipe.jobs(Form(quick=True))), distinct(recipe.jobs(form_here(recipe)))
    known = sum(path(job).exists() for job in full) / len(full) if full else 0.0
    quick_seconds, full_seconds = (round(spent(jobs, cores), 1) for jobs in (quick, full))
    return Overview(recipe.name, recipe.about, quick_seconds, full_seconds, recipe.less, known)


def plan(recipe: Recipe, form: Form, cores: int) -> Todo:
    """What there is to do."""
    jobs = distinct(recipe.jobs(form))
    left = missing(jobs)
    return Todo(jobs, left, spent(left, cores) if left else 0.0)


def execute(recipe: Recipe, form: Form, where: Path | None, cores: int, callback: StudyProgress) -> Outcome:
    """Measures, reports, draws; the report is also kept as JSON beside the plots. `callback` receives the progress."""
    target = where or folder() / "reports"
    _check(target)
    form = recipe.meant(form)
    results = JobPool(cores, callback).execute(recipe.jobs(form))
    try:
        return _reported(recipe, form, results, target)
    except BadInput:
        raise
    except UNFIT as problem:
        said = printable(f"{type(problem).__name__}: {problem}")[:QUOTED]
        raise BadInput(
            f"What was measured makes no report of {recipe.name} ({said}): a file in {folder() / 'results'} is "
            "damaged; delete those of this study, and they will be measured again."
        ) from problem


def _reported(recipe: Recipe, form: Form, results: Results, target: Path) -> Outcome:
    """Makes the report of what was measured, and writes it with its plots."""
    report = recipe.report(form, results)
    base = recipe.stem(form)
    files = [target / f"{base}-{name}.png" for name in report.plots]
    for file, draw in zip(files, report.plots.values(), strict=True):
        save(draw, file)
    outcome = Outcome(recipe, form, report, target / f"{base}.json", files)
    write(outcome.file, json_text(outcome.facts(), indent=1, ensure_ascii=False))
    return outcome


def _check(target: Path) -> None:
    """Refuses a folder that cannot be written to before anything is measured."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        write(target / ".writable", "")
        (target / ".writable").unlink()
    except OSError as problem:
        raise BadInput(f"{target} cannot be written: {problem.strerror}.") from None

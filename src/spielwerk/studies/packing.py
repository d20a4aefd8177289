"""Measurements of studies as one file: what took hours on one machine is known on another.

The file is compressed JSON lines: what it is, then one measurement a line, in the order of their keys, so that the same
measurements give the same file. What is unpacked is not trusted: every line is read before anything is written, names
of files come from keys that are computed here, and a measurement that is already known stays as it is.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.data import is_number, json_text, parsed
from spielwerk.files import named_by_user, opened_text
from spielwerk.names import BadInput
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.results import path, stored, write

FORMAT = {"format": "spielwerk measurements 1"}
WORK = re.compile(r"[a-z_]+(\.[a-z_]+)*:[a-z_]+")  # what names a function of the studies, and part of a path
MOST_READ = 1 << 30  # characters of a file


@dataclass(frozen=True)
class Unpacked:
    """How many measurements files hold: new ones, those known before, and those of another version."""

    new: int
    known: int
    other_version: int


def pack(forms: Mapping[Recipe, Form], file: Path) -> int:
    """Writes what has been measured for forms of recipes into a file; returns how many measurements that is."""
    jobs = {job.key: job for recipe, form in forms.items() for job in recipe.jobs(recipe.meant(form))}
    found = [kept for _, job in sorted(jobs.items()) if (kept := stored(job)) is not None]
    if not found:
        raise BadInput("Nothing has been measured yet for these recipes; to measure: spielwerk study run RECIPE")
    text = "".join(f"{json_text(line)}\n" for line in (FORMAT, *found))
    try:
        with named_by_user(file) as part:
            part.write_bytes(gzip.compress(text.encode(), mtime=0))
    except OSError as problem:
        raise BadInput(f"{file} cannot be written: {problem.strerror}.") from None
    return len(found)


def unpack(files: Sequence[Path]) -> Unpacked:
    """Adds the measurements in files to those of the data folder; BadInput, and nothing added, where one is damaged."""
    found = {(job.key, version): (job, text) for file in files for job, version, text in _measurements(file)}
    fitting = [(job, text) for (_, version), (job, text) in found.items() if version == job.about["version"]]
    new = {path(job): text for job, text in fitting if not path(job).exists()}
    for target, text in new.items():
        write(target, text)
    return Unpacked(len(new), len(fitting) - len(new), len(found) - len(fitting))


def _measurements(file: Path) -> Iterator[tuple[Job, str, str]]:
    """Each job, the version that did it, and the text of its file."""
    left = MOST_READ
    with opened_text(file, gzip.open) as lines:
        for number, line in enumerate(lines, 1):
            left -= len(line)
            if left < 0:
                raise BadInput(f"It holds more than {MOST_READ:,} characters.")
            found = _object(number, line)
            if number == 1:
                _check_format(found)
            else:
                yield _measurement(number, found)


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        found = parsed(line)
    except ValueError as problem:
        raise BadInput(f"Line {number} is damaged: {problem}.") from None
    if not isinstance(found, dict):
        raise BadInput(f"Line {number} is damaged: it is not an object.")
    return found


def _check_format(found: dict[str, Any]) -> None:
    if found != FORMAT:
        raise BadInput("It is not what `spielwerk study pack` writes.")


def _measurement(number: int, found: dict[str, Any]) -> tuple[Job, str, str]:
    about, seconds, result = (found.get(key) for key in ("about", "seconds", "result"))
    if not isinstance(about, dict) or not isinstance(result, dict) or not is_number(seconds, 0):
        raise BadInput(f"Line {number} is no measurement.")
    work, given = about.get("work"), about.get("given")
    if not isinstance(work, str) or not WORK.fullmatch(work) or not isinstance(given, dict):
        raise BadInput(f"Line {number} is no measurement of a study.")
    return Job(work, given, 0.0), str(about.get("version")), json_text(found)

"""Results of jobs, kept as JSON under `studies` in the data folder: what was measured once is never measured again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spielwerk import folders
from spielwerk.data import cleaned, json_text, parsed, read_text
from spielwerk.files import write_text
from spielwerk.names import BadInput
from spielwerk.studies.job import Job, Result


def folder() -> Path:
    """Where everything about studies lies."""
    return folders.home() / "studies"


def path(job: Job) -> Path:
    """The file of a job's result."""
    return folder() / "results" / job.work.replace(":", "-") / f"{job.key}.json"


def kept(job: Job) -> Result | None:
    """The result, if the job was finished before."""
    found = stored(job)
    return None if found is None else cleaned(found["result"])


def stored(job: Job) -> dict[str, Any] | None:
    """The result with what it is of and the seconds that it took, if the job was finished before."""
    file = path(job)
    try:
        found = parsed(read_text(file))
        if found["about"] != job.about or not isinstance(found["result"], dict):
            raise ValueError
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise BadInput(f"{file} cannot be read: {problem.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{file} is damaged; delete it, and it will be measured again.") from None
    return found


def keep(job: Job, result: Result, seconds: float) -> None:
    """Writes a result."""
    write(path(job), json_text({"about": job.about, "seconds": round(seconds, 3), "result": result}))


def write(file: Path, text: str) -> None:
    """Writes a file, whole or not at all, in a folder that may not be there yet."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, text)


class Results:
    """The results of the jobs of a recipe."""

    def __init__(self, found: Mapping[str, Result]) -> None:
        self._found = found

    def __getitem__(self, job: Job) -> dict[str, Any]:
        return self._found[job.key]

    def __contains__(self, job: Job) -> bool:
        return job.key in self._found

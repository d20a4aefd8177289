"""A job: a command of this library in a process of its own, with a folder, so that a restarted server knows it.

A job holds a lock on a file of its folder as long as its process lives, whoever started it. At its end a command prints
one JSON object: where there is one, the job is finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from spielwerk import folders
from spielwerk.data import is_whole, parsed, read_text
from spielwerk.files import locked
from spielwerk.names import printable

MOST_OUTPUT = 1 << 22  # bytes
TAIL = 1 << 13  # bytes of a log that are looked at
COMMANDS = ("train", "runs", "match", "tournament", "solve", "study")  # that a job may be
ABOUT, OUT, ERR, LOCK, PID, CODE, ASKED, WORK = "job.json", "out", "err", "lock", "pid", "code", "asked", "work"
SUBJECTS = {"train": "run", "match": "match", "tournament": "tournament"}  # what a job is about, by its kind
RUNNING, FINISHED, STOPPED, FAILED = "running", "finished", "stopped", "failed"


class Order(NamedTuple):
    """What a job is: its kind, its title, its command, the command that resumes it, and what it is about."""

    kind: str
    title: str
    words: list[str]
    again: list[str]
    about: dict[str, Any]

    @property
    def subject(self) -> tuple[str, Any] | None:
        """The run, match or tournament that it goes on with, which a later job may do as well."""
        return (self.kind, self.about.get(SUBJECTS[self.kind])) if self.kind in SUBJECTS else None


@dataclass(frozen=True)
class Job:
    """A job as its folder has it."""

    number: int
    order: Order
    started: str
    folder: Path

    @property
    def running(self) -> bool:
        """Whether its process lives."""
        return _held(self.folder / LOCK)

    @property
    def state(self) -> str:
        """Running, finished, stopped or failed."""
        if self.running:
            return RUNNING
        if self.result() is not None:
            return FINISHED
        return FAILED if self._code > 0 else STOPPED

    @property
    def killed(self) -> bool:
        """Whether it was ended by a signal that nobody here sent."""
        return not self.running and self._code < 0

    @property
    def _code(self) -> int:
        """With which its process ended; 0 where nobody knows, or where it was asked to stop, in whatever way it did."""
        return 0 if (self.folder / ASKED).exists() else whole_in(self.folder / CODE) or 0

    def result(self) -> dict[str, Any] | None:
        """What the command printed at its end."""
        file = self.folder / OUT
        with suppress(OSError):
            about = file.stat()
            return _printed(file, about.st_mtime_ns, about.st_size) if about.st_size else None
        return None

    def lines(self) -> list[str]:
        """What the command said on the side."""
        with suppress(OSError):
            return [printable(line) for line in tail(self.folder / ERR).splitlines() if line.strip()]
        return []


@lru_cache(200)
def _printed(file: Path, _: int, size: int) -> dict[str, Any] | None:
    """The JSON object in a file, which is read again only where it has changed."""
    with suppress(OSError, ValueError):
        found = parsed(read_text(file, MOST_OUTPUT)) if size <= MOST_OUTPUT else None
        return found if isinstance(found, dict) else None
    return None


def tail(file: Path) -> str:
    """The end of a file of text, from a whole line on."""
    with file.open("rb") as opened:
        opened.seek(0, 2)
        before = max(0, opened.tell() - TAIL)
        opened.seek(before)
        text = opened.read(TAIL).decode("utf-8", "replace")
    return text.partition("\n")[2] if before else text


def home() -> Path:
    """The folder of all jobs."""
    return folders.home() / "jobs"


def numbers() -> list[int]:
    """Their numbers."""
    names = (path.parent.name for path in home().glob(f"*/{ABOUT}"))
    return [int(name) for name in names if name.isdecimal() and len(name) < 12]


def opened(number: int) -> Job | None:
    """The job of a folder; None where that is damaged, or has just gone."""
    folder = home() / str(number)
    try:
        facts = parsed(read_text(folder / ABOUT))
        started = str(facts.pop("started"))
        order = Order(**facts)
        words = [*order.words, *order.again, order.kind, order.title]
        if order.words[0] not in COMMANDS or order.again[0] not in COMMANDS or not isinstance(order.about, dict):
            return None
        return Job(number, order, started, folder) if all(isinstance(word, str) for word in words) else None
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def superseded(jobs: Iterable[Job]) -> dict[int, int]:
    """The jobs with whose subject a later one went on, each with the last of those."""
    last: dict[tuple[str, Any], int] = {}
    found: dict[int, int] = {}
    for job in sorted(jobs, key=lambda job: job.number, reverse=True):
        subject = job.order.subject
        if subject and last.setdefault(subject, job.number) != job.number:
            found[job.number] = last[subject]
    return found


def whole_in(file: Path) -> int | None:
    """The whole number that a file holds, if it does."""
    with suppress(OSError, ValueError):
        found = int(read_text(file, 40))
        return found if is_whole(found, -(1 << 31), 1 << 31) else None
    return None


def _held(file: Path) -> bool:
    """Whether a process holds the lock."""
    with suppress(OSError), file.open() as lock:
        return not locked(lock.fileno())
    return False

"""Topics: what can be followed in the laboratory. Each is the address of a document below `/api/lab/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spielwerk.names import BadInput, unknown
from spielwerk.web.laboratory import progress, runs, standings
from spielwerk.web.laboratory.asked import number_of
from spielwerk.web.laboratory.curves import curve_facts
from spielwerk.web.laboratory.jobs import Jobs


def facts_of(topic: str, jobs: Jobs) -> Any:
    """The document of a topic as it is now; BadInput where there is none."""
    kind, _, which = topic.partition("/")
    readers = ONE if which else ALL
    if kind not in readers:
        raise unknown("There is no topic", topic, [*ALL, *(f"{name}/…" for name in ONE)], "Topics")
    return readers[kind](jobs, which)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 12:
        raise BadInput(f'"{text}" is no number.')
    return number_of(int(text))


Reader = Callable[[Jobs, str], Any]
ALL: dict[str, Reader] = {
    "jobs": lambda jobs, _: progress.listed(jobs),
    "runs": lambda *_: runs.listed(),
    "matches": lambda *_: standings.matches(),
    "tournaments": lambda *_: standings.tournaments(),
}
ONE: dict[str, Reader] = {
    "jobs": lambda jobs, number: progress.shown(jobs.job(_number(number)), jobs),
    "runs": lambda _, name: runs.shown(name),
    "curves": lambda _, names: curve_facts([name for name in names.split(",") if name]),
    "tournaments": lambda _, number: standings.tournament_facts(_number(number)),
}

"""Lanes: trainings of small networks that share a GPU, since one of them does not keep it busy.

Each lane is a process that trains one after the other. All trainings that are to be compared should share it for all of
their time with as many others: then equal time remains equal compute.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import Any

from spielwerk.kernel.processes import follow, undisturbed
from spielwerk.learn.training import Stopped
from spielwerk.studies.job import JobProgress, Result

LOOK = 0.5  # seconds between two looks at a lane
Learning = Callable[[Mapping[str, Any], JobProgress], Result]


@dataclass(frozen=True)
class Lanes:
    """The processes, and what tells all of them to end."""

    pool: ProcessPoolExecutor
    stop: Event


_open: dict[int, Lanes] = {}  # by how many there are
_turn = threading.Lock()  # held by whoever opens lanes, asks them, or closes them
_stop: list[Event] = []  # of a lane: what tells it to end


def carried_out(work: Learning, given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What `work`, which is told how far it is to report, comes to in one of `given["lanes"]` processes."""
    lanes, asked = _asked(work, given)
    spent = 0.0
    try:
        while not wait([asked], LOOK).done:
            spent += LOOK if asked.running() else 0.0
            callback(min(spent / given["seconds"], 1.0))
        return asked.result()
    except BaseException:
        _close(lanes)
        raise


def _asked(work: Learning, given: Mapping[str, Any]) -> tuple[Lanes, Future[Result]]:
    """Somebody's work begins as soon as a lane is free."""
    count = given["lanes"]
    with _turn, undisturbed():
        if count not in _open:
            context = multiprocessing.get_context("spawn")
            stop = context.Event()
            _open[count] = Lanes(ProcessPoolExecutor(count, context, _begin, (stop,)), stop)
        lanes = _open[count]
        return lanes, lanes.pool.submit(_carry, work, dict(given))


def _close(lanes: Lanes) -> None:
    """All of them end; whoever asks later opens new ones."""
    with _turn:
        for count in [count for count, one in _open.items() if one is lanes]:
            del _open[count]
        lanes.stop.set()
        lanes.pool.shutdown(wait=False, cancel_futures=True)


def _begin(stop: Event) -> None:
    """Of a lane: the study tells it when to end."""
    follow()
    _stop.append(stop)


def _carry(work: Learning, given: Mapping[str, Any]) -> Result:
    """The work of a lane."""
    return work(given, _look)


def _look(share: float) -> None:
    if _stop and _stop[0].is_set():
        raise Stopped

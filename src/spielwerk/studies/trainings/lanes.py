"""Lanes: trainings of small networks that share a GPU, since one of them does not keep it busy.

Each lane is a process that trains one after the other. Trainings that are to be compared share it for all of their
time, so that equal time remains equal compute.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, wait
from functools import cache
from multiprocessing.synchronize import Event
from typing import Any

from spielwerk.kernel.processes import follow, undisturbed
from spielwerk.learn.training import Stopped
from spielwerk.studies.job import JobProgress, Result

LOOK = 0.5  # seconds between two looks at a lane
Learning = Callable[[Mapping[str, Any], JobProgress], Result]

_stop: list[Event] = []  # of a lane: what tells it to end


def carried_out(work: Learning, given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What `work`, which is told how far it is to report, comes to in one of `given["lanes"]` processes."""
    with undisturbed():
        pool, stop = _lanes(given["lanes"])
        asked = pool.submit(_carry, work, dict(given))
    spent = 0.0
    try:
        while not wait([asked], LOOK).done:
            spent += LOOK if asked.running() else 0.0
            callback(min(spent / given["seconds"], 1.0))
        return asked.result()
    except BaseException:
        _lanes.cache_clear()
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        raise


@cache
def _lanes(count: int) -> tuple[ProcessPoolExecutor, Event]:
    """The processes, and what tells all of them to end."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    return ProcessPoolExecutor(count, context, _begin, (stop,)), stop


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

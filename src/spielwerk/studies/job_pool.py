"""Carrying out jobs on all cores: kernels let go of Python's lock, so threads are enough.

Jobs in lanes have processes of their own, and a thread each that waits for one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, wait

from spielwerk.kernel.threads import thread_pool
from spielwerk.learn.training import Stopped
from spielwerk.studies.job import Job, Result
from spielwerk.studies.results import Results, keep, kept

StudyProgress = Callable[[float], None]  # called with how many of the estimated seconds are done


def distinct(jobs: Sequence[Job]) -> list[Job]:
    """Every job once."""
    return list({job.key: job for job in jobs}.values())


def missing(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that were never finished."""
    return [job for job in distinct(jobs) if kept(job) is None]


class JobPool:
    """Threads that work on jobs and keep each result as soon as it is there."""

    def __init__(self, cores: int, callback: StudyProgress) -> None:
        self.cores, self.callback = cores, callback
        self.stop = threading.Event()
        self._lock, self._shares = threading.Lock(), dict[str, float]()  # job → its estimated seconds that are done

    def execute(self, jobs: Sequence[Job]) -> Results:
        """The results of all jobs. Ctrl-C ends it within about a second; what was finished is kept."""
        jobs = distinct(jobs)
        found = {job.key: result for job in jobs if (result := kept(job)) is not None}
        with thread_pool(max([self.cores, *(job.lanes for job in jobs)])) as pool:
            working = {pool.submit(self._work, job): job for job in jobs if job.key not in found}
            try:
                done, _ = wait(working, return_when=FIRST_EXCEPTION)
                found |= {working[future].key: future.result() for future in done}
            except BaseException:
                self.stop.set()
                raise
        return Results(found)

    def _work(self, job: Job) -> Result:
        begun = time.perf_counter()
        self._advance(job, 0.0)
        result = job.run(lambda share: self._advance(job, share))
        keep(job, result, time.perf_counter() - begun)
        self._advance(job, 1.0)
        return result

    def _advance(self, job: Job, share: float) -> None:
        if self.stop.is_set():
            raise Stopped
        with self._lock:
            self._shares[job.key] = share * job.seconds
            done = sum(self._shares.values())
        self.callback(done)

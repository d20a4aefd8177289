"""Jobs: those of the data folder, started, stopped by the signal that Ctrl-C sends, and resumed.

What is finished is kept, since the commands keep it, and a second command goes on from there.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from spielwerk import folders, memory
from spielwerk.data import json_text
from spielwerk.files import locked, write_text
from spielwerk.names import BadInput
from spielwerk.web.laboratory.job import (
    ABOUT,
    ASKED,
    CODE,
    ERR,
    FINISHED,
    LOCK,
    OUT,
    PID,
    RUNNING,
    WORK,
    Job,
    Order,
    home,
    numbers,
    opened,
    superseded,
    whole_in,
)

AT_ONCE = 2  # jobs that run
KEPT = 100  # jobs that are remembered
PATIENCE = 10.0  # seconds after which a second stop ends what does not hear the first
GENTLE = 10  # how much a job yields to the page, which stays quick
SHARE, LEAST = 0.4, 6.0  # of the machine's memory for each process of a job; and gigabytes that any may have


class Jobs:
    """The jobs of the data folder; several may run at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: dict[int, subprocess.Popen[Any]] = {}
        self._asked: dict[int, float] = {}  # when each was asked to stop

    def start(self, order: Order) -> Job:
        """Starts a new job."""
        with self._lock:
            self.check_room()
            number = max(numbers(), default=0) + 1
            folder = folders.made(home() / str(number))
            (folder / WORK).mkdir()
            started = datetime.now(UTC).isoformat(timespec="seconds")
            write_text(folder / ABOUT, json_text({**order._asdict(), "started": started}))
            job = Job(number, order, started, folder)
            self._run(job, order.words)
            self._forget_old()
        return job

    def resume(self, number: int) -> Job:
        """Goes on with a job that was stopped; BadInput where it runs, is finished, or a later one went on."""
        with self._lock:
            self._reap()
            job = self.job(number)
            if job.state in (RUNNING, FINISHED):
                raise BadInput(f"Job {number} is {job.state}; it cannot be resumed.")
            if later := superseded(self.all()).get(number):
                raise BadInput(f"Job {later} went on with what job {number} did; resume that one.")
            self.check_room()
            self._run(job, job.order.again if _began(job) else job.order.words)
        return job

    def stop(self, number: int) -> Job:
        """Ends a job as Ctrl-C does; asked again later, at once."""
        with self._lock:
            self._reap()
            job = self.job(number)
            if job.running:
                late = time.monotonic() - self._asked.setdefault(number, time.monotonic()) > PATIENCE
                _send(job, signal.SIGKILL if late else signal.SIGINT)
        return job

    def forget(self, number: int) -> None:
        """Removes a job that has ended from the list; what it made stays."""
        with self._lock:
            job = self.job(number)
            if job.running:
                raise BadInput(f"Job {number} is running; stop it first.")
            shutil.rmtree(job.folder, ignore_errors=True)

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        self._reap()
        found = (opened(number) for number in sorted(numbers(), reverse=True))
        return [job for job in found if job is not None]

    def job(self, number: int) -> Job:
        """One of them; BadInput if there is none."""
        self._reap()
        found = opened(number) if number in numbers() else None
        if found is None:
            raise BadInput(f"There is no job {number}.")
        return found

    def close(self) -> None:
        """Ends what runs, as Ctrl-C does: with the server, nobody is left to stop it."""
        self._reap()
        running = dict(self._processes)  # a look at a job takes those that have ended from the list
        for number in running:
            with suppress(BadInput):
                _send(self.job(number), signal.SIGINT)
        for number, process in running.items():
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                with suppress(BadInput):
                    _send(self.job(number), signal.SIGKILL)
                process.wait()
        self._reap()

    def check_room(self) -> None:
        """BadInput where as many jobs run as may."""
        self._reap()
        running = [job.number for job in self.all() if job.running]
        if len(running) >= AT_ONCE:
            raise BadInput(f"{AT_ONCE} jobs run at once at most; wait for one, or stop it.")

    def _run(self, job: Job, words: list[str]) -> None:
        """Starts the process, which holds the lock from its first moment to its last."""
        for file in (CODE, ASKED):
            (job.folder / file).unlink(missing_ok=True)
        self._asked.pop(job.number, None)
        command = [sys.executable, "-m", "spielwerk", *words]
        with (job.folder / LOCK).open("w") as lock, (job.folder / OUT).open("wb") as out:
            locked(lock.fileno())
            with (job.folder / ERR).open("wb") as err:
                streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
                if sys.platform != "win32":
                    streams |= {"pass_fds": (lock.fileno(),), "start_new_session": True}
                process = subprocess.Popen(command, cwd=job.folder / WORK, env=_environment(), **streams)
        write_text(job.folder / PID, str(process.pid))
        self._processes[job.number] = process
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, process.pid, GENTLE)

    def _reap(self) -> None:
        """Writes down how processes of this server have ended."""
        for number, process in list(self._processes.items()):
            code = process.poll()
            if code is not None and self._processes.pop(number, None):
                with suppress(OSError):
                    write_text(home() / str(number) / CODE, str(code))

    def _forget_old(self) -> None:
        ended = [job for job in self.all()[KEPT:] if not job.running]
        for job in ended:
            shutil.rmtree(job.folder, ignore_errors=True)


def _began(job: Job) -> bool:
    """Whether there is something to resume: a training may have ended before it had a run."""
    from spielwerk.learn.runs import names_of_runs

    return job.order.kind != "train" or job.order.about.get("run") in names_of_runs()


def _environment() -> dict[str, str]:
    """That of the server; a job works in an empty folder, so that no word of a browser names a file."""
    own = {"SPIELWERK_HOME": str(folders.home().resolve()), "SPIELWERK_CACHE": str(folders.cache().resolve())}
    if os.environ.get("PYTHONPATH"):
        own["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep)))
    own[memory.LIMIT] = f"{memory_of_a_job():.2f}"
    return {**os.environ, **own, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}


def memory_of_a_job() -> float:
    """The gigabytes of memory that each process of a job may take, unless the server itself has a limit."""
    return memory.limit() or max(SHARE * memory.of_machine() / memory.GIGABYTE, LEAST)


def _send(job: Job, sent: signal.Signals) -> None:
    """Sends a signal to the job and its workers, as a terminal does."""
    write_text(job.folder / ASKED, sent.name)
    pid = whole_in(job.folder / PID)
    if pid is not None and pid > 1:
        with suppress(OSError):
            os.killpg(pid, sent) if hasattr(os, "killpg") else os.kill(pid, sent)

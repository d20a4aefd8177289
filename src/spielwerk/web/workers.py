"""Workers: threads that do one task after the other. One that is stuck is given up, and another takes its place.

Python cannot end a thread. An agent that does not look at its `Stop` therefore keeps its thread until it is done; it
costs nobody else a worker, there are only so many of them, and none keeps the server from ending.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from spielwerk.names import BadInput

MOST_STUCK = 8  # threads that may be given up and still run


class Busy(BadInput):
    """There is too much to do just now; nobody is to blame for it, and a moment later it may be otherwise."""


class Task:
    """A piece of work, and the future in which its result will be."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.future: Future[Any] = Future()
        self.given_up = False

    def do(self) -> None:
        """Does it, unless nobody wants it any more."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.work())
        except BaseException as problem:  # whoever waits for it shall see it
            self.future.set_exception(problem)


class Workers:
    """So many threads, whatever becomes of their work."""

    def __init__(self, count: int, name: str) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._names = (f"{name}-{number}" for number in itertools.count(1))
        self._lock = threading.Lock()
        self._count, self._closed = count, False
        self._stuck: list[Task] = []
        for _ in range(count):
            self._hire()

    def submit(self, task: Task) -> Task:
        """Does it as soon as a worker is free; Busy where too much is stuck."""
        with self._lock:
            if len(self._stuck) >= MOST_STUCK:
                raise Busy("Too many searches here do not stop when they are told to; try again later.")
        self._tasks.put(task)
        return task

    def give_up(self, task: Task) -> None:
        """Waits no longer for a task: it is not begun any more, and where it runs, another worker is hired."""
        if task.future.cancel():
            return
        with self._lock:
            if task.future.done() or task.given_up or self._closed:
                return
            task.given_up = True
            self._stuck.append(task)
            self._hire()

    @property
    def stuck(self) -> int:
        """How many tasks were given up and still run."""
        return len(self._stuck)

    def close(self) -> None:
        """Begins nothing more, and waits for nobody."""
        self._closed = True
        with suppress(queue.Empty):
            while task := self._tasks.get_nowait():
                task.future.cancel()
        for _ in range(self._count):
            self._tasks.put(None)

    def _hire(self) -> None:
        threading.Thread(target=self._work, name=next(self._names), daemon=True).start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None and not self._closed:
            task.do()
            with self._lock:
                if task.given_up:  # another one has this place
                    self._stuck.remove(task)
                    return

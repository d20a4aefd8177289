"""Stop: ends searches from another thread, and at Ctrl-C."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import numpy as np

from spielwerk.kernel import interrupts


class Stop:
    """A flag that any thread may set; a search that was given it looks at it between simulations.

    Ctrl-C sets those that were made in the main thread: it waits for their searches, and KeyboardInterrupt follows.
    """

    interrupted = False  # by Ctrl-C

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # as kernels read it
        if threading.current_thread() is threading.main_thread():
            interrupts.listen()
            with _LOCK:
                _INTERRUPTED.add(self)

    def set(self) -> None:
        """Ends the searches; what they have found so far counts."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether it was set."""
        return bool(self.flag[0])

    def check(self) -> None:
        """Raises KeyboardInterrupt after Ctrl-C: Python's own is lost where LLVM calls it back while it compiles."""
        if self.interrupted:
            raise KeyboardInterrupt


def taken(method: Callable[..., Any], stop: Stop | None) -> dict[str, Any]:
    """`stop` as a keyword, where there is one and the method of an agent takes it: not every agent can be stopped."""
    return {"stop": stop} if stop and "stop" in inspect.signature(method).parameters else {}


_LOCK = threading.Lock()
_INTERRUPTED: WeakSet[Stop] = WeakSet()  # by Ctrl-C


def _interrupt() -> None:
    with _LOCK:
        stops = list(_INTERRUPTED)
    for stop in stops:
        stop.interrupted = True
        stop.set()


interrupts.CALLBACKS.insert(0, _interrupt)  # first, since others may wait for what follows from it

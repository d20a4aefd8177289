"""Hearing Ctrl-C while a kernel runs.

Python answers a signal between two of its own steps, and a kernel is one step, however long it takes. The signal itself
is noted at once, though: Python writes its number to a socket (`signal.set_wakeup_fd`). A thread that waits at the
socket's other end calls back while the kernel still runs, and so can set a flag at which the kernel looks.
"""

from __future__ import annotations

import functools
import signal
import socket
import threading
from collections.abc import Callable
from select import select

CALLBACKS: list[Callable[[], None]] = []  # called by the thread that listens, at every Ctrl-C
RAISING: list[object] = [signal.default_int_handler]  # handlers that raise KeyboardInterrupt; others do as they wish
MOST = 64  # bytes that are read at once


def listen() -> None:
    """Listens from now on, if this is the main thread, which alone is interrupted, and nobody else does."""
    if threading.current_thread() is not threading.main_thread():
        return
    here = _ears()
    before = signal.set_wakeup_fd(here, warn_on_full_buffer=False)
    if before not in (-1, here):
        signal.set_wakeup_fd(before)  # an event loop, for example


@functools.cache
def _ears() -> int:
    """The number of the socket to which signals are written, to the end of the process; a thread waits at the other."""
    end, ears = socket.socketpair()
    ears.setblocking(False)
    threading.Thread(target=_wait, args=(end,), name="interrupts", daemon=True).start()
    return ears.detach()


def _wait(end: socket.socket) -> None:
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # signals go to the main thread
    while heard := end.recv(MOST):
        if signal.SIGINT in heard and signal.getsignal(signal.SIGINT) in RAISING:
            for callback in tuple(CALLBACKS):
                callback()
            while select([end], [], [], 0)[0]:
                end.recv(MOST)  # what was pressed meanwhile has been answered

"""Processes that work for this one: Ctrl-C is for the one that leads, and they end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


def follow() -> None:
    """Makes a process ready that works for another; it and programs that it starts end with the one that leads."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # so that programs it starts hear it again
    signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
    threading.Thread(target=_end_with_the_leader, daemon=True).start()


def _end_with_the_leader() -> None:
    """A worker whose leader was killed ends too; so do external agents, whose input closes with it."""
    leader = multiprocessing.parent_process()
    if leader is not None:
        leader.join()
        os._exit(1)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is kept for later, also from the processes that are started meanwhile: they have no answer to it yet."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    _track_quietly()  # starting the tracker later would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _track_quietly() -> None:
    """Starts what cleans up after a program that ends at once, which need not be told each time."""
    sys.warnoptions.append("ignore:resource_tracker")  # goes to the tracker's command line
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.pop()

"""Processes of tests that receive a signal to end."""

from __future__ import annotations

import signal


def hear_all() -> None:
    """In a new process: undoes what a shell does to its jobs in the background, which ignore Ctrl-C, or `nohup`."""
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sent, signal.SIG_DFL)

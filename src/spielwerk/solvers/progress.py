"""The progress of a solver: the callback that receives it, and one that does nothing."""

from __future__ import annotations

from collections.abc import Callable

SolveProgress = Callable[[int, int], None]  # called with how much is done, and of how much


def no_progress(done: int, total: int) -> None:
    """A callback that does nothing."""

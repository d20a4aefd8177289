"""Work measured by the clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def speed(work: Callable[[], int], seconds: float) -> float:
    """What `work` counts a second; it is done once before."""
    work()
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        count += work()
    return count / (time.perf_counter() - begun)


def median_speed(work: Callable[[], int], seconds: float, rounds: int) -> float:
    """The median of several rounds."""
    return statistics.median(speed(work, seconds) for _ in range(rounds))

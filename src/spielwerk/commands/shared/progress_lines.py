"""Progress where there is no terminal: a line of a log from time to time, such as of a job in the background."""

from __future__ import annotations

import sys
import time

EVERY = 2.0  # seconds between two lines, at least


class ProgressLines:
    """Says what share of some work is done; the first line comes late, so that short work says nothing."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.said, self.then = 0, time.monotonic()

    def __call__(self, done: float, total: float) -> None:
        """So much is done, of so much."""
        share, now = int(100 * done / total) if total else 0, time.monotonic()
        if share > self.said and now - self.then >= EVERY:
            self.said, self.then = share, now
            print(f"{self.what}: {share} %", file=sys.stderr, flush=True)

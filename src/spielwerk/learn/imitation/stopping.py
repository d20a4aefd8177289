"""Early stopping: networks that share weights stop together once they make no progress, and their best is kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Stopping:
    """How well each group has done at best, and for how many epochs it has waited for better."""

    groups: int
    patience: int

    def __post_init__(self) -> None:
        self.best = np.full(self.groups, -np.inf)
        self.waited = np.zeros(self.groups, np.int64)

    def improved(self, group: int, score: float) -> bool:
        """Whether a group is better than ever; else it waits one epoch more."""
        if score > self.best[group]:
            self.best[group], self.waited[group] = score, 0
            return True
        self.waited[group] += 1
        return False

    @property
    def active(self) -> tuple[int, ...]:
        """The groups that still learn."""
        return tuple(np.flatnonzero(self.waited < self.patience).tolist())

"""Peak: the best fitness so far, and since when it has not been surpassed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Peak:
    """`ever` is the best of all generations; `best` that since all genomes were new, last surpassed in `since`."""

    ever: float = -1.0
    best: float = -1.0
    since: int = 0

    def higher(self, generation: int, fitness: float) -> bool:
        """Whether a generation is at least as good as all before; of equal ones the last is taken."""
        if fitness > self.best:
            self.best, self.since = fitness, generation
        reached = fitness >= self.ever
        self.ever = max(self.ever, fitness)
        return reached

    def gives_up(self, generation: int, patience: int) -> bool:
        """Whether nothing became better for so long that it is time to begin anew."""
        over = generation - self.since >= patience
        if over:
            self.best, self.since = -1.0, generation + 1
        return over

    def array(self) -> np.ndarray:
        """For a checkpoint."""
        return np.array([self.ever, self.best, self.since])

    @staticmethod
    def of(array: np.ndarray, done: int) -> Peak:
        """The peak of a training that has done so many generations; ValueError where it cannot be."""
        if array.shape != (3,) or not np.isfinite(array).all() or not 0 <= array[2] <= done:
            raise ValueError("no peak of this training")
        return Peak(float(array[0]), float(array[1]), int(array[2]))

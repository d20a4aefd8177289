"""Peak: the best fitness so far, and since when it has not been surpassed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

PERFECT = 1.0  # a fitness that cannot become better


@dataclass
class Peak:
    """`ever` is the best of all generations, last reached in `at`; `best` that since all genomes were new.

    The latter was last surpassed in generation `since`.
    """

    ever: float = -1.0
    best: float = -1.0
    since: int = 0
    at: int = 0

    def higher(self, generation: int, fitness: float) -> bool:
        """Whether a generation is at least as good as all before; of equal ones the last is taken."""
        if fitness > self.best:
            self.best, self.since = fitness, generation
        reached = fitness >= self.ever
        if reached:
            self.ever, self.at = fitness, generation
        return reached

    def gives_up(self, generation: int, patience: int) -> bool:
        """Whether nothing became better for so long that it is time to begin anew; what is perfect stays."""
        over = self.best < PERFECT and generation - self.since >= patience
        if over:
            self.best, self.since = -1.0, generation + 1
        return over

    def array(self) -> np.ndarray:
        """For a checkpoint."""
        return np.array([self.ever, self.best, self.since, self.at])

    @staticmethod
    def of(array: np.ndarray, done: int) -> Peak:
        """The peak of a training that has done so many generations; ValueError where it cannot be."""
        if array.shape != (4,) or not np.isfinite(array).all():
            raise ValueError("no peak of this training")
        since, at = (int(place) for place in array[2:])
        if (since, at) != tuple(array[2:]) or not 0 <= since <= done or not 0 <= at < max(done, 1):
            raise ValueError("no peak of this training")
        return Peak(float(array[0]), float(array[1]), since, at)

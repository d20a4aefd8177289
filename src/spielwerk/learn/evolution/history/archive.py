"""Archive: champions spread evenly over all generations so far, never more than it has room for."""

from __future__ import annotations

import numpy as np

from spielwerk.learn.evolution.genome.genome import Genome

MOST = 256  # and one more while it is thinned out


class Archive:
    """Every champion at first; when it is full every second one goes, and from then on half as many are kept."""

    def __init__(self) -> None:
        self.stride = 1
        self.champions: dict[int, Genome] = {}  # by generation

    def add(self, generation: int, champion: Genome) -> None:
        """Keeps the champion of a generation, if it is the turn of this one."""
        if generation % self.stride:
            return
        self.champions[generation] = champion
        if len(self.champions) == MOST:
            self.stride *= 2
            self.champions = {at: one for at, one in self.champions.items() if at % self.stride == 0}

    def spread(self, count: int) -> list[int]:
        """Generations whose champions are kept, at most so many, evenly spread."""
        known = list(self.champions)
        chosen = np.unique(np.linspace(0, len(known) - 1, min(count, len(known))).round().astype(int))
        return [known[i] for i in chosen] if known else []

    @staticmethod
    def of(generations: np.ndarray, champions: list[Genome], stride: int, done: int) -> Archive:
        """The archive of a training that has done so many generations; ValueError where it cannot be."""
        known = generations.tolist()
        whole = generations.dtype == np.int64 and len(known) == len(champions) < MOST and stride > 0
        if not whole or known != list(range(0, done, stride)):
            raise ValueError("no archive of this training")
        archive = Archive()
        archive.stride, archive.champions = stride, dict(zip(known, champions, strict=True))
        return archive

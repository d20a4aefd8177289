"""NTupleNetwork: the tables of an n-tuple network for one game, and how a position finds its weights in them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import atanh, prod
from operator import mul
from typing import Any

import numpy as np

from spielwerk.games.cells import Layout, layout
from spielwerk.games.game import Game
from spielwerk.learn.td.settings import Settings
from spielwerk.learn.td.tuples import chosen
from spielwerk.learn.td.value import Lookup, Net
from spielwerk.names import BadInput

GIGABYTE = 10**9
PRIMES_ARE_NEAR = 2000  # from one prime to the next it is less than this, as far as 64 bits count


@dataclass(frozen=True)
class Shape:
    """Which tables there are, and which place of the board looks at which."""

    tuples: tuple[tuple[int, ...], ...]  # one of each class that symmetry makes: a table each
    places: tuple[tuple[int, tuple[int, ...]], ...]  # a table, and the cells that are looked up in it
    sizes: tuple[int, ...]  # of the tables
    sets: tuple[int, ...]  # the set of weights of each player

    @property
    def weights(self) -> int:
        """How many weights there are in all sets, if each case has its own."""
        return sum(self.sizes) * (max(self.sets) + 1)


class NTupleNetwork:
    """The weights of an n-tuple network; `view()` is what kernels take. An `empty` one gets weights to play with."""

    def __init__(self, game: Game, settings: Settings, seed: int, empty: bool = False) -> None:
        self.game, self.settings = game, settings
        self.layout = layout(game, settings.coding)
        tuples = chosen(self.layout, settings.tuples, settings.count, settings.length, np.random.default_rng(seed))
        self.shape = shape(self.layout, tuples, settings)
        self.columns = 1 if settings.coherence == "none" else 3  # a weight, and what coherence notes of it
        self.size = self._size()
        self.start = atanh(settings.optimism) / len(self.shape.places)  # of each weight
        self.weights = self._zeros(0 if empty else self.size)
        if self.start:
            self.weights[:] = self.start
        self.coherence = self._zeros(self.size if self.columns == 3 and not empty else 1, 2)
        self.lookup = _lookup(self.layout, self.shape, self.size)

    @property
    def tuples(self) -> str:
        """The tuples that have a table each, as people write them (see `tuples.py`)."""
        return " ".join("-".join(self.layout.names[cell] for cell in cells) for cells in self.shape.tuples)

    @property
    def hashed(self) -> bool:
        """Whether several cases may share a weight."""
        return self.size < self.shape.weights

    @property
    def bindings(self) -> Mapping[str, Any]:
        """What the kernels of `value.py` need."""
        return {"cells": self.layout.cells, **self.layout.bindings, "HASHED": self.hashed}

    def view(self) -> Net:
        """The arrays for kernels, with scratch space of their own: one view for each thread."""
        return Net(self.weights, self.coherence, self.lookup, np.zeros(len(self.layout.values), np.int64))

    def twin(self) -> NTupleNetwork:
        """Another network of the same kind with weights of its own, equal now."""
        twin = copy.copy(self)
        twin.weights, twin.coherence = self.weights.copy(), self.coherence.copy()
        return twin

    def take(self, other: NTupleNetwork) -> None:
        """Takes over the weights of another network of the same kind."""
        self.weights[...], self.coherence[...] = other.weights, other.coherence

    def _size(self) -> int:
        """The weights to keep: all, or as many as fit."""
        settings, weights = self.settings, self.shape.weights
        fitting = int(settings.memory * GIGABYTE) // (4 * self.columns)
        if settings.table == "dense" and weights > fitting:
            raise self._too_large(weights, f"the {settings.memory:g} GB of memory")
        if weights <= fitting and settings.table != "hashed":
            return weights
        return _prime_below(min(fitting, weights))

    def _zeros(self, *lengths: int) -> np.ndarray:
        """Weights at 0; what no position ever meets takes no memory."""
        try:
            return np.zeros(lengths, np.float32)
        except MemoryError:
            raise self._too_large(self.size, "there is here") from None

    def _too_large(self, weights: int, limit: str) -> BadInput:
        return BadInput(
            f"td: the tables need {weights * self.columns * 4 / GIGABYTE:,.1f} GB ({weights:,} weights), more than "
            f"{limit}; take table=hashed, a coarser coding, or more memory=…."
        )


def shape(layout: Layout, tuples: Sequence[tuple[int, ...]], settings: Settings) -> Shape:
    """The tables for `tuples`: those that a symmetry maps onto each other share one."""
    symmetries = layout.symmetries if settings.symmetry else layout.symmetries[:1]
    kept: list[tuple[int, ...]] = []
    places: dict[tuple[int, ...], int] = {}
    seen: set[frozenset[int]] = set()
    for cells in tuples:
        if frozenset(cells) in seen:
            continue
        for row in symmetries:
            image = tuple(row[list(cells)].tolist())
            places.setdefault(image, len(kept))
            seen.add(frozenset(image))
        kept.append(tuple(cells))
    players = range(len(layout.sets))
    sets = layout.sets if settings.weights == "shared" else tuple(players)
    sizes = tuple(prod(layout.values[cell] for cell in cells) for cells in kept)
    return Shape(tuple(kept), tuple((table, cells) for cells, table in places.items()), sizes, sets)


def _lookup(layout: Layout, shape: Shape, size: int) -> Lookup:
    """How indices are computed for these tables."""
    starts = list(accumulate(shape.sizes, initial=0))  # perhaps beyond 64 bits; their remainders are not
    entries: list[tuple[int, int, int]] = []
    for i, (_, cells) in enumerate(shape.places):
        powers = accumulate((layout.values[cell] for cell in cells[:-1]), mul, initial=1)
        entries += [(cell, i, power % size) for cell, power in zip(cells, powers, strict=True)]
    entries.sort()
    looked_at = [cell for cell, _, _ in entries]
    used = np.unique(looked_at)
    first = np.searchsorted(looked_at, [*used, len(layout.values)])
    place, power = (np.array(column, np.int64) for column in list(zip(*entries, strict=True))[1:])
    base = np.array([starts[table] % size for table, _ in shape.places], np.int64)
    sets = np.array([number * starts[-1] % size for number in shape.sets], np.int64)
    return Lookup(size, used.astype(np.int64), first.astype(np.int64), place, power, base, sets)


def _prime_below(n: int) -> int:
    """The largest prime up to `n`: the remainder by a prime spreads the cases of all tables evenly."""
    for candidate in range(n, max(n - PRIMES_ARE_NEAR, 2), -1):
        if all(candidate % divisor for divisor in range(2, int(candidate**0.5) + 1)):
            return candidate
    return max(n, 2)

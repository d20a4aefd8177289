"""GeneralSolver: values every position that can follow given ones, by the way that fits the game."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput
from spielwerk.solvers.general import closure, induction, retrograde
from spielwerk.solvers.general.closure import CROWDED, MoveGraph, Reverse
from spielwerk.solvers.general.induction import DEEP, FINISHED, FULL, REPEATS
from spielwerk.solvers.general.iteration import iterate
from spielwerk.solvers.general.store import (
    DONE,
    NONE,
    added,
    bindings,
    bytes_a_position,
    hashed_again,
    scratch_for,
    slot_of,
    store_for,
)
from spielwerk.solvers.oracle import SolveProgress, no_progress
from spielwerk.solvers.tables import available_memory, size_text

GIGABYTE = 10**9
DRAWS = 10_000  # of a random set-up
PORTION = 1 << 20  # steps between two looks at the progress
DEPTH, EDGES = 1 << 10, 1 << 14  # room for a path at first
EDGE = 4  # bytes


class TooLarge(BadInput):
    """There are more positions than may be looked at."""


class GeneralSolver:
    """Keeps every position that it has valued; `add` takes in more of them."""

    def __init__(self, game: Game, positions: int, memory: float, callback: SolveProgress = no_progress) -> None:
        self.game, self.callback = game, callback
        self.memory = int(min(memory * GIGABYTE, 0.9 * (available_memory() or memory * GIGABYTE)))
        self.most = min(positions, self.memory // bytes_a_position(game))
        self.by_memory = self.most < positions
        self.store = store_for(game, self.most)
        self.scratch = scratch_for(game)
        self.bindings = bindings(game) | {"MOST_FOLLOWERS": len(self.scratch.numbers)}

    @property
    def positions(self) -> int:
        """How many positions are known."""
        return int(self.store.count[0])

    def add(self, roots: Iterable[np.ndarray]) -> None:
        """Values these positions and all that can follow; TooLarge leaves those known before as they were."""
        first, roots = self.positions, list(roots)
        try:
            if not self._by_induction(roots):
                self._forget(first)
                self._by_closure(roots)
        except BaseException:
            self._forget(first)
            raise

    def find(self, state: np.ndarray) -> int:
        """The number of a position; NONE if it is not known."""
        slot = self._kernel(slot_of)(state, self.store.states, self.store.slots)
        return int(self.store.slots[slot]) - 1

    def fill(self, slots: np.ndarray) -> None:
        """Enters all positions into empty slots."""
        self._kernel(hashed_again)(self.store._replace(slots=slots))

    def _by_induction(self, roots: list[np.ndarray]) -> bool:
        """Depth first; False where positions repeat."""
        walk = induction.walk_for(DEPTH, max(EDGES, 2 * self.bindings["MOST_FOLLOWERS"]))
        for root in roots:
            index = self._added(root)
            if self.store.status[index] == DONE:
                continue
            why = FINISHED if self._kernel(induction.enter)(index, self.store, walk, self.scratch) else FULL
            while why != FINISHED or walk.counters[induction.DEPTH]:
                why = self._kernel(induction.proceed)(PORTION, self.store, walk, self.scratch)
                if why == REPEATS:
                    return False
                if why == FULL:
                    raise self._too_large()
                if why == DEEP:
                    walk = induction.deeper(walk)
                self._tell()
        return True

    def _by_closure(self, roots: list[np.ndarray]) -> None:
        """All positions first, with their moves; then values by retrograde analysis or by iteration."""
        timed = self.bindings["HAS_DISTANCES"]
        spare = self.memory - self.most * (bytes_a_position(self.game) + 8)
        graph = closure.graph_for(
            self.store, max(spare // (EDGE * (2 if timed else 1)), 2 * self.bindings["MOST_FOLLOWERS"])
        )
        for root in roots:
            self._added(root)
        why = None
        while why != FINISHED:
            why = self._kernel(closure.close)(PORTION, self.store, graph, self.scratch)
            if why == FULL:
                raise self._too_large()
            if why == CROWDED:
                raise TooLarge(
                    f"{self.game.name} is too large: the moves of its positions, which repeat, need more than "
                    f"{size_text(self.memory)} of memory."
                )
            self._tell()
        if timed:
            self._by_retrograde(graph)
        else:
            iterate(self.game, self.store, graph, self._tell)
        self.store.status[graph.counters[0] : self.positions] = DONE

    def _by_retrograde(self, graph: MoveGraph) -> None:
        first, last = graph.counters.tolist()
        store, reverse = self.store, self._reversed(graph)
        left = np.zeros(last, np.int32)
        left[first:] = np.diff(graph.ends[: last - first], prepend=0)
        queue = retrograde.Queue(np.empty((2, last), np.int32), np.zeros(2, np.int64))
        ends = np.flatnonzero(store.status[:last] == DONE)
        sizes = np.abs(store.values[ends, 0])
        for size in np.unique(sizes[sizes > 0])[::-1]:
            seeds = ends[sizes == size]
            seeds = seeds[np.argsort(store.turns[seeds], kind="stable")]
            self._kernel(retrograde.settle)(seeds, store, reverse, left, queue)
            self._tell()
        drawn = np.flatnonzero(store.status[:last] != DONE)
        store.values[drawn], store.turns[drawn] = 0.0, NONE

    def _reversed(self, graph: MoveGraph) -> Reverse:
        """The moves backwards; those forwards are no longer needed."""
        first, last = graph.counters.tolist()
        count = int(graph.ends[last - first - 1])
        reverse = Reverse(np.zeros(last + 1, np.int64), np.empty(count, np.int32))
        self._kernel(closure.counted)(graph, reverse)
        np.cumsum(reverse.starts, out=reverse.starts)
        self._kernel(closure.filled)(graph, reverse)
        reverse.starts[1:] = reverse.starts[:-1]  # each start was moved to its end, where the next one begins
        reverse.starts[0] = 0
        return reverse

    def _added(self, state: np.ndarray) -> int:
        index = self._kernel(added)(state, self.store, self.scratch.scores)
        if index == NONE:
            raise self._too_large()
        return int(index)

    def _forget(self, first: int) -> None:
        """Drops the positions from `first` on."""
        self.store.count[0] = first
        self.store.slots[:] = 0
        self.fill(self.store.slots)

    def _too_large(self) -> TooLarge:
        held = f", as many as {size_text(self.memory)} of memory hold" if self.by_memory else ""
        return TooLarge(f"More than {self.most:,} positions{held}: {self.game.name} is too large for this.")

    def _tell(self) -> None:
        self.callback(self.positions, max(self.positions, min(self.most, self.game.states)))

    def _kernel(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return self.game.kernel(function, **self.bindings)


def starts(game: Game, most: int) -> list[np.ndarray]:
    """The starting positions that the game lists, hardly more than `most`; otherwise those of `DRAWS` draws."""
    listed = [position.state for position in itertools.islice(game.starts(), most + 1)]
    return list(np.unique(listed if listed else _drawn(game), axis=0))


def _drawn(game: Game) -> np.ndarray:
    """The starting positions of `DRAWS` draws."""
    states = np.zeros((DRAWS, game.constants["WORDS"]), np.int64)
    start = game.rule("start")
    for state, rng in zip(states, streams(0, "start", DRAWS), strict=True):
        start(state, rng)
    return states

"""Growth: trees of many positions, planted and grown, one simulation of every tree at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.arrays import Array, arrays_of
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator, asked
from spielwerk.search.forest import rows as kernels
from spielwerk.search.forest.reuse_rows import advance_rows
from spielwerk.search.forest.rows import Leaves, Plot
from spielwerk.search.selection import AUTO, GUMBEL, UCT, bindings_of, rule_for
from spielwerk.search.stop import Stop
from spielwerk.search.tree import Steering, Tree
from spielwerk.search.trees import check_nodes, new_trees

ROUNDS = 16  # on a GPU, between two looks at which trees have finished, since looking waits for the GPU


class Growth:
    """Trees of one game on one device, which every batch of positions uses again."""

    def __init__(
        self, game: Game, estimator: Estimator, steering: Steering, nodes: int, select: str = AUTO, device: str = "cpu"
    ) -> None:
        check_nodes(game, nodes)
        self.game, self.estimator, self.steering, self.nodes, self.device = game, estimator, steering, nodes, device
        self.rule = rule_for(select, estimator.has_priors)
        self.arrays = arrays_of(device)
        self.rounds = 1 if device == "cpu" else ROUNDS
        self._ground: Tree | None = None  # the memory of all trees
        self._bindings = {**bindings_of(self.rule), "SIDES": game.sides}

    def plant(self, batch: Batch, rngs: Array) -> None:
        """A new tree for each position of the batch, and its random stream; `rngs` [n, 1] are drawn from."""
        self._check(batch)
        self.batch, n = batch, len(batch)
        if self._ground is None or len(self._ground.links) < n:
            noise = self.game.constants["MOST_MOVES"] if self.rule == GUMBEL else 0
            self._ground = new_trees(n, self.nodes, self.rule != UCT, self.arrays, noise)
        self.trees = Tree(*(array[:n] for array in self._ground))
        self.done, self.most = (self.arrays.full((n,), 0, "int64") for _ in range(2))
        self.roots, self.rngs = self.arrays.copy(batch.states), rngs
        self._plot = self._arguments(Plot(self.roots, rngs, self.done, self.most, self.trees))
        self.estimated = self.arrays.empty((n, self.game.players), "float64")  # of the roots, where anybody asked
        self.estimated[:] = math.nan
        numbers, depths, counts = (self.arrays.empty((n,), "int64") for _ in range(3))
        states, waiting = self.arrays.empty(tuple(batch.states.shape), "int64"), self.arrays.empty((n,), "uint8")
        self._take_up(Leaves(numbers, states, depths, counts, waiting))
        self._run(kernels.plant_rows, self._plot, self._leaves)
        self._first = self.leaves
        if self._by_priors and n:
            self._estimate(roots=True)

    def advance(self, batch: Batch, steps: Array) -> None:
        """Goes on with the subtrees of the positions that the boards have come to, where the trees have looked there.

        `steps` [n] or [n, any] says what was played and rolled on each board since, in order, below 0 nothing; a last
        roll may be left out. Where a board is elsewhere, such as in a new game, it gets a new tree.
        """
        self._check(batch)
        if len(batch) != len(self.done) or len(steps) != len(batch):
            raise BadInput(f"A forest of {len(self.done)} trees needs as many positions and steps to advance.")
        self.batch = batch
        self.done[:] = self.most[:] = 0
        self._take_up(self._first)
        steps = self.arrays.array(steps, "int64")
        given = map(self.arrays.argument, (batch.states, steps[:, None] if steps.ndim == 1 else steps))
        self._run(advance_rows, self._plot, self._leaves, *given)
        self._drop_finished()
        if self._by_priors and len(self.leaves.states):
            self._estimate(roots=True)

    def grow(self, simulations: int | Array, stop: Stop | None = None) -> int:
        """So many more simulations in each tree, fewer where all is known or `stop` is set; how many in all.

        An array [n] says for each tree how many.
        """
        before = self._made()
        self.most += simulations
        self._take_up(self._first)
        ends = set(np.unique(self.arrays.host(self.most - self.done)).tolist())  # rounds after which trees finish
        round = 0
        while len(self.leaves.states) and round < max(ends) and not (stop and stop.is_set):
            self._run(kernels.select_rows, self.steering, self._plot, self._leaves)
            if round % self.rounds == 0 or round in ends:
                self._drop_finished()
            if len(self.leaves.states):
                self._estimate()
            round += 1
        return self._made() - before

    def _check(self, batch: Batch) -> None:
        """Refuses positions of another game, or elsewhere."""
        if batch.game != self.game or batch.device != self.device:
            there = f"{batch.game.name} on {batch.device}"
            raise BadInput(f"A forest of {self.game.name} on {self.device} cannot grow from positions of {there}.")

    def _made(self) -> int:
        """Simulations so far, in all trees."""
        return int(self.arrays.host(self.done).sum())

    @property
    def _by_priors(self) -> bool:
        return self.rule != UCT and self.estimator.has_priors

    def _estimate(self, roots: bool = False) -> None:
        """Asks the estimator about the leaves that wait, and passes on what it says; of roots only the priors."""
        batch = self.batch.sibling(self.leaves.states)
        found = asked(self.estimator, batch, self.leaves.counts if self._by_priors else None)
        if self._by_priors:
            offsets, priors = self.arrays.offsets(self.leaves.counts), self.arrays.array(found.priors, "float32")
            arguments = map(self.arrays.argument, (offsets, priors))
            self._run(kernels.expand_rows, *arguments, self._plot, self._leaves)
        values = self.arrays.array(found.values, "float64")
        if roots:
            self.estimated[self.leaves.numbers] = values
        else:
            self._run(kernels.back_up_rows, self.arrays.argument(values), self._plot, self._leaves)

    def _drop_finished(self) -> None:
        """Leaves trees alone that have nothing left to do."""
        rows = self.arrays.nonzero(self.leaves.waiting)
        if len(rows) < len(self.leaves.states):
            self._take_up(Leaves(*(self.arrays.rows(array, rows) for array in self.leaves)))

    def _take_up(self, leaves: Leaves) -> None:
        self.leaves, self._leaves = leaves, self._arguments(leaves)

    def _arguments(self, arrays: Any) -> Any:
        """A named tuple of arrays, as kernels take it."""
        if isinstance(arrays, tuple):
            return type(arrays)(*map(self._arguments, arrays))
        return self.arrays.argument(arrays)

    def _run(self, kernel: Callable[..., Any], *arguments: Any, rows: int | None = None) -> None:
        """Runs a row kernel over the leaves, or over so many rows."""
        rows = len(self.leaves.states) if rows is None else rows
        if rows:
            target, threads = (None, self.batch.threads) if self.device == "cpu" else (self.device, 1)
            self.game.rows(kernel, target, threads, **self._bindings)(rows, *arguments)

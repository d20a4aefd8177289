"""Growth: trees of many positions, planted and grown, one simulation of every tree at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.arrays import Array, arrays_of
from spielwerk.kernel.lanes import Lanes, lanes_of
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator, asked, check_priors
from spielwerk.search.forest import rows as kernels
from spielwerk.search.forest.reuse_rows import advance_rows
from spielwerk.search.forest.rows import Leaves, Plot
from spielwerk.search.stop import Stop
from spielwerk.search.trees.memory import check_nodes, new_trees
from spielwerk.search.trees.selection import AUTO, GUMBEL, UCT, bindings_of, rule_for
from spielwerk.search.trees.tree import SCALE, Steering, Tree

ROUNDS = 16  # on a GPU, between two looks at which trees have finished, since looking waits for the GPU
LANES, LEAST = 2, 2048  # parts in which trees grow beside each other, and how many trees a part is worth it for


class Growth:
    """Trees of one game on one device, which every batch of positions uses again."""

    def __init__(
        self,
        game: Game,
        estimator: Estimator,
        steering: Steering,
        nodes: int,
        select: str = AUTO,
        device: str = "cpu",
        scale: float = 1.0,
    ) -> None:
        check_nodes(game, nodes)
        self.game, self.estimator, self.steering, self.nodes, self.device = game, estimator, steering, nodes, device
        self.rule = rule_for(select, estimator.has_priors)
        self.scale = scale * game.constants["BEST"]  # of rewards in Gumbel selection: a point is a point in all games
        self.arrays = arrays_of(device)
        self.rounds = 1 if device == "cpu" else ROUNDS
        self.rngs: Array | None = None
        self._ground: Tree | None = None  # the memory of all trees
        self._kernels: dict[tuple[Callable[..., Any], int], Callable[..., None]] = {}
        self.apart = estimator.apart and self._by_priors
        self._bindings = bindings_of(self.rule, game.sides, steering, self.apart)

    def plant(self, batch: Batch, rngs: Array) -> None:
        """A new tree for each position of the batch, and its random stream; `rngs` [n, 1] are drawn from."""
        self._check(batch)
        self.batch = batch
        if rngs is not self.rngs or len(batch) != len(self.done):
            self._lay_out(len(batch), rngs)
        self.roots[:] = batch.states
        self.estimated[:] = math.nan
        self._clear()
        self._run(kernels.plant_rows, self._plot, self.arrays.arguments(self._all))
        if self._by_priors and len(batch):
            self._estimate(self._all, roots=True)

    def advance(self, batch: Batch, steps: Array) -> None:
        """Goes on with the subtrees of the positions that the boards have come to, where the trees have looked there.

        `steps` [n] or [n, any] says what was played and rolled on each board since, in order, below 0 nothing; a last
        roll may be left out. Where a board is elsewhere, such as in a new game, it gets a new tree.
        """
        self._check(batch)
        if len(batch) != len(self.done) or len(steps) != len(batch):
            raise BadInput(f"A forest of {len(self.done)} trees needs as many positions and steps to advance.")
        self.batch = batch
        self._clear()
        steps = self.arrays.array(steps, "int64")
        given = map(self.arrays.argument, (batch.states, steps[:, None] if steps.ndim == 1 else steps))
        self._run(advance_rows, self._plot, self.arrays.arguments(self._all), *given)
        new = self._unfinished(self._all)
        if self._by_priors and len(new.states):
            self._estimate(new, roots=True)

    def grow(self, simulations: int | Array, stop: Stop | None = None) -> int:
        """So many more simulations in each tree, fewer where all is known or `stop` is set; how many in all.

        An array [n] says for each tree how many.
        """
        before = self._made()
        self.most += simulations
        self._all.waiting[:] = kernels.NOTHING
        ends = {0, *np.unique(self.arrays.host(self.most - self.done)).tolist()}  # rounds after which trees finish

        def stopped() -> bool:
            return stop is not None and stop.is_set

        if self.device == "cpu" or not self.estimator.recordable or len(ends) > 2:
            self._grow_by_round(ends, stopped)
        elif self.apart:
            self._grow_with_pauses(stopped)
        else:
            self._lanes.run(max(ends), stopped)
        return self._made() - before

    def _grow_by_round(self, ends: set[int], stopped: Callable[[], bool]) -> None:
        """Round by round, without the trees that have finished; simulations may pause, and then need more rounds."""
        leaves, round = self._all, 0
        while len(leaves.states) and (self.apart or round < max(ends)) and not stopped():
            self._select(leaves)
            if self.apart or round % self.rounds == 0 or round in ends:
                leaves = self._unfinished(leaves)
            if self.apart:
                self._estimate_apart(leaves)
            elif len(leaves.states):
                self._estimate(leaves)
            round += 1

    def _grow_with_pauses(self, stopped: Callable[[], bool]) -> None:
        """Recorded rounds for values; between them priors for the simulations that pause."""
        busy = True
        while busy and not stopped():
            self._lanes.run(1, stopped)
            most = int(self._all.waiting.max())
            busy = most != kernels.NOTHING
            if most == kernels.PRIORS_ONLY:
                self._give_priors(self._waiting_for(kernels.PRIORS_ONLY, self._all))

    def _whole_round(self, leaves: Leaves) -> None:
        """One simulation in each of these trees, where they have not finished and do not pause."""
        self._select(leaves)
        if self.apart:
            self._value(leaves)
        else:
            self._estimate(leaves)

    def _estimate_apart(self, leaves: Leaves) -> None:
        """Values for those that wait for them, priors for the others."""
        paused = self._waiting_for(kernels.PRIORS_ONLY, leaves)
        valued = self._waiting_for(kernels.VALUE, leaves) if len(paused.states) else leaves
        if len(paused.states):
            self._give_priors(paused)
        if len(valued.states):
            self._value(valued)

    def _value(self, leaves: Leaves) -> None:
        """Backs up the values of leaves, which get no priors yet."""
        found = asked(self.estimator, self.batch.sibling(leaves.states), priors=False)
        self._back_up(leaves, found.values)

    def _give_priors(self, leaves: Leaves) -> None:
        """Gives leaves at which simulations pause their children."""
        batch = self.batch.sibling(leaves.states)
        self._expand(leaves, batch, asked(self.estimator, batch).priors)

    def _lay_out(self, n: int, rngs: Array) -> None:
        """Makes room for so many trees, and all that goes with them."""
        if self._ground is None or len(self._ground.links) < n:
            noise = self.game.constants["MOST_MOVES"] if self.rule == GUMBEL else 0
            self._ground = new_trees(n, self.nodes, self.rule != UCT, self.arrays, noise)
            self._ground.plan[:, SCALE:] = self.scale
        self.trees = Tree(*(array[:n] for array in self._ground))
        words = self.game.constants["WORDS"]
        self.done, self.most = (self.arrays.full((n,), 0, "int64") for _ in range(2))
        self.roots, self.rngs = self.arrays.empty((n, words), "int64"), rngs
        self._plot = self.arrays.arguments(Plot(self.roots, rngs, self.done, self.most, self.trees))
        self.estimated = self.arrays.empty((n, self.game.players), "float64")  # of the roots, where anybody asked
        numbers, depths, turns = (self.arrays.empty((n,), "int64") for _ in range(3))
        states, waiting = self.arrays.empty((n, words), "int64"), self.arrays.empty((n,), "uint8")
        self._all = Leaves(numbers, states, depths, turns, waiting)
        self._lanes = self._new_lanes(n)

    def _new_lanes(self, n: int) -> Lanes:
        """Whole rounds of parts of the trees."""
        lanes = LANES if n >= LANES * LEAST else 1
        edges = [n * lane // lanes for lane in range(lanes + 1)]
        parts = [Leaves(*(array[first:last] for array in self._all)) for first, last in pairwise(edges)]
        return lanes_of(self.device, [partial(self._whole_round, part) for part in parts])

    def _clear(self) -> None:
        """No simulations were made, and none are asked for."""
        self.done[:] = 0
        self.most[:] = 0

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

    def _select(self, leaves: Leaves) -> None:
        """The leaf of each of these trees that is to be estimated next."""
        given = self.steering, self._plot, self.arrays.arguments(leaves)
        self._run(kernels.select_rows, *given, rows=len(leaves.states))

    def _estimate(self, leaves: Leaves, roots: bool = False) -> None:
        """Asks the estimator about the leaves that wait, and passes on what it says; of roots only the priors."""
        batch, rows = self.batch.sibling(leaves.states), len(leaves.states)
        found = asked(self.estimator, batch)
        if self._by_priors and found.logits is not None:
            logits = self.arrays.argument(self.arrays.array(found.logits, "float32"))
            self._run(kernels.expand_by_logits_rows, logits, self._plot, self.arrays.arguments(leaves), rows=rows)
        elif self._by_priors:
            self._expand(leaves, batch, found.priors)
        if roots:
            self.estimated[leaves.numbers] = self.arrays.array(found.values, "float64")
        else:
            self._back_up(leaves, found.values)

    def _back_up(self, leaves: Leaves, values: Array) -> None:
        """Backs up what each player may expect in the leaves."""
        given = self.arrays.argument(self.arrays.array(values, "float64")), self._plot, self.arrays.arguments(leaves)
        self._run(kernels.back_up_rows, *given, rows=len(leaves.states))

    def _expand(self, leaves: Leaves, batch: Batch, priors: Array | None) -> None:
        """Passes on priors that are as ragged as the legal actions."""
        counts = self.arrays.empty((len(batch),), "int64")
        self._run(kernels.count_rows, self.arrays.arguments(leaves), self.arrays.argument(counts), rows=len(batch))
        offsets = self.arrays.offsets(counts)
        check_priors(self.estimator, batch, priors, int(offsets[-1]))
        given = map(self.arrays.argument, (offsets, self.arrays.array(priors, "float32")))
        self._run(kernels.expand_rows, *given, self._plot, self.arrays.arguments(leaves), rows=len(batch))

    def _unfinished(self, leaves: Leaves) -> Leaves:
        """Without the trees that have nothing left to do."""
        return self._some(leaves, self.arrays.nonzero(leaves.waiting))

    def _waiting_for(self, what: int, leaves: Leaves) -> Leaves:
        """Those that wait for this."""
        return self._some(leaves, self.arrays.nonzero(leaves.waiting == what))

    def _some(self, leaves: Leaves, rows: Array) -> Leaves:
        """A copy of these rows; where that is all of them, the leaves themselves."""
        if len(rows) == len(leaves.states):
            return leaves
        return Leaves(*(self.arrays.rows(array, rows) for array in leaves))

    def _run(self, kernel: Callable[..., Any], *arguments: Any, rows: int | None = None) -> None:
        """Runs a row kernel over all trees, or over so many rows."""
        rows = len(self.done) if rows is None else rows
        if rows:
            self._compiled(kernel)(rows, *arguments)

    def _compiled(self, kernel: Callable[..., Any]) -> Callable[..., None]:
        """A kernel for this game and device; kept here, since it is asked for in every round."""
        target, threads = (None, self.batch.threads) if self.device == "cpu" else (self.device, 1)
        if (kernel, threads) not in self._kernels:
            self._kernels[kernel, threads] = self.game.rows(kernel, target, threads, **self._bindings)
        return self._kernels[kernel, threads]

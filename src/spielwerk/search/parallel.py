"""ParallelSearch: trees of one position that grow side by side in threads, by count or by clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from spielwerk.games.evaluation import Evaluation
from spielwerk.games.game import Game
from spielwerk.kernel.random import next_word, streams
from spielwerk.kernel.specialise import Bindings
from spielwerk.search import mcts
from spielwerk.search.stop import Stop
from spielwerk.search.trees import tree
from spielwerk.search.trees.statistics import TreeStatistics

CHUNK = 32  # simulations between two looks at the clock, at first


class ParallelSearch:
    """Searches with a compiled evaluation, each tree in a thread, with arrays that every decision uses again."""

    def __init__(
        self, game: Game, value: Evaluation, bindings: Bindings, memory: mcts.Memory, seconds: float = 0.0
    ) -> None:
        self.game, self.memory, self.seconds = game, memory, seconds  # 0: as many simulations as the memory says
        self.count = len(memory.trees.links)
        self.data = [memory.data, *(value.own_data() for _ in range(self.count - 1))]
        self.statistics = TreeStatistics(game, memory.trees, range(self.count))
        self.simulate: Callable[..., int] = game.kernel(mcts.simulate, **bindings)
        self.plant = game.kernel(tree.plant, **bindings)
        self.before = game.kernel(value.before)

    def grow(self, state: np.ndarray, rng: np.ndarray, stop: Stop | None = None) -> int:
        """Searches from `state`; the simulations made."""
        for data in self.data:
            self.before(state, data)
        width = self.memory.trees.size.shape[1]  # as far apart as the sizes, and for the same reason
        rngs = np.repeat(streams(int(rng[0]), "trees", self.count), width, axis=1)
        self.game.kernel(next_word)(rng)
        stop = stop or Stop()
        memory = self.memory._replace(stop=stop.flag)
        memories = [memory._replace(data=data) for data in self.data]
        begun = time.perf_counter()
        if self.count == 1:
            done = self._grow_tree(0, state, rngs[0], memories[0], begun)
        else:
            with ThreadPoolExecutor(self.count) as pool:
                work = [pool.submit(self._grow_tree, t, state, rngs[t], memories[t], begun) for t in range(self.count)]
                done = sum(one.result() for one in work)
        stop.check()
        return done

    def _grow_tree(self, t: int, state: np.ndarray, rng: np.ndarray, memory: mcts.Memory, begun: float) -> int:
        mine = tree.one_of(memory.trees, t)
        most = share(memory.steering.simulations, self.count, t)
        scratch = self.game.workspace()
        self.plant(state, scratch, mine)
        done = 0
        for portion in _portions(self.seconds, begun) if self.seconds else (most,):
            done += self.simulate(portion, state, rng, scratch, memory, mine)
            if mine.sums[0, tree.EXACT] <= 1 or memory.stop[0]:
                break
        return done

    def ready(self) -> None:
        """Compiles."""
        state, rng, scratch = self.game.start().state, streams(0, "none", 1)[0], self.game.workspace()
        self.game.kernel(next_word)(rng)
        mine = tree.one_of(self.memory.trees, 0)
        self.before(state, self.memory.data)
        self.plant(state, scratch, mine)
        self.simulate(0, state, rng, scratch, self.memory, mine)
        TreeStatistics(self.game, self.memory.trees, [0]).best_action(self.memory.steering.by_mean)


def share(simulations: int, trees: int, t: int) -> int:
    """How many of the simulations tree `t` makes, of so many trees that share them."""
    return (simulations + trees - 1 - t) // trees


def _portions(seconds: float, begun: float) -> Iterator[int]:
    """How many simulations to make at once: as many as fit twice into what is left."""
    portion, before = CHUNK, time.perf_counter()
    while before - begun < seconds:
        yield portion
        now = time.perf_counter()
        fitting = portion * (begun + seconds - now) / (2 * max(now - before, 1e-6))
        portion, before = max(1, min(2 * portion, int(fitting))), now

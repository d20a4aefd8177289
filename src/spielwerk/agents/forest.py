"""The trees of one search seen from Python: grown side by side in threads, by count or by clock, and read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.evaluation import Evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import next_word, streams
from spielwerk.search import mcts, tree

APART = 16  # words between what two threads write, so that they never share a line of the cache
CHUNK = 32  # simulations between two looks at the clock, at first


@dataclass
class Found:
    """What the trees say of an action or a turn, all together."""

    visits: int = 0
    total: float = 0.0
    exact: float = tree.UNKNOWN

    def add(self, links: np.ndarray, sums: np.ndarray) -> None:
        """Adds one node: its row of `links` and of `sums`."""
        self.visits += int(links[tree.VISITS])
        self.total += float(sums[tree.TOTAL])
        self.exact = min(self.exact, float(sums[tree.EXACT]))

    @property
    def reward(self) -> float | None:
        """From 0 to 1, for the player whose choice it was; None if nobody looked."""
        if self.exact <= 1:
            return self.exact
        return self.total / self.visits if self.visits else None


class Forest:
    """Searches with the arrays of `search/mcts.py`, which it uses again for every decision."""

    def __init__(self, game: Game, value: Evaluation, memory: tuple[Any, ...], milliseconds: int) -> None:
        self.game = game
        self.numbers, self.k, _, self.links, self.sums, self.sizes, self.paths, self.claims = memory
        self.data = value.for_threads(len(self.links))
        self.seconds = milliseconds / 1000
        self.simulate: Callable[..., int] = game.kernel(mcts.simulate, **value.bindings | {"SIDES": game.sides})
        self.before = game.kernel(value.before)

    def grow(self, state: np.ndarray, rng: np.ndarray) -> int:
        """Searches from `state`; the simulations made."""
        for data in self.data:
            self.before(state, data)
        rngs = np.repeat(streams(int(rng[0]), "trees", len(self.links)), APART, axis=1)
        self.game.kernel(next_word)(rng)
        begun = time.perf_counter()
        if len(self.links) == 1:
            return self._grow_tree(0, state, rngs[0], begun)
        with ThreadPoolExecutor(len(self.links)) as pool:
            return sum(pool.map(lambda t: self._grow_tree(t, state, rngs[t], begun), range(len(self.links))))

    def _grow_tree(self, t: int, state: np.ndarray, rng: np.ndarray, begun: float) -> int:
        arrays = (self.links[t], self.sums[t], self.sizes[t], self.paths[t], self.claims[t])
        share = (int(self.numbers[mcts.SIMULATIONS]) + len(self.links) - 1 - t) // len(self.links)
        work, *room = self.game.workspace()
        self.game.kernel(tree.plant)(state, room[0], room[1], arrays)
        done = 0
        for most in self._portions(share, begun):
            numbers = self.numbers.copy()
            numbers[mcts.SIMULATIONS] = most
            done += self.simulate(state, work, rng, *room, numbers, self.k, self.data[t], arrays)
            if self.sums[t, 0, tree.EXACT] <= 1:
                break
        return done

    def _portions(self, share: int, begun: float) -> Iterator[int]:
        """How many simulations to make at once: all, or with a clock as many as fit twice into what is left."""
        if not self.seconds:
            yield share
            return
        portion, before = CHUNK, time.perf_counter()
        while before - begun < self.seconds:
            yield portion
            now = time.perf_counter()
            fitting = portion * (begun + self.seconds - now) / (2 * max(now - before, 1e-6))
            portion, before = max(1, min(2 * portion, int(fitting))), now

    def actions(self) -> dict[int, Found]:
        """What the trees say of each action at the root."""
        return self._children([(t, 0) for t in range(len(self.links))])[0]

    def best_action(self) -> int:
        """The action to play, by all trees together."""
        found = self.actions()
        links, sums = np.zeros((len(found) + 1, tree.LINKS), np.int32), np.zeros((len(found) + 1, 2))
        links[0, [tree.FIRST, tree.COUNT]] = 1, len(found)
        for row, (action, one) in enumerate(found.items(), 1):
            links[row, [tree.ACTION, tree.VISITS]] = action, one.visits
            sums[row] = one.total, one.exact
        return int(links[self.game.kernel(mcts.best_child)(self.numbers[mcts.BY_MEAN], links, sums), tree.ACTION])

    def turns(self, position: Position) -> dict[tuple[int, ...], Found]:
        """What the trees say of each turn from the root's position, by the words of its end."""
        ends: dict[tuple[int, ...], Found] = {}
        self._follow(position, position.mover, [(t, 0) for t in range(len(self.links))], ends)
        return ends

    def _follow(self, position: Position, mover: int, nodes: list[tuple[int, int]], ends: dict[Any, Found]) -> None:
        found, children = self._children(nodes)
        for action in position.actions():
            after = position.play(action)
            if after.mover == mover:
                self._follow(after, mover, children.get(action, []), ends)
                continue
            one, end = found.get(action, Found()), ends.setdefault(after.words, Found())
            end.visits, end.total, end.exact = end.visits + one.visits, end.total + one.total, min(end.exact, one.exact)

    def _children(self, nodes: list[tuple[int, int]]) -> tuple[dict[int, Found], dict[int, list[tuple[int, int]]]]:
        """Of the same node in several trees: what they say of each action, and where it leads in each tree."""
        found: dict[int, Found] = {}
        children: dict[int, list[tuple[int, int]]] = {}
        for t, node in nodes:
            first, count = self.links[t, node, [tree.FIRST, tree.COUNT]].tolist()
            for child in range(first, first + count):
                action = int(self.links[t, child, tree.ACTION])
                found.setdefault(action, Found()).add(self.links[t, child], self.sums[t, child])
                children.setdefault(action, []).append((t, child))
        return found, children

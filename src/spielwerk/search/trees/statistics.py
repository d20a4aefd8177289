"""Statistics of trees: what several trees of one position say, all together, of its actions and turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search import mcts
from spielwerk.search.trees import tree
from spielwerk.search.trees.tree import Tree

Nodes = list[tuple[int, int]]  # the same node in several trees: the number of each tree, and of its node


@dataclass
class NodeStatistics:
    """What the trees say of an action or a turn, all together."""

    visits: int = 0
    total: float = 0.0
    exact: float = tree.UNKNOWN

    def add(self, visits: int, total: float, exact: float) -> None:
        """Adds one node, or what others have found."""
        self.visits += visits
        self.total += total
        self.exact = min(self.exact, exact)

    @property
    def reward(self) -> float | None:
        """From 0 to 1, for the player whose choice it was; None if nobody looked."""
        if self.exact <= 1:
            return self.exact
        return self.total / self.visits if self.visits else None


class TreeStatistics:
    """Some of many trees, all of the same position."""

    def __init__(self, game: Game, trees: Tree, numbers: Sequence[int]) -> None:
        self.game, self.trees = game, trees
        self.roots: Nodes = [(t, 0) for t in numbers]

    def actions(self) -> dict[int, NodeStatistics]:
        """What the trees say of each action at the root."""
        return self._children(self.roots)[0]

    def best_action(self, by_mean: bool) -> int:
        """The action to play: the most visited one, or that of the best mean."""
        found = self.actions()
        links, sums = np.zeros((len(found) + 1, tree.LINKS), np.int32), np.zeros((len(found) + 1, 2))
        links[0, [tree.FIRST, tree.COUNT]] = 1, len(found)
        for row, (action, one) in enumerate(found.items(), 1):
            links[row, [tree.ACTION, tree.VISITS]] = action, one.visits
            sums[row] = one.total, one.exact
        return int(links[self.game.kernel(mcts.best_child)(by_mean, links, sums), tree.ACTION])

    def turns(self, position: Position) -> dict[tuple[int, ...], NodeStatistics]:
        """What the trees say of each turn from the root's position, by the words of its end."""
        ends: dict[tuple[int, ...], NodeStatistics] = {}
        self._follow(position, position.mover, self.roots, ends)
        return ends

    def _follow(self, position: Position, mover: int, nodes: Nodes, ends: dict[Any, NodeStatistics]) -> None:
        found, children = self._children(nodes)
        for action in position.actions():
            after = position.play(action)
            if after.mover == mover:
                self._follow(after, mover, children.get(action, []), ends)
                continue
            one = found.get(action, NodeStatistics())
            ends.setdefault(after.words, NodeStatistics()).add(one.visits, one.total, one.exact)

    def _children(self, nodes: Nodes) -> tuple[dict[int, NodeStatistics], dict[int, Nodes]]:
        """Of the same node in several trees: what they say of each action, and where it leads in each tree."""
        found: dict[int, NodeStatistics] = {}
        children: dict[int, Nodes] = {}
        for t, node in nodes:
            links, sums = self.trees.links[t], self.trees.sums[t]
            first, count = links[node, [tree.FIRST, tree.COUNT]].tolist()
            for child in range(first, first + count):
                action = int(links[child, tree.ACTION])
                found.setdefault(action, NodeStatistics()).add(int(links[child, tree.VISITS]), *sums[child].tolist())
                children.setdefault(action, []).append((t, child))
        return found, children

"""The outline of a search tree, for people: its most visited branches, a few levels deep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.position import Position
from spielwerk.search.trees.tree import ACTION, COUNT, EXACT, FIRST, TOTAL, VISITS, Tree

LEVELS, BRANCHES = 4, 3  # below the root, and of each node, if nothing else is asked for
SHORTER = 2  # levels by which each branch is followed less far than the more visited one beside it


@dataclass(frozen=True)
class Branch:
    """A node of the tree: what led to it, how often it was visited, and what it is worth to whoever chose it."""

    label: str
    visits: int
    value: float | None  # the mean reward as a score, or the exact one; None where nobody looked
    exact: bool
    chance: bool  # whether a roll follows
    over: bool
    mover: str  # who acts there
    left_out: int  # children that are not listed
    branches: tuple[Branch, ...] = ()

    def facts(self) -> dict[str, Any]:
        """What a JSON of the tree says."""
        about: dict[str, Any] = {"label": self.label, "visits": self.visits, "value": self.value, "exact": self.exact}
        about |= {"chance": self.chance, "over": self.over, "left_out": self.left_out}
        return about | {"branches": [branch.facts() for branch in self.branches]}


def outline(position: Position, tree: Tree, levels: int = LEVELS, branches: int = BRANCHES) -> Branch:
    """The branches of a tree that was grown from `position`, the most visited first."""
    return _branch("", position, 0, tree, levels, branches)


def _branch(label: str, position: Position, node: int, tree: Tree, levels: int, most: int) -> Branch:
    links, game = tree.links, position.game
    first, count = int(links[node, FIRST]), int(links[node, COUNT])
    visited = [child for child in range(first, first + count) if links[child, VISITS] > 0] if levels > 0 else []
    listed = sorted(visited, key=lambda child: int(links[child, VISITS]), reverse=True)[:most]
    below = tuple(
        _child(position, child, tree, levels - 1 - SHORTER * place, most) for place, child in enumerate(listed)
    )
    acting = position.roller if position.chance else position.mover
    return Branch(
        label=label,
        visits=int(links[node, VISITS]),
        value=_score(node, tree, game.constants["BEST"]),
        exact=bool(tree.sums[node, EXACT] <= 1),
        chance=position.chance,
        over=position.over,
        mover="" if position.over else game.player_names[acting],
        left_out=sum(int(links[child, VISITS]) > 0 for child in range(first, first + count)) - len(below),
        branches=below,
    )


def _child(position: Position, child: int, tree: Tree, levels: int, most: int) -> Branch:
    number, face = int(tree.links[child, ACTION]), position.game.face
    after = position.roll(number) if position.chance else position.after(number)
    if position.chance:
        label = face.spell_roll(position.game, number)
    else:
        label = face.spell(((position, number),), after)
    return _branch(label, after, child, tree, levels, most)


def _score(node: int, tree: Tree, best: float) -> float | None:
    """The value of a node as a score of whoever chose it."""
    exact, visits = float(tree.sums[node, EXACT]), int(tree.links[node, VISITS])
    if exact > 1 and not visits:
        return None
    reward = exact if exact <= 1 else float(tree.sums[node, TOTAL]) / max(visits, 1)
    return float(np.round((2 * reward - 1) * best, 6))

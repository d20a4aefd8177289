"""New trees, as the arrays of `search/trees/tree.py` with one more axis in front."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.kernel.arrays import Arrays
from spielwerk.names import BadInput
from spielwerk.search.trees.tree import LINKS, Tree

LONGEST_PATH = 512  # nodes on a way through the tree
NODE_BYTES = 4 * LINKS + 2 * 8 + 4  # with a prior
PATH_BYTES = 2 * 4 + 8  # of a step on the way, with what was certain there
APART = 16  # words between what two threads write, so that they never share a line of the cache


def new_trees(count: int, nodes: int, priors: bool, arrays: Arrays, noise: int = 0) -> Tree:
    """So many trees with room for so many nodes each, and for the noise of so many children of the root.

    A search writes every number before it reads it.
    """
    return Tree(
        links=arrays.rowwise((count, nodes, LINKS), "int32"),
        sums=arrays.rowwise((count, nodes, 2), "float64"),
        priors=arrays.rowwise((count, nodes if priors else 0), "float32"),
        size=arrays.empty((count, APART), "int64"),
        path=arrays.rowwise((count, LONGEST_PATH, 2), "int32"),
        claims=arrays.rowwise((count, LONGEST_PATH), "float64"),
        noise=arrays.rowwise((count, noise), "float32"),
        plan=arrays.empty((count, 3 if noise else 0), "float64"),
    )


def tree_bytes(count: int, nodes: int) -> int:
    """How much memory so many trees take, with priors."""
    return count * (nodes * NODE_BYTES + LONGEST_PATH * PATH_BYTES)


def check_nodes(game: Game, nodes: int) -> None:
    """Refuses trees that have no room for a decision and its children."""
    least = game.constants["MOST_MOVES"] + 1
    if nodes < least:
        raise BadInput(f"A tree of {game.name} needs at least {least} nodes, not {nodes}.")

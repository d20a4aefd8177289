"""New trees, as the arrays of `search/tree.py` with one more axis in front."""

from __future__ import annotations

import numpy as np

from spielwerk.search.tree import LINKS, Tree

LONGEST_PATH = 512  # nodes on a way through the tree
APART = 16  # words between what two threads write, so that they never share a line of the cache


def new_trees(count: int, nodes: int, priors: bool) -> Tree:
    """So many trees with room for so many nodes each."""
    links, sums = np.zeros((count, nodes, LINKS), np.int32), np.zeros((count, nodes, 2))
    path, claims = np.zeros((count, LONGEST_PATH, 2), np.int32), np.zeros((count, LONGEST_PATH))
    kept = np.zeros((count, nodes if priors else 0), np.float32)
    return Tree(links, sums, kept, np.zeros((count, APART), np.int64), path, claims)

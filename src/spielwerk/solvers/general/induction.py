"""Backward induction where positions do not repeat: depth first, so that no move needs to be kept.

A position is valued when all that follow it are. One that leads back to a position on the path to it ends the work:
then positions repeat, and `closure.py` goes another way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielwerk.kernel.specialise import unbound
from spielwerk.solvers.general.judge import judge
from spielwerk.solvers.general.store import DONE, NEW, NONE, OPEN, expanded

FINISHED, MORE, FULL, DEEP, REPEATS = range(5)  # why a kernel has stopped
DEPTH, TOP = 0, 1  # of the counters
MOST_FOLLOWERS: int = unbound("MOST_FOLLOWERS")  # positions that can follow one


class Walk(NamedTuple):
    """The path from a root to where the work is, and all that follows the positions on it."""

    path: Any  # int32 [depth]
    first: Any  # [depth]: where the followers of each begin in `edges`
    at: Any  # [depth]: which of them comes next
    edges: Any  # int32
    counters: Any  # [2]: DEPTH of the path, TOP of the edges


def enter(index, store, walk, scratch):
    """Goes to a new position; False where what follows it does not fit."""
    counters = walk.counters
    n = expanded(index, store, scratch, walk.edges, counters[TOP])
    if n == NONE:
        return False
    depth = counters[DEPTH]
    store.status[index] = OPEN
    walk.path[depth] = index
    walk.first[depth] = counters[TOP]
    walk.at[depth] = counters[TOP]
    counters[TOP] += n
    counters[DEPTH] = depth + 1
    return True


def proceed(budget, store, walk, scratch):
    """Resumes for so many steps; says why it has stopped."""
    counters = walk.counters
    for _ in range(budget):
        depth = counters[DEPTH]
        if depth == 0:
            return FINISHED
        if depth == walk.path.shape[0] or counters[TOP] + MOST_FOLLOWERS > walk.edges.shape[0]:
            return DEEP
        level = depth - 1
        index = walk.path[level]
        if walk.at[level] < counters[TOP]:
            child = walk.edges[walk.at[level]]
            walk.at[level] += 1
            if store.status[child] == OPEN:
                return REPEATS
            if store.status[child] == NEW and not enter(child, store, walk, scratch):
                return FULL
        else:
            judge(index, walk.edges, walk.first[level], counters[TOP], store, scratch, store.values, store.values)
            store.status[index] = DONE
            counters[TOP] = walk.first[level]
            counters[DEPTH] = level
    return MORE


def walk_for(depth: int, edges: int) -> Walk:
    """An empty path with room for so much."""
    first, at = np.zeros((2, depth), np.int64)
    return Walk(np.zeros(depth, np.int32), first, at, np.zeros(edges, np.int32), np.zeros(2, np.int64))


def deeper(walk: Walk) -> Walk:
    """The same path with twice the capacity."""
    longer = walk_for(2 * len(walk.path), 2 * len(walk.edges))
    for old, new in zip(walk, longer, strict=True):
        new[: len(old)] = old
    return longer

"""Every position that can follow, with all moves kept: what is needed where positions repeat.

`ends[i]` says where the followers of position `first + i` end in `edges`; they begin where the ones before end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.rules import OVER
from spielwerk.kernel.specialise import unbound
from spielwerk.solvers.general.induction import FINISHED, FULL, MORE
from spielwerk.solvers.general.store import NONE, PositionStore, expanded

CROWDED = 5  # no room for more edges
MOST_FOLLOWERS: int = unbound("MOST_FOLLOWERS")


class MoveGraph(NamedTuple):
    """Who follows whom, for the positions from `first` on."""

    ends: Any  # [most]
    edges: Any  # int32
    counters: Any  # [2]: the first position, the next one to be expanded


class Reverse(NamedTuple):
    """Whom each position follows."""

    starts: Any  # [positions + 1]
    edges: Any  # int32


def close(budget, store, graph, scratch):
    """Expands so many positions more; says why it has stopped."""
    first = graph.counters[0]
    for _ in range(budget):
        index = graph.counters[1]
        if index == store.count[0]:
            return FINISHED
        at = graph.ends[index - first - 1] if index > first else 0
        if at + MOST_FOLLOWERS > graph.edges.shape[0]:
            return CROWDED
        if store.who[index] != OVER:
            n = expanded(index, store, scratch, graph.edges, at)
            if n == NONE:
                return FULL
            at += n
        graph.ends[index - first] = at
        graph.counters[1] = index + 1
    return MORE


def counted(graph, reverse):
    """Counts, for each position, whom it follows, one place further on."""
    for i in range(graph.ends[graph.counters[1] - graph.counters[0] - 1]):
        reverse.starts[graph.edges[i] + 1] += 1


def filled(graph, reverse):
    """Writes whom each position follows; `starts` are moved to the ends by it."""
    first = graph.counters[0]
    at = 0
    for index in range(first, graph.counters[1]):
        while at < graph.ends[index - first]:
            child = graph.edges[at]
            reverse.edges[reverse.starts[child]] = index
            reverse.starts[child] += 1
            at += 1


def graph_for(store: PositionStore, edges: int) -> MoveGraph:
    """Room for the moves of all positions that a store can still take in, and of those it has as `first` on."""
    first = int(store.count[0])
    counters = np.array([first, first], np.int64)
    return MoveGraph(np.empty(len(store.who) - first, np.int64), np.empty(edges, np.int32), counters)

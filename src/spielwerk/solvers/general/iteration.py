"""Value iteration, where positions repeat and chance or more than two sides are in the game.

Sweep n values a position as if the game were broken off, with score 0, after n actions and rolls; the limit is what is
meant by its value. The sweeps end when what is still to come is estimated to be below `CLOSE`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.kernel.threads import thread_pool
from spielwerk.names import BadInput
from spielwerk.solvers.general.closure import MoveGraph
from spielwerk.solvers.general.judge import judge
from spielwerk.solvers.general.store import VALUE_COLUMNS, PositionStore, bindings, scratch_for

CLOSE = 1e-9
SWEEPS = 100_000
THREADS, PORTIONS = 2, 16


def sweep(first, last, store, graph, scratch, values, fresh):
    """Values positions `first` to `last - 1` anew; returns the largest change."""
    base = graph.counters[0]
    largest = 0.0
    for index in range(first, last):
        if store.who[index] == OVER:
            continue
        at = graph.ends[index - base - 1] if index > base else 0
        judge(index, graph.edges, at, graph.ends[index - base], store, scratch, values, fresh)
        for i in range(VALUE_COLUMNS):
            largest = max(largest, abs(fresh[index, i] - values[index, i]))
    return largest


def iterate(game: Game, store: PositionStore, graph: MoveGraph, callback: Callable[[], Any]) -> None:
    """Sweeps over the positions of the graph until their values stand."""
    first, last = graph.counters.tolist()
    fresh = store.values[:last].copy()
    both = [store.values[:last], fresh]
    kernel = game.kernel(sweep, **bindings(game))
    edges = np.linspace(first, last, PORTIONS + 1).astype(int).tolist()
    scratches = [scratch_for(game) for _ in range(PORTIONS)]
    before = 0.0
    with thread_pool(THREADS) as pool:
        for _ in range(SWEEPS):
            work = [
                pool.submit(kernel, edges[i], edges[i + 1], store, graph, scratches[i], *both) for i in range(PORTIONS)
            ]
            change = max(part.result() for part in work)
            both.reverse()
            callback()
            if _close(change, before):
                store.values[:last] = both[0]
                return
            before = change
    raise unsettled(game)


def unsettled(game: Game) -> BadInput:
    """The error for values that do not stand after `SWEEPS` sweeps."""
    if game.sides > 2:
        return BadInput(f"{game.name} has no values: with more than two sides, endless play need not converge.")
    return BadInput(f"The values of {game.name} have not converged after {SWEEPS:,} sweeps: its games last too long.")


def _close(change: float, before: float) -> bool:
    """Whether all later changes together stay below `CLOSE`, if they shrink as the last one did."""
    return change == 0 or (change < before and change * change / (before - change) < CLOSE and change < CLOSE)

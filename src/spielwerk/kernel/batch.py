"""Running one kernel over many rows: a loop on the CPU, a grid of threads on a GPU.

A row kernel is `row(i, state, actions, weights, scores, arrays)`: it does the work of row `i`, where
`arrays` is a tuple of arrays that all rows share, and the four before it are room to work in: one
position, its actions or outcomes, their weights, each player's score.

Where few rows have work, `wanted(i, arrays)` tells which of the eight rows from 8 i on do, a bit each, and
the kernel runs for those alone: on a GPU the threads of a block share them, so that none idles.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from spielwerk.kernel.bits import lowest
from spielwerk.kernel.specialise import Bindings, interface, specialise, unbound
from spielwerk.names import BadInput

EIGHT = 8  # rows that `wanted` looks at together
PORTIONS = 16  # for each thread, since some rows are harder than others

WORDS: int = unbound("WORDS")
ROOM: int = unbound("ROOM")
PLAYERS: int = unbound("PLAYERS")


@interface
def row(i, state, actions, weights, scores, arrays):
    """The work of row `i`."""
    raise NotImplementedError


@interface
def wanted(i, arrays):
    """Which of the rows 8 i to 8 i + 7 are wanted, a bit each."""
    raise NotImplementedError


def loop(first, last, state, actions, weights, scores, arrays):
    """Rows `first` to `last - 1`, one after the other."""
    for i in range(first, last):
        row(i, state, actions, weights, scores, arrays)


def wanted_loop(first, last, state, actions, weights, scores, arrays):
    """Of the words `first` to `last - 1`, eight rows each, the rows that are wanted."""
    for i in range(first, last):
        found = wanted(i, arrays)
        while found != 0:
            row(EIGHT * i + lowest(found), state, actions, weights, scores, arrays)
            found &= found - 1


def over_rows(
    kernel: Callable[..., Any], bindings: Bindings, target: str = "cpu", threads: int = 1
) -> Callable[..., None]:
    """`kernel` as a function of (number of rows, *arrays), for one game and one target.

    With several `threads`, the rows on the CPU must not get in each other's way. Where the bindings have `wanted`, the
    number is that of words of eight rows.
    """
    bindings = {**bindings, "row": kernel}
    bindings["ROOM"] = _room(bindings)
    if target == "cuda":
        return _launched(kernel.__name__, bindings)
    compiled = specialise(wanted_loop if "wanted" in bindings else loop, bindings, target, kernel.__name__)

    def run(rows: int, *arrays: Any) -> None:
        if threads == 1 or rows < PORTIONS * threads:
            compiled(0, rows, *workspace(bindings), arrays)
            return
        edges = [rows * i // (PORTIONS * threads) for i in range(PORTIONS * threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            work = (pool.submit(compiled, *edge, *workspace(bindings), arrays) for edge in pairwise(edges))
            for done in list(work):
                done.result()

    return run


def _launched(name: str, bindings: Bindings) -> Callable[..., None]:
    from spielwerk.kernel import cuda

    if not cuda.available():
        raise BadInput("There is no GPU here; NUMBA_ENABLE_CUDASIM=1 simulates one.")
    block = cuda.threads()
    grid, share = (cuda.shared_grid, cuda.LOOKED_AT) if "wanted" in bindings else (cuda.grid, block)
    launch = specialise(grid, bindings, "cuda", name)
    return lambda rows, *arrays: launch[-(-rows // share), block](rows, arrays)


def workspace(bindings: Bindings) -> tuple[np.ndarray, ...]:
    """Room to work in: a position, its actions or outcomes, their weights, each player's score."""
    words, players, room = bindings["WORDS"], bindings["PLAYERS"], _room(bindings)
    actions, weights = np.zeros(room, np.int64), np.zeros(room, np.int64)
    return np.zeros(words, np.int64), actions, weights, np.zeros(players)


def _room(bindings: Bindings) -> int:
    return max(bindings["MOST_MOVES"], bindings["MOST_OUTCOMES"], 1)

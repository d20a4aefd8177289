"""Running one kernel over many rows: a loop on the CPU, a grid of threads on a GPU.

A row kernel is `row(i, state, actions, weights, scores, arrays)`: it does the work of row `i`, where
`arrays` is a tuple of arrays that all rows share, and the four before it are scratch: one position,
its actions or outcomes, their weights, each player's score.

Where few rows have work, `wanted(i, arrays)` tells which of the eight rows from 8 i on do, a bit each, and
the kernel runs for those alone: on a GPU the threads of a block share them, so that none idles.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from spielwerk.kernel.bits import lowest
from spielwerk.kernel.specialise import Bindings, interface, specialise, unbound
from spielwerk.names import BadInput

EIGHT = 8  # rows that `wanted` looks at together
PORTIONS = 16  # at most for each thread, since some rows are harder than others
PORTION_SECONDS = 2e-4  # less is not worth waking a thread
CALL_SECONDS = 1e-5  # of a call itself, whatever its rows

WORDS: int = unbound("WORDS")
SCRATCH_LENGTH: int = unbound("SCRATCH_LENGTH")  # actions or outcomes that the scratch holds
PLAYERS: int = unbound("PLAYERS")


class Scratch(NamedTuple):
    """What a kernel works in, since it allocates nothing."""

    state: np.ndarray  # [WORDS]: a position
    actions: np.ndarray  # [SCRATCH_LENGTH]: its actions or outcomes
    weights: np.ndarray  # [SCRATCH_LENGTH]: of the outcomes
    scores: np.ndarray  # [PLAYERS]


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
    kernel: Callable[..., Any], bindings: Bindings, target: str = "cpu", threads: int = 1, label: str = ""
) -> Callable[..., None]:
    """`kernel` as a function of (number of rows, *arrays), for one game and one target.

    With several `threads`, the rows on the CPU must not get in each other's way. Where the bindings have `wanted`, the
    number is that of words of eight rows.
    """
    bindings, label = {**bindings, "row": kernel}, label or kernel.__name__
    if target == "cuda":
        from spielwerk.kernel import cuda

        grid, share = (cuda.shared_grid, cuda.LOOKED_AT) if "wanted" in bindings else (cuda.grid, 0)
        launch = launcher(grid, bindings, cuda.threads(), label, share)
        return lambda rows, *arrays: launch(rows, arrays)
    compiled = specialise(wanted_loop if "wanted" in bindings else loop, bindings, target, label)
    own = _Own(bindings)

    def run(rows: int, *arrays: Any) -> None:
        if threads == 1 or rows < PORTIONS * threads:
            compiled(0, rows, *own.scratch, arrays)
            return
        begun, first = time.perf_counter(), rows // (PORTIONS * threads)
        compiled(0, first, *own.scratch, arrays)
        portions = _portions((time.perf_counter() - begun - CALL_SECONDS) * rows / first, threads)
        edges = [first + (rows - first) * i // portions for i in range(portions + 1)]
        if portions == 1:
            compiled(*edges, *own.scratch, arrays)
            return
        submit = _pool(threads).submit
        work = [submit(compiled, *edge, *workspace(bindings), arrays) for edge in pairwise(edges)]
        try:
            for done in work:
                done.result()
        except BaseException:  # such as Ctrl-C
            for waiting in work:
                waiting.cancel()
            raise

    return run


class _Own(threading.local):
    """The calling thread's own scratch, since making it takes longer than a kernel of one row."""

    def __init__(self, bindings: Bindings) -> None:
        self.scratch = workspace(bindings)


def _portions(seconds: float, threads: int) -> int:
    """Into how many portions work of so many seconds is cut; quick work goes on in the thread that began it."""
    portions = int(seconds / PORTION_SECONDS)
    return 1 if portions < threads else min(portions, PORTIONS * threads)


def launcher(
    grid: Callable[..., Any], bindings: Bindings, block: int, label: str, block_rows: int = 0
) -> Callable[..., None]:
    """A grid of `kernel/cuda.py` as a function of (number of rows, *arguments).

    A block has `block` threads and does `block_rows` rows, by default one a thread.
    """
    from spielwerk.kernel.cuda import available, stream

    if not available():
        raise BadInput("There is no GPU here; NUMBA_ENABLE_CUDASIM=1 simulates one.")
    kernel = specialise(grid, {**bindings, "SCRATCH_LENGTH": _scratch_length(bindings)}, "cuda", label)
    each = block_rows or block
    return lambda rows, *arguments: kernel[-(-rows // each), block, stream()](rows, *arguments)


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """One pool for all kernels, since starting threads takes longer than a small batch."""
    return ThreadPoolExecutor(threads, "rows")


def workspace(bindings: Bindings) -> Scratch:
    """Scratch for one thread."""
    words, players, length = bindings["WORDS"], bindings["PLAYERS"], _scratch_length(bindings)
    actions, weights = np.zeros(length, np.int64), np.zeros(length, np.int64)
    return Scratch(np.zeros(words, np.int64), actions, weights, np.zeros(players))


def _scratch_length(bindings: Bindings) -> int:
    return max(bindings["MOST_MOVES"], bindings["MOST_OUTCOMES"], 1)

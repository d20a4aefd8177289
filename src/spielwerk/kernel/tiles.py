"""Row kernels that write many numbers a row: the input of a network, the mask of the legal actions.

Threads of a GPU that write one row each would write far apart. Here the threads of a block write their rows into
shared memory, and then copy them out side by side; the mask, mostly zeros, they clear together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spielwerk.kernel.rows import launcher, over_rows
from spielwerk.kernel.specialise import Bindings, interface, unbound

SHARED_BYTES = 48 << 10  # of a block, without asking for more

# Prefixed, since they are bound beside the constants of a game, which may have a SIZE of its own.
TILE_SIZE: int = unbound("TILE_SIZE")  # numbers that a row writes
TILE_STRIDE: int = unbound("TILE_STRIDE")  # between rows in shared memory: odd, so that threads use different banks
TILE_ROWS: int = unbound("TILE_ROWS")  # of a block: a multiple of 8, so that their bytes are whole words
TILE_BLOCK: int = unbound("TILE_BLOCK")  # threads of a block, which all copy
TILE_CLEARED: int = unbound("TILE_CLEARED")  # bytes of a row that are set to 0 first


@interface
def written(i, state, actions, weights, out, arrays):
    """The work of row `i`, which writes the TILE_SIZE numbers `out`; the rest is as in a row kernel."""
    raise NotImplementedError


def direct(i, state, actions, weights, scores, arrays):
    """Row kernel: the same without shared memory."""
    out, cleared, rest = arrays  # [n, TILE_SIZE], [n, TILE_CLEARED]
    for byte in range(TILE_CLEARED):
        cleared[i, byte] = 0
    written(i, state, actions, weights, out[i], rest)


def over_tiles(
    kernel: Callable[..., Any], bindings: Bindings, size: int, cleared: int = 0, target: str = "cpu", threads: int = 1
) -> Callable[..., None]:
    """`kernel` as a function of (number of rows, out [n, size], flags, words, *arrays), for one game and one target.

    `flags` [n, cleared] of one byte each, the same memory as the int64 `words`, are set to 0 before `kernel` runs.
    """
    bindings = {**bindings, "written": kernel, "TILE_SIZE": size, "TILE_CLEARED": cleared}
    if target == "cuda":
        from spielwerk.kernel.cuda import tile_threads, tiles

        stride, block = size | 1, tile_threads()
        tile_rows = next((rows for rows in (block, 16, 8) if 4 * rows * stride <= SHARED_BYTES), 0)
        if tile_rows:
            shared = {**bindings, "TILE_STRIDE": stride, "TILE_BLOCK": block, "TILE_ROWS": tile_rows}
            launch = launcher(tiles, shared, block, kernel.__name__, tile_rows)
            return lambda rows, out, flags, words, *arrays: launch(rows, (out, words, arrays))
    run = over_rows(direct, bindings, target, threads, kernel.__name__)
    return lambda rows, out, flags, words, *arrays: run(rows, out, flags, arrays)

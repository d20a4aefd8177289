"""Running one kernel over many rows: a loop on the CPU, a grid of threads on a GPU.

A row kernel is `row(i, state, actions, weights, scores, arrays)`: it does the work of row `i`, where
`arrays` is a tuple of arrays that all rows share, and the four before it are room to work in: one
position, its actions or outcomes, their weights, each player's score.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.kernel.specialise import Bindings, interface, specialise, unbound
from spielwerk.names import BadInput

WORDS: int = unbound("WORDS")
ROOM: int = unbound("ROOM")
PLAYERS: int = unbound("PLAYERS")


@interface
def row(i, state, actions, weights, scores, arrays):
    """The work of row `i`."""
    raise NotImplementedError


def loop(first, last, state, actions, weights, scores, arrays):
    """Rows `first` to `last - 1`, one after the other."""
    for i in range(first, last):
        row(i, state, actions, weights, scores, arrays)


def over_rows(kernel: Callable[..., Any], bindings: Bindings, target: str = "cpu") -> Callable[..., None]:
    """`kernel` as a function of (number of rows, *arrays), for one game and one target."""
    bindings = {**bindings, "row": kernel}
    bindings["ROOM"] = _room(bindings)
    if target == "cuda":
        from spielwerk.kernel.cuda import available, grid, threads

        if not available():
            raise BadInput("There is no GPU here; NUMBA_ENABLE_CUDASIM=1 simulates one.")
        launch, block = specialise(grid, bindings, "cuda", kernel.__name__), threads()
        return lambda rows, *arrays: launch[-(-rows // block), block](rows, arrays)
    compiled = specialise(loop, bindings, target, kernel.__name__)

    def run(rows: int, *arrays: Any) -> None:
        compiled(0, rows, *workspace(bindings), arrays)

    return run


def workspace(bindings: Bindings) -> tuple[np.ndarray, ...]:
    """Room to work in: a position, its actions or outcomes, their weights, each player's score."""
    words, players, room = bindings["WORDS"], bindings["PLAYERS"], _room(bindings)
    actions, weights = np.zeros(room, np.int64), np.zeros(room, np.int64)
    return np.zeros(words, np.int64), actions, weights, np.zeros(players)


def _room(bindings: Bindings) -> int:
    return max(bindings["MOST_MOVES"], bindings["MOST_OUTCOMES"], 1)

"""What n-tuples see of Othello: each cell empty (0), with an own disc (1), or with one of the other player (2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.boards.othello import CELLS
from spielwerk.games.cells import Cells, Layout, everywhere, grid
from spielwerk.kernel.bits import shift_right

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("discs",)
SHORTEST = 4  # diagonal


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    own = state[1 + player]
    other = state[2 - player]
    for cell in range(CELLS):
        out[cell] = (shift_right(own, cell) & 1) + 2 * (shift_right(other, cell) & 1)


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a variant."""
    size = game.constants["SIZE"]
    symmetries = game.constants["TURNED"][:, : size**2].astype(int)
    return Layout(
        coding=coding,
        values=(3,) * size**2,
        neighbours=grid.neighbours(size),
        symmetries=symmetries,
        sets=(0, 0),
        tuples=_tuples(size, symmetries),
        cells=cells,
        bindings={},
        names=_names(size),
    )


def _names(size: int) -> tuple[str, ...]:
    return tuple(f"{'abcdefgh'[cell % size]}{cell // size + 1}" for cell in range(size**2))


def observation_names(game: Game) -> tuple[str, ...]:
    """Three planes: discs of both, and where the mover may place one."""
    return tuple(f"{plane} {cell}" for plane in ("own", "other", "move") for cell in _names(game.constants["SIZE"]))


def _tuples(size: int, symmetries: np.ndarray) -> dict[str, tuple[Cells, ...]]:
    """The patterns that strong programs use, and others, on all sides of the board."""
    return {
        "patterns": everywhere(patterns(size), symmetries),
        "lines": everywhere([*_rows(size), *_diagonals(size)], symmetries),
        "squares": grid.rectangles(size, 2, 2),
    }


def patterns(size: int) -> list[Cells]:
    """The patterns that strong programs use, cut to the size of the board: each once, on one side of it."""
    edge, *rows = _rows(size)
    corners = [grid.rectangle(size, 0, 0, 3, 3), grid.rectangle(size, 0, 0, 2, min(5, size))]
    beside = (size + 1, 2 * size - 2)  # the cells diagonally beside the corners
    return [(*edge, *beside), *rows, *_diagonals(size), *corners]


def _rows(size: int) -> list[Cells]:
    """Down to the middle."""
    return [grid.rectangle(size, row, 0, 1, size) for row in range(size // 2)]


def _diagonals(size: int) -> list[Cells]:
    """From the longest on."""
    return [_diagonal(size, length) for length in range(size, SHORTEST - 1, -1)]


def _diagonal(size: int, length: int) -> Cells:
    """The diagonal of that length that goes down to the right from the top row."""
    return tuple((size + 1) * step + size - length for step in range(length))

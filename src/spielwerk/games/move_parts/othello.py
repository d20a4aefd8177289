"""Othello: the column and the row of a disc; neither, who passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.boards.othello import CELLS, SIZE
from spielwerk.kernel.bits import shift_right

NAMES = ("column", "row")
RULES = (
    "a column and a row, or neither",
    "only who cannot place a disc passes",
    "a disc is placed on a free cell",
    "a disc encloses others",
)
BOTH, PASSES, FREE, ENCLOSES = range(len(RULES))


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """The columns and the rows, and none."""
    return constants["SIZE"] + 1, constants["SIZE"] + 1


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    if action != CELLS:
        values[0] = action % SIZE
        values[1] = action // SIZE


def broken(state, values):
    """See `games/move_parts/__init__.py`."""
    column, row = values[0], values[1]
    if (column == SIZE) != (row == SIZE):
        return BOTH
    if column == SIZE:
        return PASSES if state[3] != 0 else -1
    cell = row * SIZE + column
    if shift_right(state[1] | state[2], cell) & 1:
        return FREE
    return -1 if shift_right(state[3], cell) & 1 else ENCLOSES

"""What networks see of Othello that are to find its rules by themselves: the discs, and not where one may be placed."""

from __future__ import annotations

from typing import Any

from spielwerk.kernel.bits import shift_right
from spielwerk.kernel.specialise import unbound

CELLS: int = unbound("CELLS")


def bits_shape(constants: dict[str, Any]) -> tuple[int, int, int]:
    """Three planes."""
    return 3, constants["SIZE"], constants["SIZE"]


def bits(state, player, out):
    """Planes: own discs, the other's, free cells."""
    for cell in range(CELLS):
        mine, theirs = shift_right(state[1 + player], cell) & 1, shift_right(state[2 - player], cell) & 1
        out[cell] = mine
        out[CELLS + cell] = theirs
        out[2 * CELLS + cell] = 1 - mine - theirs

"""What networks see of Othello besides the discs.

`tactics` adds planes that a player reads off the board: where each side may place, what that flips and which replies
it leaves, which discs can be flipped now, are exposed or can never be flipped again, and where the number of empty
cells is odd. `bits` is for networks that are to find the rules by themselves: the discs, and not where one may be
placed.
"""

from __future__ import annotations

from typing import Any

from spielwerk.games.boards.othello import (
    BOARD,
    CELLS,
    CORNERS,
    INNER,
    SIZE,
    against,
    along,
    beside,
    flipped,
    placements,
)
from spielwerk.kernel.bits import count, lowest, shift_left, shift_right, without_lowest

SIDE_PLANES = 8  # of `tactics` for each side
DISCS, FREE, FLIPS, REPLIES, CORNER, FLIPPABLE, EXPOSED, STABLE = range(SIDE_PLANES)
SHARED_PLANES = 3
ODD_REGIONS, ODD, TO_PLACE = (2 * SIDE_PLANES + plane for plane in range(SHARED_PLANES))
MANY_FLIPS, MANY_REPLIES = 4.0, 8.0  # by which counts are divided, so that most are from 0 to 1


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


def tactics_shape(constants: dict[str, Any]) -> tuple[int, int, int]:
    """The planes of both sides, and those that they share."""
    return 2 * SIDE_PLANES + SHARED_PLANES, constants["SIZE"], constants["SIZE"]


def tactics(state, player, out):
    """The planes of `player`, of the other; the cells of odd regions; filled: odd number of cells, who is to place."""
    own, other = state[1 + player], state[2 - player]
    empty = BOARD & ~(own | other)
    settled = full_lines(empty)
    write_side(own, other, empty, settled, out, 0)
    write_side(other, own, empty, settled, out, SIDE_PLANES)
    write(odd_regions(empty), out, ODD_REGIONS)
    write(BOARD if count(empty) & 1 else 0, out, ODD)
    write(BOARD if state[0] == player else 0, out, TO_PLACE)


def write(cells, out, plane):
    """Writes a set of cells as a plane of 0 and 1."""
    for cell in range(CELLS):
        out[plane * CELLS + cell] = shift_right(cells, cell) & 1


def write_side(own, other, empty, settled, out, plane):
    """Writes the planes of the side that has `own`."""
    write(own, out, plane + DISCS)
    write(own & beside(empty), out, plane + EXPOSED)
    write(stable(own, settled), out, plane + STABLE)
    for cell in range(CELLS):
        for counted in range(FREE, FLIPPABLE):
            out[(plane + counted) * CELLS + cell] = 0.0
    left, flippable = placements(own, other), 0
    while left != 0:
        cell = lowest(left)
        left = without_lowest(left)
        flips = flipped(shift_left(1, cell), own, other)
        flippable |= flips
        replies = placements(other ^ flips, own | flips | shift_left(1, cell))
        out[(plane + FREE) * CELLS + cell] = 1.0
        out[(plane + FLIPS) * CELLS + cell] = count(flips) / MANY_FLIPS
        out[(plane + REPLIES) * CELLS + cell] = count(replies) / MANY_REPLIES
        out[(plane + CORNER) * CELLS + cell] = 1.0 if replies & CORNERS != 0 else 0.0
    write(flippable, out, plane + FLIPPABLE)


def full_lines(empty):
    """The cells whose rows, whose columns and whose diagonals, rising and falling, have no empty cell."""
    across, down, falling, rising = empty, empty, empty, empty
    for _ in range(SIZE - 1):
        across |= along(across, 1)
        down |= shift_left(down, SIZE) | shift_right(down, SIZE)
        falling |= along(falling, SIZE + 1)
        rising |= against(rising, SIZE - 1)
    return BOARD & ~across, BOARD & ~down, BOARD & ~falling, BOARD & ~rising


def stable(own, settled):
    """Discs that nobody can flip: along each of the four axes the line is full, ends there, or meets such a disc."""
    across, down, falling, rising = settled
    sides = BOARD & ~INNER
    ends = BOARD & ~(shift_left(BOARD, SIZE) & shift_right(BOARD, SIZE))
    found = 0
    for _ in range(CELLS):
        held = across | sides | along(found, 1)
        held &= down | ends | shift_left(found, SIZE) | shift_right(found, SIZE)
        held &= falling | sides | ends | along(found, SIZE + 1)
        held &= rising | sides | ends | against(found, SIZE - 1)
        if own & held == found:
            break
        found = own & held
    return found


def odd_regions(empty):
    """The cells of the regions, joined by sides or corners, that have an odd number of empty cells."""
    odd = 0
    while empty != 0:
        region, grown = 0, shift_left(1, lowest(empty))
        while grown != region:
            region = grown
            grown = beside(region) & empty
        empty &= ~region
        odd |= region if count(region) & 1 else 0
    return odd

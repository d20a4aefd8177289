"""The last four empty cells of an Othello game, without a stack: most of a search's time is spent here.

Each function answers one question: is the value (the lead in discs at the end, for the side to place) above `low`? What
it returns is on the right side of `low`, and the value itself where no cut-off came before. `around` is [CELLS]: the
cells beside each cell.
"""

from spielwerk.games.boards.othello import BOARD, CELLS, SIZE, flipped
from spielwerk.kernel.bits import count, lowest, shift_left, without_lowest
from spielwerk.kernel.specialise import unbound

QUADRANTS: tuple[int, int, int, int] = unbound("QUADRANTS")  # the quarters of the board, as sets of cells
NONE = -128  # below every lead: there is no placement


def flips_at(cell, own, other, around):
    """What a disc on `cell` would flip; most cells are ruled out by their neighbours."""
    return flipped(shift_left(1, cell), own, other) if around[cell] & other != 0 else 0


def lead(own, other):
    """The lead in discs."""
    return count(own) - count(other)


def last_one(own, other, a, around):
    """The value with one empty cell."""
    flips = flips_at(a, own, other, around)
    if flips != 0:
        return lead(own, other) + 1 + 2 * count(flips)
    flips = flips_at(a, other, own, around)
    if flips != 0:
        return lead(own, other) - 1 - 2 * count(flips)
    return lead(own, other)


def last_two(own, other, low, a, b, around):
    """Two empty cells."""
    best = best_of_two(own, other, low, a, b, around)
    if best != NONE:
        return best
    best = best_of_two(other, own, -low - 1, a, b, around)
    return -best if best != NONE else lead(own, other)


def best_of_two(own, other, low, a, b, around):
    """The best placement, or NONE."""
    best = NONE
    flips = flips_at(a, own, other, around)
    if flips != 0:
        best = -last_one(other ^ flips, own | flips | shift_left(1, a), b, around)
        if best > low:
            return best
    flips = flips_at(b, own, other, around)
    if flips != 0:
        best = max(best, -last_one(other ^ flips, own | flips | shift_left(1, b), a, around))
    return best


def last_three(own, other, low, a, b, c, around):
    """Three empty cells, tried in this order."""
    best = best_of_three(own, other, low, a, b, c, around)
    if best != NONE:
        return best
    best = best_of_three(other, own, -low - 1, a, b, c, around)
    return -best if best != NONE else lead(own, other)


def best_of_three(own, other, low, a, b, c, around):
    """The best placement, or NONE."""
    best = NONE
    flips = flips_at(a, own, other, around)
    if flips != 0:
        best = -last_two(other ^ flips, own | flips | shift_left(1, a), -low - 1, b, c, around)
        if best > low:
            return best
    flips = flips_at(b, own, other, around)
    if flips != 0:
        best = max(best, -last_two(other ^ flips, own | flips | shift_left(1, b), -low - 1, a, c, around))
        if best > low:
            return best
    flips = flips_at(c, own, other, around)
    if flips != 0:
        best = max(best, -last_two(other ^ flips, own | flips | shift_left(1, c), -low - 1, a, b, around))
    return best


def last_four(own, other, low, around):
    """Four empty cells: those first that are alone in their quadrant, then those of one quadrant together."""
    empty = BOARD & ~(own | other)
    alone = odd_cells(empty)
    a = lowest(alone if alone != 0 else empty)
    empty ^= shift_left(1, a)
    beside = empty & (alone if alone & empty != 0 else quadrant(a))
    b = lowest(beside if beside != 0 else empty)
    empty ^= shift_left(1, b)
    c = lowest(empty)
    d = lowest(without_lowest(empty))
    best = best_of_four(own, other, low, a, b, c, d, around)
    if best != NONE:
        return best
    best = best_of_four(other, own, -low - 1, a, b, c, d, around)
    return -best if best != NONE else lead(own, other)


def best_of_four(own, other, low, a, b, c, d, around):
    """The best placement, or NONE."""
    best = NONE
    flips = flips_at(a, own, other, around)
    if flips != 0:
        best = -last_three(other ^ flips, own | flips | shift_left(1, a), -low - 1, b, c, d, around)
        if best > low:
            return best
    flips = flips_at(b, own, other, around)
    if flips != 0:
        best = max(best, -last_three(other ^ flips, own | flips | shift_left(1, b), -low - 1, a, c, d, around))
        if best > low:
            return best
    flips = flips_at(c, own, other, around)
    if flips != 0:
        best = max(best, -last_three(other ^ flips, own | flips | shift_left(1, c), -low - 1, d, a, b, around))
        if best > low:
            return best
    flips = flips_at(d, own, other, around)
    if flips != 0:
        best = max(best, -last_three(other ^ flips, own | flips | shift_left(1, d), -low - 1, c, a, b, around))
    return best


def odd_cells(empty):
    """The empty cells of the quadrants that hold an odd number of them: who places there often places last there."""
    odd = 0
    for i in range(4):
        cells = empty & QUADRANTS[i]
        odd |= cells if count(cells) & 1 else 0
    return odd


def quadrant(cell):
    """The quadrant of a cell."""
    return QUADRANTS[(2 if cell >= CELLS // 2 else 0) + (1 if cell % SIZE >= SIZE // 2 else 0)]

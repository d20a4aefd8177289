"""The board of Othello as sets of cells: where a disc may be placed, and what it encloses."""

from spielwerk.kernel.bits import shift_left, shift_right
from spielwerk.kernel.specialise import unbound

SIZE: int = unbound("SIZE")
CELLS: int = unbound("CELLS")  # and the action that passes
BOARD: int = unbound("BOARD")  # every cell
INNER: int = unbound("INNER")  # every cell but the first and the last column
CORNERS: int = unbound("CORNERS")  # the four of them


def placements(own, other):
    """The empty cells from which a disc of `own` encloses some of `other`."""
    # A run that stays off the outer columns cannot leave the board sideways.
    inner = other & INNER
    ends = reached(own, inner, 1) | reached(own, other, SIZE)
    ends |= reached(own, inner, SIZE - 1) | reached(own, inner, SIZE + 1)
    return ends & BOARD & ~(own | other)


def reached(own, other, step):
    """The cells just behind all runs of `other` that begin beside `own`, along one axis."""
    return shift_left(run_up(own, other, step), step) | shift_right(run_down(own, other, step), step)


def flipped(disc, own, other):
    """The discs of `other` that a new disc of `own` encloses."""
    inner = other & INNER
    flips = enclosed(disc, own, inner, 1) | enclosed(disc, own, other, SIZE)
    return flips | enclosed(disc, own, inner, SIZE - 1) | enclosed(disc, own, inner, SIZE + 1)


def enclosed(disc, own, other, step):
    """The discs of `other` between the disc and `own`, along one axis."""
    up = run_up(disc, other, step)
    down = run_down(disc, other, step)
    flips = up if shift_left(up, step) & own != 0 else 0
    return flips | (down if shift_right(down, step) & own != 0 else 0)


def run_up(cells, through, step):
    """The runs of `through`, up to six long, that begin one step above `cells`."""
    run = through & shift_left(cells, step)
    run |= through & shift_left(run, step)
    pairs = through & shift_left(through, step)
    run |= pairs & shift_left(run, 2 * step)
    return run | pairs & shift_left(run, 2 * step)


def run_down(cells, through, step):
    """The runs of `through`, up to six long, that begin one step below `cells`."""
    run = through & shift_right(cells, step)
    run |= through & shift_right(run, step)
    pairs = through & shift_right(through, step)
    run |= pairs & shift_right(run, 2 * step)
    return run | pairs & shift_right(run, 2 * step)


def beside(cells):
    """The cells, and all that touch one of them; perhaps also some below the last row of a small board."""
    row = cells | along(cells, 1)
    return row | shift_left(row, SIZE) | shift_right(row, SIZE)


def along(cells, step):
    """The cells a step to either side of `cells`, where up the word is one column further."""
    not_first, not_last = INNER | shift_left(INNER, 1), INNER | shift_right(INNER, 1)
    return (shift_left(cells, step) & not_first) | (shift_right(cells, step) & not_last)


def against(cells, step):
    """The same where up the word is one column back."""
    not_first, not_last = INNER | shift_left(INNER, 1), INNER | shift_right(INNER, 1)
    return (shift_left(cells, step) & not_last) | (shift_right(cells, step) & not_first)

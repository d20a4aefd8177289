"""What an Othello position is worth: mobility, corners and the cells beside them, frontier, and late the discs."""

from spielwerk.games.boards.othello import BOARD, CELLS, SIZE, beside, placements
from spielwerk.games.othello import BY_DISCS
from spielwerk.kernel.bits import count, shift_right

MOBILITY, FRONTIER, CORNERS, BESIDE, ACROSS = 1.2, 0.5, 0.55, 0.12, 0.3
DISCS = 2.0  # of a full board; the fewer cells are empty, the more discs count
SPREAD = 0.5  # how far the discs of decided games lie apart, as a share of the board


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    who = state[0]
    own = state[1 + who]
    other = state[2 - who]
    empty = BOARD & ~(own | other)
    worth = MOBILITY * share(count(state[3]), count(placements(other, own)))
    edge = beside(empty)
    worth += FRONTIER * share(count(other & edge), count(own & edge))
    worth += corners(own, empty) - corners(other, empty)
    full = 1.0 - count(empty) / CELLS
    worth += DISCS * full * full * full * full * share(count(own), count(other))
    value = worth / (1.0 + abs(worth))
    if BY_DISCS:
        value *= SPREAD
    return value if player == who else 0.0 - value


def share(mine, theirs):
    """By how much of both together `mine` exceed `theirs`; with few of them less certain."""
    return (mine - theirs) / (mine + theirs + 2.0)


def corners(own, empty):
    """Corners count for their owner; the cells around an empty corner count against whoever holds them."""
    worth = 0.0
    for corner in range(4):
        at = corner % 2 * (SIZE - 1) + corner // 2 * SIZE * (SIZE - 1)
        aside = 1 - corner % 2 * 2
        along = SIZE * (1 - corner // 2 * 2)
        if shift_right(own, at) & 1:
            worth += CORNERS
        elif shift_right(empty, at) & 1:
            next_to = (shift_right(own, at + aside) & 1) + (shift_right(own, at + along) & 1)
            worth -= BESIDE * next_to + ACROSS * (shift_right(own, at + aside + along) & 1)
    return worth

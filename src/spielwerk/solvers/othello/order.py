"""Which placement to try first: a good guess cuts the search short, and few replies keep it small."""

from spielwerk.games.boards.othello import BOARD, CORNERS, beside, flipped, placements
from spielwerk.kernel.bits import count, lowest, shift_left, without_lowest

LOOK_AHEAD = 12  # empty cells from which on it pays to look at each reply
HELD, MOBILITY, REPLIES = 8, 2, 3  # what a corner, a placement, and a reply that must be searched weigh
FIRST, WORST = -(1 << 20), 1 << 20  # beyond every rank


def rank(own, other, empty):
    """The rank of a placement that leads to this position of the other side, with so many empty cells: low is good."""
    replies = placements(own, other)
    if empty < LOOK_AHEAD:
        return count(replies) + count(replies & CORNERS)
    if replies == 0:
        return -outlook(other, own)
    weight = REPLIES * count(replies)
    best = -WORST
    while replies != 0:
        disc = shift_left(1, lowest(replies))
        replies = without_lowest(replies)
        flips = flipped(disc, own, other)
        best = max(best, -outlook(other ^ flips, own | flips | disc))
    return best + weight


def outlook(own, other):
    """How a position looks for the side to place: corners, mobility, and discs that touch no empty cell."""
    mine = placements(own, other)
    theirs = placements(other, own)
    edge = beside(BOARD & ~(own | other))
    worth = HELD * (count(own & CORNERS) - count(other & CORNERS))
    worth += MOBILITY * (count(mine) + count(mine & CORNERS) - count(theirs) - count(theirs & CORNERS))
    return worth + count(other & edge) - count(own & edge)

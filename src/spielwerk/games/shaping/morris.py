"""What a shaped reward of morris can be made of, all of it counted on the board alone.

mills: lines of three own men. openings: lines of two own men and a free point. blocks: lines of one own man and two of
the opponent. places: the neighbours of the points of all own men, divided by 4.
"""

from __future__ import annotations

from spielwerk.games.morris import MEN, MILLS, NEIGHBOURS
from spielwerk.kernel.bits import count, lowest

TERMS = ("mills", "openings", "blocks", "places")
MOST_NEIGHBOURS = 4  # of a point


def write_terms(state, player, out):
    """See `games/shaping/__init__.py`."""
    own, other = state[MEN + player], state[MEN + 1 - player]
    mills, openings, blocks = 0, 0, 0
    for i in range(MILLS.shape[0]):
        mine, theirs = count(own & MILLS[i]), count(other & MILLS[i])
        if mine == 3:
            mills += 1
        elif mine == 2 and theirs == 0:
            openings += 1
        elif mine == 1 and theirs == 2:
            blocks += 1
    neighbours = 0
    while own != 0:
        neighbours += count(NEIGHBOURS[lowest(own)])
        own &= own - 1
    out[0] = mills
    out[1] = openings
    out[2] = blocks
    out[3] = neighbours / MOST_NEIGHBOURS

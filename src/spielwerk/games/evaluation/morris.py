"""What a morris position is worth: lines of three, mills that can be closed next, mobility, men.

Everything is counted for the player to move and for the other one, and weighted by phase. The weights are those that
come nearest, by least squares, to the exact values of the positions after every turn in half of the judged positions
(see `docs/grade.md`); they serve all variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.morris import ALL, DUE, HAND, JUMPING, MEN, NEIGHBOURS, STATUS
from spielwerk.kernel.bits import count, lowest

if TYPE_CHECKING:
    from spielwerk.games.game import Game

# Each row: placing, moving, jumping (nobody has men in hand, and at least one player may jump).
LINES = {  # by the mover's and the other's men on a line
    (0, 2): (-0.007, -0.008, -0.024),
    (0, 3): (-0.004, -0.099, -0.098),
    (1, 1): (-0.010, 0.004, -0.027),
    (1, 2): (0.211, 0.081, -0.046),
    (2, 0): (-0.082, 0.054, -0.016),
    (2, 1): (-0.185, -0.053, -0.153),
    (3, 0): (-0.125, 0.191, 0.068),
}
SIDES = {  # for the mover, and for the other player
    "men on the board": ((0.298, 0.211, 0.142), (-0.297, -0.112, -0.170)),
    "men in hand": ((0.490, 0.000, 0.000), (-0.524, 0.000, 0.000)),
    "slides": ((0.046, -0.002, 0.017), (-0.037, 0.013, -0.014)),
    "men that cannot slide": ((-0.028, -0.053, 0.000), (0.026, 0.074, -0.007)),
    "roads from its points": ((0.061, 0.008, -0.006), (-0.065, -0.036, 0.005)),
    "mills to close next": ((0.443, 0.374, 0.507), (-0.078, -0.412, -0.176)),
    "several of them": ((-0.133, -0.221, -0.597), (-0.258, 0.269, -0.070)),
    "may jump": ((0.000, 0.000, 0.445), (0.000, 0.000, 0.319)),
}
EVEN = (0.406, -0.251, -0.056)  # what the right to move is worth
SIDE, OTHER, START, PHASE = 16, 16 + len(SIDES), 16 + 2 * len(SIDES), 17 + 2 * len(SIDES)  # places in a phase's weights


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    worth = outlook(state, data)
    value = worth / (1.0 + abs(worth))
    return value if player == state[STATUS] else 0.0 - value


def outlook(state, data):
    """What speaks for the mover, without bounds."""
    who = state[STATUS]
    own, other = state[MEN + who], state[MEN + 1 - who]
    own_hand, other_hand = state[HAND + who], state[HAND + 1 - who]
    own_jumps = JUMPING and own_hand == 0 and count(own) == 3
    other_jumps = JUMPING and other_hand == 0 and count(other) == 3
    at = PHASE * (0 if own_hand + other_hand > 0 else 2 if own_jumps or other_jumps else 1)
    free = ALL & ~(own | other)
    worth = data[at + START]
    own_closing, other_closing = 0, 0
    for i in range(3 * PHASE, data.shape[0]):
        line = int(data[i])
        mine, theirs = own & line, other & line
        worth += data[at + 4 * count(mine) + count(theirs)]
        gap = free & line
        if gap != 0 and gap & (gap - 1) == 0:
            if theirs == 0 and (own_hand > 0 or own_jumps or beside(gap, own & ~line)):
                own_closing |= gap
            elif mine == 0 and (other_hand > 0 or other_jumps or beside(gap, other & ~line)):
                other_closing |= gap
    worth += side(own, own_hand, free, own_jumps, own_closing, at + SIDE, data)
    return worth + side(other, other_hand - state[DUE], free, other_jumps, other_closing, at + OTHER, data)


def beside(gap, men):
    """Whether one of the men can slide into the gap."""
    return NEIGHBOURS[lowest(gap)] & men != 0


def side(own, hand, free, jumps, closing, at, data):
    """What speaks for or against one player, apart from its lines."""
    worth = data[at] * count(own) + data[at + 1] * hand
    slides = 0
    stuck = 0
    roads = 0
    while own != 0:
        around = NEIGHBOURS[lowest(own)]
        ways = count(around & free)
        slides += ways
        stuck += 1 if ways == 0 else 0
        roads += count(around)
        own &= own - 1
    mills = count(closing)
    worth += data[at + 2] * slides + data[at + 3] * stuck + data[at + 4] * roads + data[at + 5] * mills
    if mills > 1:
        worth += data[at + 6]
    if jumps:
        worth += data[at + 7]
    return worth


def data(game: Game) -> np.ndarray:
    """The weights of the three phases, one after the other, and the lines of the board, a bit each point."""
    weights = np.zeros((3, PHASE))
    for (mine, theirs), row in LINES.items():
        weights[:, 4 * mine + theirs] = row
    for i, (own, other) in enumerate(SIDES.values()):
        weights[:, SIDE + i], weights[:, OTHER + i] = own, other
    weights[:, START] = EVEN
    pairs = enumerate(game.constants["PARTNERS"].tolist())
    lines = {1 << point | pair for point, row in pairs for pair in row if pair & game.constants["ALL"]}
    return np.array([*weights.ravel(), *sorted(lines)])

"""What networks see of morris besides the men: how each line is filled, where mills can be closed, who can move.

`tactics` writes the class of the position (placing, moving, jumping), the men of both sides, for every line which of
its 27 fillings it has, for both sides the points where they could close a mill next, and some counts. `points` writes
planes over the points, for networks that follow the lines of the board. `bits` tells the position and nothing of the
rules, for networks that are to find those by themselves.
"""

from __future__ import annotations

from typing import Any

from spielwerk.kernel.bits import count, lowest
from spielwerk.kernel.specialise import unbound

CLASSES = ("placing", "moving", "jumping")
STATUS, MEN, HAND, DUE = 0, 1, 3, 5  # where the words are
PLANES = 11  # of `points`
FILLINGS = 27  # of a line: each of its three points is empty, own or the other's
COUNTS = 5  # numbers a side: men in hand, on the board, slides, men that cannot slide, mills to close next
POINTS: int = unbound("POINTS")
ALL: int = unbound("ALL")
ALLOTTED: int = unbound("ALLOTTED")
JUMPING: bool = unbound("JUMPING")
NEIGHBOURS: Any = unbound("NEIGHBOURS")
MILLS: Any = unbound("MILLS")


def shape(constants: dict[str, Any]) -> tuple[int]:
    """How many numbers a variant has."""
    points, lines = constants["POINTS"], len(constants["MILLS"])
    return (len(CLASSES) + FILLINGS * lines + 4 * points + 2 * COUNTS + 1,)


def planes_shape(constants: dict[str, Any]) -> tuple[int, int]:
    """The planes of `points`, and their points."""
    return PLANES, constants["POINTS"]


def bits_shape(constants: dict[str, Any]) -> tuple[int]:
    """How many bits a variant has."""
    return (3 * constants["POINTS"] + 2 * constants["ALLOTTED"],)


def tactics(state, player, out):
    """The class, lines, men and closing points, counts, `player`'s first; whether it has to take a man."""
    own, other = state[MEN + player], state[MEN + 1 - player]
    own_hand, other_hand = state[HAND + player], state[HAND + 1 - player]
    own_jumps, other_jumps = jumps(own, own_hand), jumps(other, other_hand)
    kind = 0 if own_hand + other_hand > 0 else (2 if own_jumps or other_jumps else 1)
    for k in range(3):
        out[k] = 1.0 if k == kind else 0.0
    at = 3
    own_closing, other_closing = 0, 0
    free = ALL & ~(own | other)
    for i in range(MILLS.shape[0]):
        line = MILLS[i]
        write_filling(own, other, line, out, at + FILLINGS * i)
        gap = free & line
        if gap != 0 and gap & (gap - 1) == 0:
            if other & line == 0 and (own_hand > 0 or own_jumps or beside(gap, own & ~line)):
                own_closing |= gap
            elif own & line == 0 and (other_hand > 0 or other_jumps or beside(gap, other & ~line)):
                other_closing |= gap
    at += FILLINGS * MILLS.shape[0]
    for point in range(POINTS):
        out[at + point] = own >> point & 1
        out[at + POINTS + point] = other >> point & 1
        out[at + 2 * POINTS + point] = own_closing >> point & 1
        out[at + 3 * POINTS + point] = other_closing >> point & 1
    at += 4 * POINTS
    write_counts(own, own_hand, free, own_closing, out, at)
    write_counts(other, other_hand, free, other_closing, out, at + COUNTS)
    out[at + 2 * COUNTS] = 1.0 if state[DUE] != 0 and state[STATUS] == player else 0.0


def jumps(men, hand):
    """Whether a player with these men may jump."""
    return JUMPING and hand == 0 and count(men) == 3


def beside(gap, men):
    """Whether one of the men can slide into the gap."""
    return NEIGHBOURS[lowest(gap)] & men != 0


def write_filling(own, other, line, out, at):
    """Writes a 1 for the filling of a line."""
    filling = 0
    while line != 0:
        point = line & -line
        filling = 3 * filling + (1 if own & point else (2 if other & point else 0))
        line &= line - 1
    for k in range(FILLINGS):
        out[at + k] = 1.0 if k == filling else 0.0


def write_counts(men, hand, free, closing, out, at):
    """Writes the counts of one side."""
    slides, stuck = 0, 0
    out[at] = hand / ALLOTTED
    out[at + 1] = count(men) / ALLOTTED
    while men != 0:
        ways = count(NEIGHBOURS[lowest(men)] & free)
        slides += ways
        stuck += 1 if ways == 0 else 0
        men &= men - 1
    out[at + 2] = slides / 12
    out[at + 3] = stuck / ALLOTTED
    out[at + 4] = count(closing) / 4


def points(state, player, out):
    """Planes: own men, the other's; filled: men in hand, who places, moves, jumps (`player` first), a man to take."""
    for side in range(2):
        who = player if side == 0 else 1 - player
        men, hand = state[MEN + who], state[HAND + who]
        for point in range(POINTS):
            out[side * POINTS + point] = men >> point & 1
        phase = 0 if hand > 0 else (2 if jumps(men, hand) else 1)
        fill(out, 2 + side, hand / ALLOTTED)
        for k in range(3):
            fill(out, 4 + 3 * side + k, 1.0 if k == phase else 0.0)
    fill(out, 10, 1.0 if state[DUE] != 0 and state[STATUS] == player else 0.0)


def fill(out, plane, value):
    """Writes one value to all points of a plane."""
    for point in range(POINTS):
        out[plane * POINTS + point] = value


def bits(state, player, out):
    """Own men, the other's, free points; then a bit for each man in `player`'s hand, and in the other's."""
    own, other = state[MEN + player], state[MEN + 1 - player]
    for point in range(POINTS):
        mine, theirs = own >> point & 1, other >> point & 1
        out[point] = mine
        out[POINTS + point] = theirs
        out[2 * POINTS + point] = 1 - mine - theirs
    for side in range(2):
        hand = state[HAND + player] if side == 0 else state[HAND + 1 - player]
        for man in range(ALLOTTED):
            out[3 * POINTS + side * ALLOTTED + man] = 1.0 if man < hand else 0.0

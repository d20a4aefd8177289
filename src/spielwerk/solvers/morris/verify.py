"""The verifier, apart from the solver: each value must follow from those of the successors, by the rules alone.

It knows how positions are numbered, and nothing of how they were solved: it lists whole turns by the rules of the game.
"""

from typing import Any, NamedTuple

from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.rules import OVER, WORDS, mover, moves, play
from spielwerk.kernel.bits import count
from spielwerk.solvers.morris.index import Maps, SectorShape, is_position, other_men, own_men, slot_of
from spielwerk.solvers.morris.retrograde import BLOCKED, FEWEST, NO_POSITION, WON_AT_ONCE


class Checking(NamedTuple):
    """What `check_slot` takes."""

    slots: Any  # to be checked
    values: Any
    plain: Any  # the values after turns without a taking
    taken: Any  # and with one
    sector: SectorShape
    plain_sector: SectorShape
    taken_sector: SectorShape
    hands: tuple[int, int]  # the men in hand of both
    maps: Maps
    found: Any  # int8: for each slot 1 checked, -1 wrong, 0 no position


def check_slot(i, work, actions, weights, results, arrays):
    """Row kernel: counts slot `slots[i]` as checked, or as wrong where its value is not what its turns make of it."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    slot = at.slots[i]
    own = own_men(slot, sector, maps)
    other = other_men(slot, own, sector, maps)
    value = at.values[slot]
    if not is_position(slot, own, other, sector, maps):
        at.found[i] = 0 if value == NO_POSITION else -1
        return
    begin(work, own, other, at.hands)
    best = NO_POSITION
    n = moves(work, actions)
    if n == 0:
        best = BLOCKED
    for first in range(n):
        begin(work, own, other, at.hands)
        play(work, actions[first])
        if work[DUE] == 0:
            best = chosen(best, code_of(work, at.plain, at.plain_sector, maps))
        else:
            takings = moves(work, weights)
            for second in range(takings):
                begin(work, own, other, at.hands)
                play(work, actions[first])
                play(work, weights[second])
                best = chosen(best, code_of(work, at.taken, at.taken_sector, maps))
    at.found[i] = 1 if best == value else -1


def begin(state, own, other, hands):
    """Writes the position in which player 0 has `own` and is to move."""
    for word in range(WORDS):
        state[word] = 0
    state[MEN] = own
    state[MEN + 1] = other
    state[HAND] = hands[0]
    state[HAND + 1] = hands[1]


def code_of(state, values, sector, maps):
    """The value of a position with player 1 to move, or the one of a game that is over."""
    if mover(state) == OVER:
        return BLOCKED
    if state[HAND + 1] == 0 and count(state[MEN]) + state[HAND] < FEWEST:
        return WON_AT_ONCE  # player 0 has lost as soon as it is to move
    return values[slot_of(state[MEN + 1], state[MEN], sector, maps)]


def chosen(best, after):
    """What the mover makes of one more turn, which leads to `after` for the other side: the larger `rank` counts."""
    mine = 0 if after == 0 else after + 1
    return mine if best == NO_POSITION or rank(mine) > rank(best) else best


def rank(code):
    """Orders values for the player who has them: losses, the latest last, then draws, then wins, the soonest last."""
    if code == 0:
        return 0
    return NO_POSITION - code if code & 1 == 0 else code - NO_POSITION

"""Morris: where a man goes to, from where it comes (none: from the hand), and which man is removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.morris import (
    DUE,
    EARLY,
    HAND,
    JUMPING,
    MEN,
    NEIGHBOURS,
    POINTS,
    STATUS,
    in_mill,
    phase,
    takeable,
)
from spielwerk.kernel.bits import count

NAMES = ("to", "from", "remove")
TO, FROM, REMOVE = 0, 1, 2
ACTIONS_A_MOVE = 2
ALWAYS = ("to",)
PHASES = ("placing", "moving", "jumping")
RULES = (
    "a man goes to a free point",
    "men come from the hand as long as there are any, and then from the board",
    "only own men are moved",
    "a man slides to a point beside its own",
    "who closes a mill takes a man",
    "only who closes a mill takes a man",
    "only men of the opponent are taken",
    "men in mills are safe as long as there are others",
)
FREE, HAND_FIRST, OWN, BESIDE, TAKES, CLOSED, OTHERS, SAFE = range(len(RULES))


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """All points, and none."""
    return (constants["POINTS"] + 1,) * 3


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    if state[DUE] != 0:
        values[REMOVE] = action - POINTS * POINTS
    else:
        values[TO] = action % POINTS
        values[FROM] = action // POINTS


def phase_of(state):
    """See `games/move_parts/__init__.py`."""
    return phase(state, state[STATUS])


def broken(state, values):
    """See `games/move_parts/__init__.py`."""
    who = state[STATUS]
    own, other = state[MEN + who], state[MEN + 1 - who]
    to, source = values[TO], values[FROM]
    if to == POINTS or (own | other) >> to & 1:
        return FREE
    if source == POINTS:
        if state[HAND + who] == 0:
            return HAND_FIRST
        return broken_taking(own | 1 << to, other, to, values[REMOVE])
    if state[HAND + who] > 0 and not EARLY:
        return HAND_FIRST
    if own >> source & 1 == 0:
        return OWN
    jumping = JUMPING and state[HAND + who] == 0 and count(own) == 3
    if not jumping and NEIGHBOURS[source] >> to & 1 == 0:
        return BESIDE
    return broken_taking(own ^ (1 << source | 1 << to), other, to, values[REMOVE])


def broken_taking(own, other, to, taken):
    """What is wrong with the man that is taken after a move to a point."""
    closed = in_mill(own, to) and other != 0
    if taken == POINTS:
        return TAKES if closed else -1
    if not closed:
        return CLOSED
    if other >> taken & 1 == 0:
        return OTHERS
    return -1 if takeable(other) >> taken & 1 else SAFE

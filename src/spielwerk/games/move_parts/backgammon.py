"""Backgammon: where the first and the second checker come from (24 the bar, 25 none), and which die goes first.

A double is two such moves, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.backgammon import NONE, is_smallest
from spielwerk.games.boards.backgammon import BAR, POINTS, across, after, made, occupied, origins, planes_of
from spielwerk.kernel.bits import lowest

NAMES = ("first", "second", "die")
ORIGINS, DICE = 26, 2
RULES = (
    "one of the dice goes first",
    "a second checker moves after a first",
    "a checker moves from where one stands",
    "checkers on the bar enter first",
    "a checker does not land where the other player has two",
    "checkers are borne off once all are home, by their own die or from the rear",
    "both dice are played where that is possible, or else the larger",
    "of two ways to the same position only the first has a number",
)
DIE, AFTER, STANDS, ENTERS, LANDS, HOME, PLAYED, WAYS = range(len(RULES))


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """Places and none; the larger or the smaller die."""
    return ORIGINS, ORIGINS, DICE + 1


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    values[0] = action // (ORIGINS * DICE)
    values[1] = action // DICE % ORIGINS
    values[2] = action % DICE


def broken(state, values):
    """See `games/move_parts/__init__.py`."""
    first, second, order = int(values[0]), int(values[1]), int(values[2])
    if order == DICE:
        return DIE
    if first == NONE:
        return idle(state, order) if second == NONE else AFTER
    planes = planes_of(state[0])
    own, free = occupied(state, planes), open_points(state)
    rule = misstep(own, free, first, state[2 + order])
    if rule >= 0 or second == NONE:
        return rule if rule >= 0 else alone(state, order)
    then = after(own, own & ~made(state, planes), first, state[2 + order])
    rule = misstep(then, free, second, state[3 - order])
    return rule if rule >= 0 else roundabout(state, first, second, order)


def open_points(state):
    """The points where the mover may land."""
    return POINTS & ~across(made(state, planes_of(1 - state[0])))


def misstep(own, free, place, die):
    """The rule that a step of one checker breaks; -1 where it can be made."""
    if (origins(own, free, die) >> place) & 1:
        return -1
    if (own >> place) & 1 == 0:
        return STANDS
    if own >> BAR and place != BAR:
        return ENTERS
    return LANDS if place >= die else HOME


def idle(state, order):
    """Whether no checker can move; then the larger die is named."""
    own, free = occupied(state, planes_of(state[0])), open_points(state)
    if origins(own, free, state[2]) | origins(own, free, state[3]):
        return PLAYED
    return -1 if order == 0 else WAYS


def alone(state, order):
    """Whether one checker that can move may be the only one."""
    own, free = occupied(state, planes_of(state[0])), open_points(state)
    if both_possible(state, 0) or both_possible(state, 1):
        return PLAYED
    if order == 0 or origins(own, free, state[2]) == 0:
        return -1
    return WAYS if state[2] == state[3] else PLAYED


def both_possible(state, order):
    """Whether both dice can be played in this order."""
    planes = planes_of(state[0])
    own, free = occupied(state, planes), open_points(state)
    firsts = origins(own, free, state[2 + order])
    while firsts:
        then = after(own, own & ~made(state, planes), lowest(firsts), state[2 + order])
        if origins(then, free, state[3 - order]):
            return True
        firsts &= firsts - 1
    return False


def roundabout(state, first, second, order):
    """Whether two steps that can be made are the first way to their position."""
    planes = planes_of(state[0])
    own, free, die = occupied(state, planes), open_points(state), state[2]
    single = own & ~made(state, planes)
    if die != state[3]:
        blots = across(occupied(state, planes_of(1 - state[0]))) & free
        larger, smaller = (first, second) if order == 0 else (second, first)
        return -1 if is_smallest(own, single, free, blots, die, state[3], larger, smaller, order) else WAYS
    if order == 1:
        return WAYS
    swapped = second < first and misstep(own, free, second, die) < 0
    return WAYS if swapped and misstep(after(own, single, second, die), free, first, die) < 0 else -1

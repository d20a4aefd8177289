"""What n-tuples see of backgammon: the points as the player counts them, bars, borne off, and the race.

Cells: each of the 24 points empty (0), with one, two, three or more own checkers (1, 2, 3) or as many of the other
player (4, 5, 6); then, for the player who looks and for the other one, the checkers on the bar (two or more taken
together), the checkers borne off, and the pips still to go, in groups; last, whether the sides can still meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.backgammon import (
    BAR,
    CHECKERS,
    PLANES,
    across,
    checkers_left,
    checkers_on,
    made,
    occupied,
    planes_of,
)
from spielwerk.games.cells import Cells, Layout
from spielwerk.kernel.bits import highest, lowest
from spielwerk.kernel.specialise import unbound

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("checkers",)
POINTS, MOST_ON_BAR, PIP_GROUPS = 24, 2, 24
OBSERVED = ("own", "other", "own_bar", "other_bar", "own_off", "other_off", "die1", "die2", "player")
NAMES = ("own_bar", "other_bar", "own_off", "other_off", "own_pips", "other_pips", "contact")
PIPS: int = unbound("PIPS")  # of one group


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    own_planes, other_planes = planes_of(player), planes_of(1 - player)
    own, other = occupied(state, own_planes), occupied(state, other_planes)
    own_two, other_two = made(state, own_planes), across(made(state, other_planes))
    own_three, other_three = three(state, own_planes), across(three(state, other_planes))
    other_one = across(other)
    for point in range(POINTS):
        mine = (own >> point & 1) + (own_two >> point & 1) + (own_three >> point & 1)
        theirs = (other_one >> point & 1) + (other_two >> point & 1) + (other_three >> point & 1)
        out[point] = mine + theirs + 3 if theirs else mine
    side(state, own_planes, out, POINTS)
    side(state, other_planes, out, POINTS + 1)
    meet = own != 0 and other != 0 and highest(own) + highest(other) >= POINTS
    out[POINTS + 6] = 1 if meet else 0


def three(state, planes):
    """The places with three checkers or more."""
    return state[planes] & state[planes + 1] | state[planes + 2] | state[planes + 3]


def side(state, planes, out, at):
    """Writes what is counted of one player into every second cell from `at` on."""
    out[at] = min(checkers_on(state, planes, BAR), MOST_ON_BAR)
    out[at + 2] = CHECKERS - checkers_left(state, planes)
    out[at + 4] = min((pips(state, planes) + PIPS - 1) // PIPS, PIP_GROUPS - 1)


def pips(state, planes):
    """How far all checkers together are from being borne off."""
    total = 0
    for digit in range(PLANES):
        left = state[planes + digit]
        while left != 0:
            total += lowest(left) + 1 << digit
            left &= left - 1
    return total


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a variant."""
    checkers = game.constants["CHECKERS"]
    values = (MOST_ON_BAR + 1,) * 2 + (checkers + 1,) * 2 + (PIP_GROUPS,) * 2 + (2,)
    beside = [tuple(p for p in (point - 1, point + 1) if 0 <= p < POINTS) for point in range(POINTS)]
    return Layout(
        coding=coding,
        values=(7,) * POINTS + values,
        neighbours=(*beside, *((),) * len(NAMES)),
        symmetries=np.arange(POINTS + len(NAMES)).reshape(1, -1),
        sets=(0, 0),
        tuples=_tuples(),
        cells=cells,
        bindings={"PIPS": 8 if checkers > 3 else 3},
        names=(*_points(), *NAMES),
    )


def _points() -> tuple[str, ...]:
    return tuple(f"p{point + 1}" for point in range(POINTS))


def observation_names(game: Game) -> tuple[str, ...]:
    """Nine planes of points; all but the first two hold one number, written 24 times."""
    return tuple(f"{plane} {point}" for plane in OBSERVED for point in _points())


def _tuples() -> dict[str, tuple[Cells, ...]]:
    """Every six neighbouring points; the homes with the bars that enter them and what is borne off; the race."""
    own_bar, other_bar, own_off, other_off, own_pips, other_pips, contact = range(POINTS, POINTS + len(NAMES))
    sixes = tuple(tuple(range(first, first + 6)) for first in range(POINTS - 5))
    counts = (
        (*range(18, 24), own_bar),
        (*range(6), other_bar),
        (*range(5), own_off),
        (*range(19, 24), other_off),
        (own_pips, other_pips, contact, own_bar, other_bar),
        (own_off, other_off, contact, own_bar, other_bar),
        (own_off, own_pips, other_off, other_pips),
    )
    return {"usual": sixes + counts, "sixes": sixes}

"""The phases of backgammon as players call them, each told from the position alone.

They are asked in this order, and the first that holds is the phase: bear-off and race (as `games/phases`), crashed (as
the networks' inputs), opening, back game, holding; what is left is contact.
"""

from __future__ import annotations

from collections.abc import Sequence

from spielwerk.games.face.backgammon import checkers
from spielwerk.games.observations.backgammon import CLASSES
from spielwerk.games.phases import backgammon as passed
from spielwerk.games.position import Position

OPENING, CONTACT, BACK_GAME, HOLDING, CRASHED = "opening", "contact", "back game", "holding", "crashed"
NAMES = (OPENING, CONTACT, BACK_GAME, HOLDING, CRASHED, "race", "bear-off")
START = {5: 5, 7: 3, 12: 5, 23: 2}  # place (the point less one) → checkers at the start
MOVED = 4  # checkers of a side that may have left where they began in an opening: about two turns
MIDPOINT, FAR_HOME = 12, range(18, 24)
FAR_BEHIND = 40  # pips, in a back game

Side = Sequence[int]  # checkers on the own points 1 to 24, then on the bar


def phase(position: Position) -> str:
    """The phase of a position in which somebody is to move."""
    beyond = passed.phase(position)
    if beyond != CONTACT:
        return beyond
    own, other = (checkers(position.words, player) for player in (position.mover, 1 - position.mover))
    if _crashed(position):
        return CRASHED
    if min(unmoved(own), unmoved(other)) >= sum(START.values()) - MOVED:
        return OPENING
    behind, ahead = sorted((own, other), key=pips, reverse=True)
    if len(anchors(behind)) >= 2 and pips(behind) - pips(ahead) >= FAR_BEHIND:
        return BACK_GAME
    return HOLDING if holds(behind, ahead) else CONTACT


def holds(behind: Side, ahead: Side) -> bool:
    """Whether a side that is behind in pips waits on one anchor or on its midpoint for others that have escaped.

    Escaped means that none of them is on the bar or in the home board of the side that waits.
    """
    waits = len(anchors(behind)) == 1 or behind[MIDPOINT] >= 2
    escaped = not any(ahead[place] for place in (*FAR_HOME, 24))
    return pips(behind) > pips(ahead) and waits and escaped


def pips(side: Side) -> int:
    """How far all checkers are from being borne off."""
    return sum(number * (place + 1) for place, number in enumerate(side))


def anchors(side: Side) -> list[int]:
    """The places in the other's home board with two checkers or more."""
    return [place for place in FAR_HOME if side[place] >= 2]


def unmoved(side: Side) -> int:
    """How many checkers stand where they began."""
    return sum(min(side[place], number) for place, number in START.items())


def _crashed(position: Position) -> bool:
    """Whether the networks' inputs call it crashed: a side has little left but checkers out of play."""
    seen = position.game.batch([position], threads=1).observe("expert")[0]
    return bool(seen[CLASSES.index(CRASHED)])

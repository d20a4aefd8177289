"""The phase of the game that a position belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from spielwerk.games.face.backgammon import checkers
from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.position import Position

THIRDS = ("opening", "middle", "end")
ORDER = (*THIRDS, "placing", "moving", "jumping", "contact", "race", "bear-off")
T = TypeVar("T")


def phase(position: Position, passed: float) -> str:
    """The third of its game in which a position occurs, `passed` a share; where a game has phases of its own, those."""
    if position.game.kind in PHASES:
        return PHASES[position.game.kind](position)
    return THIRDS[min(int(3 * passed), 2)]


def morris_phase(position: Position) -> str:
    """Jumping begins with the first player who may jump."""
    men, hands = position.words[MEN:HAND], position.words[HAND:DUE]
    jumping = position.game.constants["JUMPING"] and any(side.bit_count() == 3 for side in men)
    return "placing" if any(hands) else "jumping" if jumping else "moving"


def backgammon_phase(position: Position) -> str:
    """A race begins when all checkers have passed each other; a bear-off, when the mover's are all at home too."""
    own, other = (checkers(position.words, player) for player in (position.mover, 1 - position.mover))
    farthest, far = (max(place for place in range(25) if side[place]) for side in (own, other))
    return "contact" if farthest + far >= 23 else "bear-off" if farthest < 6 else "race"


def in_order(phases: Mapping[str, T]) -> dict[str, T]:
    """The same, in the order in which phases come in a game."""
    return dict(sorted(phases.items(), key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER)))


PHASES = {"backgammon": backgammon_phase, "morris": morris_phase}

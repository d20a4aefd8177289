"""The phases of backgammon."""

from __future__ import annotations

from spielwerk.games.face.backgammon import checkers
from spielwerk.games.position import Position

NAMES = ("contact", "race", "bear-off")


def phase(position: Position) -> str:
    """A race begins when all checkers have passed each other; a bear-off, when the mover's are all at home too."""
    own, other = (checkers(position.words, player) for player in (position.mover, 1 - position.mover))
    farthest, far = (max(place for place in range(25) if side[place]) for side in (own, other))
    return "contact" if farthest + far >= 23 else "bear-off" if farthest < 6 else "race"

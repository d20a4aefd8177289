"""The phases of morris."""

from __future__ import annotations

from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.position import Position

NAMES = ("placing", "moving", "jumping")


def phase(position: Position) -> str:
    """Jumping begins with the first player who may jump."""
    men, hands = position.words[MEN:HAND], position.words[HAND:DUE]
    jumping = position.game.constants["JUMPING"] and any(side.bit_count() == 3 for side in men)
    return "placing" if any(hands) else "jumping" if jumping else "moving"

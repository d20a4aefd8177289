"""The phase of the game that a position belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.games.position import Position

THIRDS = ("opening", "middle", "end")
T = TypeVar("T")


def phase(position: Position, passed: float) -> str:
    """The third of its game in which a position occurs, `passed` a share; where a game has phases of its own, those."""
    game = position.game
    if game.phases:
        return part(game.kind, "phases", game.phases, "phase")(position)
    return THIRDS[min(int(3 * passed), 2)]


def in_order(phases: Mapping[str, T], game: Game) -> dict[str, T]:
    """The same, in the order in which phases come in a game."""
    order = part(game.kind, "phases", game.phases, "NAMES") if game.phases else THIRDS
    return dict(sorted(phases.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))

"""What networks see: a form of observation of the game, by its name."""

from __future__ import annotations

from spielwerk import names
from spielwerk.games.game import Game

OBSERVE = "observe"  # the usual form, which has no name of its own


def named_inputs(game: Game, chosen: str) -> str:
    """The form of that name as a batch takes it: "" is the usual one; BadInput where the game has none."""
    if chosen != OBSERVE and chosen not in game.observations:
        raise names.unknown(f"{game.kind} has no inputs", chosen, [OBSERVE, *game.observations], "Inputs")
    return "" if chosen == OBSERVE else chosen

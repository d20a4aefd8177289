"""What a shaped reward of reinforcement learning can be made of: counts in a position that speak for a player.

A game's module names a module in `SHAPING`. Such a module defines `TERMS`, the names of the counts, and the kernel
`write_terms(state, player, out)`. What each count is worth, a learner decides. `rows.py` counts on many boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spielwerk.games.parts import part
from spielwerk.kernel.specialise import interface

if TYPE_CHECKING:
    from spielwerk.games.game import Game


@interface
def write_terms(state, player, out):
    """Writes the terms of `player` in a position, which may be over: a number for each name, in the same order.

    Law: in two positions that a symmetry of the game turns into each other, the players who take the same part have
    the same terms.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class Shaping:
    """What a shaped reward of one game can be made of."""

    terms: tuple[str, ...]  # the names
    write_terms: Callable[..., Any]  # the kernel bound to the interface above


def shaping(game: Game) -> Shaping | None:
    """What a shaped reward of `game` can be made of; None where a game does not say."""
    if not game.shaping_module:
        return None
    terms, kernel = (part(game.kind, "shaping", game.shaping_module, name) for name in ("TERMS", "write_terms"))
    return Shaping(tuple(terms), kernel)

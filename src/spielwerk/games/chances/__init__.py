"""Chances: what a game of several kinds of wins may end in, so that one network serves every way to score them.

A game's rules name a module in `CHANCES`. Such a module defines `NAMES`, the kernel `result(state, out)`, which writes
a 1 for each chance that came true for player 0 at the end of a game, and `weights(game)`: what the chances are worth.
The first chance is to win; the others come in pairs, the same for oneself and for the opponent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.kernel.specialise import interface


@interface
def result(state, out):
    """Writes a 1 for each chance of player 0 that came true in a game that is over, else a 0."""
    raise NotImplementedError


@dataclass(frozen=True)
class Chances:
    """The chances of one game of two sides."""

    names: tuple[str, ...]
    result: Callable[..., Any]  # the kernel bound to the interface above
    weights: np.ndarray  # [chances]: the score is their sum by these weights, less 1
    swap: np.ndarray  # [chances]: where each chance stands as the opponent sees it; the first is 1 less itself

    def scores(self, chances: Any) -> Any:
        """The score to expect, of each row of chances [n, chances]."""
        return (chances * self.weights).sum(1) - 1.0


def chances(game: Game) -> Chances | None:
    """The chances of `game`; None where a game is only won, drawn or lost."""
    if not game.chances:
        return None
    names, kernel, weights = (part(game.kind, "chances", game.chances, name) for name in ("NAMES", "result", "weights"))
    own = 1 + (len(names) - 1) // 2
    swap = np.array([0, *range(own, len(names)), *range(1, own)])
    return Chances(names, kernel, np.array(weights(game)), swap)

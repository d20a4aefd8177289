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

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.games.rules import OVER, mover
from spielwerk.kernel.specialise import interface


@interface
def result(state, out):
    """Writes a 1 for each chance of player 0 that came true in a game that is over, else a 0."""
    raise NotImplementedError


def result_rows(i, state, actions, weights, results, arrays):
    """Row kernel: which chances of player 0 have come true, on every board that is over."""
    states, out = arrays  # [n, WORDS], [n, chances]
    if mover(states[i]) == OVER:
        result(states[i], out[i])


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

    def turned(self, chances: np.ndarray) -> np.ndarray:
        """The same chances as the opponent sees them."""
        found = chances[..., self.swap]
        found[..., 0] = 1.0 - found[..., 0]
        return found

    def results(self, batch: Batch) -> Any:
        """Which chances of player 0 came true on every board that is over, 0 on the others: [n, chances]."""
        out = batch.arrays.full((len(batch), len(self.names)), 0, "float32")
        batch.run(result_rows, batch.states, out, result=self.result)
        return out


def chances(game: Game) -> Chances | None:
    """The chances of `game`; None where a game is only won, drawn or lost."""
    if not game.chances:
        return None
    names, kernel, weights = (part(game.kind, "chances", game.chances, name) for name in ("NAMES", "result", "weights"))
    own = 1 + (len(names) - 1) // 2
    swap = np.array([0, *range(own, len(names)), *range(1, own)])
    return Chances(names, kernel, np.array(weights(game)), swap)

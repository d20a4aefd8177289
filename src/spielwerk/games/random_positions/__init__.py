"""Random positions that a game draws itself, whether play can reach them or not, so that its rules still hold.

A game's module names a kernel in `RANDOM_POSITIONS`, `package.module:kernel`. Games without one are played at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.batch_rows import start_rows
from spielwerk.games.parts import named
from spielwerk.games.random_positions.rows import begin_rows, reach_rows
from spielwerk.kernel.random import streams

if TYPE_CHECKING:
    from spielwerk.games.game import Game

START, RANDOM, REACHABLE = STARTS = ("start", "random", "reachable")
LONGEST = 100  # turns of random play, where a game has no bound


def positions(game: Game, how: str, seed: int, count: int, first: int = 0) -> np.ndarray:
    """The starting positions number `first` to `first + count - 1` of a seed: words, int64 [count, WORDS].

    "start" is the game's own; "random" is drawn as the game says, or else "reachable": after a random number of random
    turns. In none of the last two the game is over.
    """
    states = np.zeros((count, game.constants["WORDS"]), np.int64)
    rngs = streams(seed, f"{how} positions {game.name}", count, first)
    if how == START:
        game.rows(start_rows)(count, states, rngs)
    elif how == RANDOM and game.random_positions:
        game.rows(begin_rows, scatter=named(game.kind, "random positions", game.random_positions))(count, states, rngs)
    else:
        longest = np.array([min(game.constants["LONGEST"] or LONGEST, LONGEST)])
        game.rows(reach_rows)(count, states, rngs, longest)
    return states


def how_drawn(game: Game, how: str) -> Any:
    """What "random" means for a game: itself, or "reachable" where it draws none of its own."""
    return how if how != RANDOM or game.random_positions else REACHABLE

"""Agents that take the turn with the best end, valued outside of compiled code: the ends of all boards at once."""

from __future__ import annotations

import numpy as np

from spielwerk.arena.agent import Agent, first_decision
from spielwerk.games.batch import Batch
from spielwerk.games.expansion import Afterstates
from spielwerk.search.afterstates import best_ends


class ByAfterstates(Agent):
    """Takes the first of the turns with the best end."""

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def worths(self, ends: Batch, players: np.ndarray) -> np.ndarray:
        """What each end of a turn is worth to the player who took it; [m]."""
        raise NotImplementedError

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The first action of the best turn of each board."""
        after = batch.afterstates()
        return first_actions(after, best_ends(after.offsets, self.worths(after.batch, batch.movers[after.owners])))

    def ready(self) -> None:
        """Compiles, by choosing once."""
        self.turn(first_decision(self.game))


def first_actions(after: Afterstates, ends: np.ndarray) -> np.ndarray:
    """The action that begins the turn to the end chosen for each board, -1 where none is: [n]."""
    return np.where(ends < 0, -1, np.append(after.first, -1)[ends])

"""Lookahead: values positions by looking whole turns ahead, where the estimate is made outside of compiled code.

The same search as `search/depth.py` makes: each player takes what is best for its team, dice count by their weights,
and a position is estimated where so many turns have ended. Here all lines are followed side by side, some thousands of
boards at a time, and what stands at their ends is estimated together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.rules import CHANCE
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimator, asked

PIECE = 2048  # boards whose lines are followed side by side; a few hundred times as many are estimated at once


class Halted(Exception):
    """There is no time left, or somebody has stopped the search: what was looked at is not complete."""


def never() -> bool:
    """Looks ahead to the end."""
    return False


class Lookahead:
    """Looks ahead with one estimator."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator

    def values(self, batch: Batch, turns: int, halted: Callable[[], bool] = never) -> np.ndarray:
        """What each player may expect on each board, so many turns ahead: [n, players]; Halted once `halted` says so.

        As in every search by depth, what is due right after the last turn, such as a roll, is not looked at.
        """
        if turns == 0:
            return asked(self.estimator, batch).values
        found, movers = batch.scores(), batch.movers
        for boards, look in ((movers == CHANCE, self._rolled), (movers >= 0, self._played)):
            rows = np.flatnonzero(boards)
            for first in range(0, len(rows), PIECE):
                if halted():
                    raise Halted
                part = rows[first : first + PIECE]
                found[part] = look(batch.select(part), turns, halted)
        return found

    def _rolled(self, batch: Batch, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        """The mean over all rolls, by their weights."""
        outcomes = batch.outcomes()
        after = batch.select(outcomes.owners)
        after.roll(outcomes.values, check=False)
        weights = np.asarray(outcomes.weights, float)
        weights /= np.add.reduceat(weights, outcomes.offsets[:-1])[outcomes.owners]
        return np.add.reduceat(weights[:, None] * self.values(after, turns, halted), outcomes.offsets[:-1])

    def _played(self, batch: Batch, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        """What follows from the turn that is best for the mover."""
        after = batch.afterstates()
        values = self.values(after.batch, turns - 1, halted)
        return values[best_ends(after.offsets, worths_of(values, batch.movers[after.owners]))]


def worths_of(values: np.ndarray, players: np.ndarray) -> np.ndarray:
    """What each row of `values` [n, players] says of one player: [n]."""
    return values[np.arange(len(players)), players]

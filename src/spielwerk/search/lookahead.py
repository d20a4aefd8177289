"""Lookahead: values positions by looking whole turns ahead, where the estimate is made outside of compiled code.

The same search as `search/depth.py` makes: each player takes what is best for its team, dice count by their weights,
and a position is estimated where so many turns have ended. Here all lines are followed side by side, some thousands of
boards at a time, and what stands at their ends is estimated together. With `candidates` only so many turns of a
decision are followed further, those that look best at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.rules import CHANCE
from spielwerk.search.afterstates import best_ends, best_few
from spielwerk.search.estimator import Estimator, asked

PIECE = 2048  # boards whose lines are followed side by side; a few hundred times as many are estimated at once


class Halted(Exception):
    """There is no time left, or somebody has stopped the search: what was looked at is not complete."""


def never() -> bool:
    """Looks ahead to the end."""
    return False


class Lookahead:
    """Looks ahead with one estimator; `candidates` of a decision are followed further, or all of them (0)."""

    def __init__(self, estimator: Estimator, candidates: int = 0) -> None:
        self.estimator, self.candidates = estimator, candidates
        self.players = estimator.game.players

    def values(self, batch: Batch, turns: int, halted: Callable[[], bool] = never) -> np.ndarray:
        """What each player may expect on each board, so many turns ahead: [n, players]; Halted once `halted` says so.

        As in every search by depth, what is due right after the last turn, such as a roll, is not looked at.
        """
        return self.found(batch, turns, halted)[:, : self.players]

    def found(self, batch: Batch, turns: int, halted: Callable[[], bool] = never) -> np.ndarray:
        """The values, and behind them the chances of player 0 where the estimator says any."""
        if turns == 0:
            return self._estimated(batch)
        found, movers = self._finished(batch), batch.movers
        for boards, look in ((movers == CHANCE, self._rolled), (movers >= 0, self._played)):
            rows = np.flatnonzero(boards)
            for first in range(0, len(rows), PIECE):
                if halted():
                    raise Halted
                part = rows[first : first + PIECE]
                found[part] = look(batch.select(part), turns, halted)
        return found

    def _estimated(self, batch: Batch) -> np.ndarray:
        said = asked(self.estimator, batch)
        return said.values if said.chances is None else np.hstack([said.values, said.chances])

    def _finished(self, batch: Batch) -> np.ndarray:
        """What there is to say of boards that are over."""
        chances = self.estimator.chances
        return np.hstack([batch.scores(), chances.results(batch)]) if chances else batch.scores()

    def _rolled(self, batch: Batch, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        """The mean over all rolls, by their weights."""
        outcomes = batch.outcomes()
        after = batch.select(outcomes.owners)
        after.roll(outcomes.values, check=False)
        weights = np.asarray(outcomes.weights, float)
        weights /= np.add.reduceat(weights, outcomes.offsets[:-1])[outcomes.owners]
        return np.add.reduceat(weights[:, None] * self.found(after, turns, halted), outcomes.offsets[:-1])

    def _played(self, batch: Batch, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        """What follows from the turn that is best for the mover."""
        after, movers = batch.afterstates(), batch.movers
        if turns > 1 and self.candidates:
            worths = worths_of(self._estimated(after.batch), movers[after.owners])
            after = after.only(best_few(after.owners, worths, self.candidates))
        found = self.found(after.batch, turns - 1, halted)
        return found[best_ends(after.offsets, worths_of(found, movers[after.owners]))]


def worths_of(values: np.ndarray, players: np.ndarray) -> np.ndarray:
    """What each row of `values` [n, players …] says of one player: [n]."""
    return values[np.arange(len(players)), players]

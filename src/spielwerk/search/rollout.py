"""Rollouts: positions played on many times by an estimator's best turns, the luck of the dice taken off.

Luck is what a roll changes in the estimate: what the best turn after it is worth, less the mean of that over all rolls.
It is 0 on average whatever the estimator says, so that results without it have the same mean and vary far less. Games
that are cut after some turns end with what the estimator says there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.rules import CHANCE
from spielwerk.kernel.random import below
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimator
from spielwerk.search.lookahead import Halted, Lookahead, never, worths_of

NO_END = 1 << 30  # turns of rollouts that are not cut


def draw_rows(i, state, actions, weights, results, arrays):
    """Row kernel: one of each board's outcomes, drawn by weight; -1 where it has none."""
    offsets, shares, rngs, drawn = arrays  # [n + 1], [m], [n, 1], [n]
    drawn[i] = -1
    total = 0
    for k in range(offsets[i], offsets[i + 1]):
        total += shares[k]
    if total > 0:
        left = below(rngs[i], total)
        k = offsets[i]
        while left >= shares[k]:
            left -= shares[k]
            k += 1
        drawn[i] = k


class Rollout:
    """Plays boards on for so many turns (0: to the end); `without_luck` takes the luck of rolls off."""

    def __init__(self, estimator: Estimator, turns: int = 0, without_luck: bool = True) -> None:
        self.turns, self.without_luck = turns or NO_END, without_luck
        self.lookahead = Lookahead(estimator)

    def results(self, batch: Batch, halted: Callable[[], bool] = never) -> np.ndarray:
        """What each player got on each board, and the chances behind it, as `Lookahead.found` says them.

        The boards, and their random streams, are played on; Halted once `halted` says so.
        """
        luck = np.zeros_like(self.lookahead.found(batch, 0))
        for _ in range(self.turns):
            if halted():
                raise Halted
            rolling, playing = np.flatnonzero(batch.movers == CHANCE), np.flatnonzero(batch.movers >= 0)
            if not len(rolling) and not len(playing):
                break
            if len(rolling):
                luck[rolling] += self._roll(batch, rolling)
                playing = np.flatnonzero(batch.movers >= 0)
            self._play(batch, playing)
        return self.lookahead.found(batch, 0) - luck  # where games are over, how they ended

    def _roll(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """Rolls on some boards; the luck of each roll."""
        part = batch.select(rows)
        outcomes = part.outcomes()
        drawn = np.empty(len(rows), np.int64)
        part.run(draw_rows, outcomes.offsets, outcomes.weights, part.rngs, drawn)
        batch.rngs[rows] = part.rngs
        after = part.select(outcomes.owners)
        after.roll(outcomes.values, check=False)
        batch.states[rows] = after.states[drawn]
        if not self.without_luck:
            return np.zeros(())
        found, weights = self.lookahead.found(after, 1), np.asarray(outcomes.weights, float)[:, None]
        starts = outcomes.offsets[:-1]
        return found[drawn] - np.add.reduceat(weights * found, starts) / np.add.reduceat(weights, starts)

    def _play(self, batch: Batch, rows: np.ndarray) -> None:
        """Takes the best turn on some boards."""
        part = batch.select(rows)
        after = part.afterstates()
        found = self.lookahead.found(after.batch, 0)
        best = best_ends(after.offsets, worths_of(found, part.movers[after.owners]))
        batch.states[rows] = after.batch.states[best]

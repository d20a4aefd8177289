"""Deepening: the best ends of turns on many boards, looked at one turn deeper each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.expansion import Afterstates
from spielwerk.search.afterstates import best_ends, best_few
from spielwerk.search.lookahead import Halted, Lookahead, never, worths_of


class Deepened(NamedTuple):
    """What was found: the best end of each board, and for all ends what `Lookahead.found` says."""

    best: np.ndarray  # [n]: an end, -1 where there is none
    worths: np.ndarray  # [m]: to the player who took the turn
    found: np.ndarray  # [m, players …]
    followed: np.ndarray  # [m] bool: whether it was looked at as deep as the best one


class Deepening:
    """Looks at most `depth` turns ahead; `resist` puts off a sure loss, by what looked best before it was seen."""

    def __init__(self, lookahead: Lookahead, depth: int, resist: bool = False) -> None:
        self.lookahead, self.depth, self.resist = lookahead, depth, resist
        game = lookahead.estimator.game
        self.score = game.constants["BEST"]
        self.shallowest = 1 if game.sides == 2 or lookahead.candidates else depth

    def look(
        self, batch: Batch, after: Afterstates, halted: Callable[[], bool] = never, win_soon: bool = True
    ) -> Deepened:
        """The best end of each board, fewer turns ahead once `halted` says so.

        Between two sides a win found at less depth is sure and shorter, and to look for it first costs little. The
        only turn there is needs no search where `win_soon` allows to leave something out.
        """
        counts, players = np.diff(after.offsets), batch.movers[after.owners]
        best, searched = np.where(counts > 0, after.offsets[:-1], -1), counts > win_soon
        followed, worths = np.full(len(players), True), np.zeros(len(players))
        everything: np.ndarray | None = None
        for turns in range(self.shallowest, self.depth + 1):
            ends = np.flatnonzero(searched[after.owners] & followed)
            try:
                part = after.batch.select(ends)
                found = self.lookahead.found(part, turns - 1, halted if turns > self.shallowest else never)
            except Halted:
                break
            everything = np.zeros((len(players), found.shape[1])) if everything is None else everything
            everything[ends], worths[ends] = found, worths_of(found, players[ends])
            chosen = best_ends(after.offsets, np.where(followed, worths, -np.inf))
            most = np.append(worths, 0.0)[chosen]
            changed = searched & ~(self.resist & (most <= -self.score))
            best[changed] = chosen[changed]
            if turns == self.shallowest and self.lookahead.candidates and self.depth > 1:
                followed[:] = False
                followed[best_few(after.owners, worths, self.lookahead.candidates)] = True
            searched &= (np.abs(most) < self.score) | (not win_soon)
            if halted() or not searched.any():
                break
        assert everything is not None
        return Deepened(best, worths, everything, followed)

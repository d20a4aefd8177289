"""ByEstimate: looks some turns ahead, or as far as its time allows, and values what it finds by any estimator."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent, first_decision, turn_by
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.by_afterstates import first_actions
from spielwerk.games.batch import Batch
from spielwerk.games.expansion import Afterstates
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimator, asked
from spielwerk.search.lookahead import Halted, Lookahead, never, worths_of
from spielwerk.search.stop import Stop


class ByEstimate(Agent):
    """Takes the best turn, `depth` turns ahead; with `milliseconds`, as deep as this time for each turn allows."""

    def __init__(
        self,
        game: Game,
        settings: Any,
        estimator: Estimator,
        depth: int = 1,
        milliseconds: int = 0,
        resist: bool = False,
    ) -> None:
        super().__init__(game, settings)
        self.estimator, self.lookahead = estimator, Lookahead(estimator)
        self.depth, self.milliseconds = depth, milliseconds
        self.resist = resist  # whether it puts off a sure loss, by what looked best before it was seen

    @property
    def draws(self) -> bool:
        """Only the clock brings chance in."""
        return self.milliseconds > 0

    def ready(self) -> None:
        """Compiles or loads what the estimator needs, and what every choice does."""
        self.estimator.ready()
        batch = self.game.batch([first_decision(self.game)], threads=1)
        self.lookahead.values(batch.afterstates().batch, min(self.depth - 1, 1))

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The first action of the best turn of each board."""
        return self._chosen_many(batch, None)

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes; `stop` ends the search early."""

        def action(here: Position) -> int:
            return int(self._chosen_many(self.game.batch([here], threads=1), stop)[0])

        return turn_by(action, position)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The value of every turn, and where the estimator has priors how likely each is; before a roll, the value."""
        if position.over:
            return Analysis(str(position), None, ())
        batch = self.game.batch([position], threads=1)
        if position.chance:
            value = self.lookahead.values(batch, self.depth)[0, position.roller]
            return Analysis(str(position), float(value), ())
        turns, after = position.turns(), batch.afterstates()
        best, worths = self._deepened(batch, after, self._halted(1, None), win_soon=False)
        likely = self._priors(position) if self.estimator.has_priors else {}
        order = sorted(range(len(turns)), key=lambda i: (-worths[i], i != best[0]))
        judged = [Judged(turns[i].text, float(worths[i]), probability=likely.get(turns[i].end)) for i in order]
        return Analysis(str(position), judged[0].value, tuple(judged))

    def _chosen_many(self, batch: Batch, stop: Stop | None) -> np.ndarray:
        after = batch.afterstates()
        return first_actions(after, self._deepened(batch, after, self._halted(len(batch), stop))[0])

    def _halted(self, boards: int, stop: Stop | None) -> Callable[[], bool]:
        """Says when to look no deeper: when these decisions have used up their time, or somebody stops them."""
        ends = time.monotonic() + boards * self.milliseconds / 1000 if self.milliseconds else math.inf
        return lambda: time.monotonic() >= ends or (stop is not None and stop.is_set)

    def _deepened(
        self, batch: Batch, after: Afterstates, halted: Callable[[], bool], win_soon: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best end of each board, looked at deeper and deeper, and what all ends are worth.

        Between two sides a win found at less depth is sure and shorter, and to look for it first costs little. The
        only turn there is needs no search where `win_soon` allows to leave something out.
        """
        counts, players = np.diff(after.offsets), batch.movers[after.owners]
        best = np.where(counts > 0, after.offsets[:-1], -1)
        worths, searched = np.zeros(len(players)), counts > win_soon
        shallowest = 1 if self.game.sides == 2 else self.depth
        for turns in range(shallowest, self.depth + 1):
            ends = np.flatnonzero(searched[after.owners])
            if not len(ends):
                break
            try:
                found = self.lookahead.values(after.batch.select(ends), turns - 1, halted if turns > 1 else never)
            except Halted:
                break
            worths[ends] = worths_of(found, players[ends])
            chosen = best_ends(after.offsets, worths)
            most = np.append(worths, 0.0)[chosen]
            changed = searched & ~(self.resist & (most <= -self.game.constants["BEST"]))
            best[changed] = chosen[changed]
            if win_soon:
                searched &= np.abs(most) < self.game.constants["BEST"]
            if halted():
                break
        return best, worths

    def _priors(self, position: Position) -> dict[Position, float]:
        """The prior of each end of the mover's turn: the product along its actions, summed over all ways there."""
        ends: dict[Position, float] = {}
        here = {position: 1.0}
        while here:
            batch, further = self.game.batch(list(here), threads=1), {}
            legal = batch.actions()
            priors = asked(self.estimator, batch, np.diff(legal.offsets)).priors
            for i, (origin, share) in enumerate(here.items()):
                for k in range(legal.offsets[i], legal.offsets[i + 1]):
                    after = origin.play(legal.values[k])
                    reached = further if after.mover == position.mover else ends
                    reached[after] = reached.get(after, 0.0) + share * float(priors[k]) if priors is not None else 0.0
            here = further
        return ends

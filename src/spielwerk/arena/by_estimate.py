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
from spielwerk.arena.by_policy import turn_priors
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.search.deepening import Deepening
from spielwerk.search.estimator import Estimator
from spielwerk.search.lookahead import Lookahead
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
        candidates: int = 0,
        resist: bool = False,
    ) -> None:
        super().__init__(game, settings)
        self.estimator, self.lookahead = estimator, Lookahead(estimator, candidates)
        self.deepening = Deepening(self.lookahead, depth, resist)
        self.depth, self.milliseconds = depth, milliseconds

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

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """The value of every turn, its chances and how likely it is, as far as the estimator says these.

        Turns that were not followed to the full depth come after those that were. Before a roll, only the value. `stop`
        ends the search early.
        """
        if position.over:
            return Analysis(str(position), None, ())
        batch = self.game.batch([position], threads=1)
        if position.chance:
            found = self.lookahead.found(batch, self.depth)[0]
            player = position.roller
            return Analysis(str(position), float(found[player]), (), chances=self._chances(found, player))
        turns, after = position.turns(), batch.afterstates()
        seen = self.deepening.look(batch, after, self._halted(1, stop), win_soon=False)
        likely = turn_priors(self.estimator, position) if self.estimator.has_priors else {}
        order = sorted(range(len(turns)), key=lambda i: (not seen.followed[i], -seen.worths[i], i != seen.best[0]))
        judged = tuple(
            Judged(
                turns[i].text,
                float(seen.worths[i]),
                probability=likely.get(turns[i].end),
                chances=self._chances(seen.found[i], position.mover),
            )
            for i in order
        )
        return Analysis(str(position), judged[0].value, judged, chances=judged[0].chances)

    def _chances(self, found: np.ndarray, player: int) -> dict[str, float] | None:
        """The chances of a player by their names, where the estimator says any."""
        known = self.estimator.chances
        if known is None:
            return None
        teams, first = self.game.constants["TEAM"], found[self.game.players :]
        own = first if teams[player] == teams[0] else known.turned(first)
        return dict(zip(known.names, map(float, own), strict=True))

    def _chosen_many(self, batch: Batch, stop: Stop | None) -> np.ndarray:
        after = batch.afterstates()
        if not len(after.owners):
            return np.full(len(batch), -1)
        return first_actions(after, self.deepening.look(batch, after, self._halted(len(batch), stop)).best)

    def _halted(self, boards: int, stop: Stop | None) -> Callable[[], bool]:
        """Says when to look no deeper: when these decisions have used up their time, or somebody stops them."""
        ends = time.monotonic() + boards * self.milliseconds / 1000 if self.milliseconds else math.inf
        return lambda: time.monotonic() >= ends or (stop is not None and stop.is_set)

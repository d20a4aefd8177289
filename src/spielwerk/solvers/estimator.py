"""Estimators by an oracle: exact values where they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.evaluation import evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search.estimator import Estimate, Estimator, on_host
from spielwerk.search.evaluation_estimator import EvaluationEstimator
from spielwerk.solvers.oracle import Oracle, Truth, oracle, oracle_class

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch


class OracleEstimator(Estimator):
    """Estimates by the oracle of the game; where that does not know, by the usual evaluation of the game, or even.

    `settings` are those of the oracle.
    """

    name = "oracle"

    def __init__(self, game: Game, **settings: Any) -> None:
        super().__init__(game)
        self.oracle = oracle(game, **settings)
        self.otherwise = EvaluationEstimator(game, evaluation(game))
        self._teams = np.array(game.constants["TEAM"])

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """The truth about each board that is not over."""
        values, exact = self.otherwise.estimate(batch).values, self.exact(batch)
        return Estimate(np.where(np.isnan(exact), values, exact))

    def exact(self, batch: Batch) -> np.ndarray:
        """What each player can expect on each board: [n, players]; NaN if not known."""
        values = np.full((len(batch), self.game.players), np.nan)
        boards = [(i, at) for i, at in enumerate(batch.positions()) if not at.over]
        truths = self.oracle.truths([at for _, at in boards], batch.threads)
        for (i, position), truth in zip(boards, truths, strict=True):
            if truth is not None:
                values[i] = self._by_seat(position, truth)
        return values

    def ready(self) -> None:
        """Solves the game or opens its tables, and compiles what answers where the oracle does not know."""
        self.oracle.ready()
        self.otherwise.ready()

    def _by_seat(self, position: Position, truth: Truth) -> np.ndarray:
        """What each player can expect; of two sides, one loses what the other wins."""
        if truth.scores is not None:
            return np.array(truth.scores)
        acting = position.roller if position.chance else position.mover
        return np.where(self._teams == self._teams[acting], truth.value, -truth.value)


class ExactEndings(Estimator):
    """Another estimator, with exact values where the oracle of the game has an answer for many boards at once."""

    def __init__(self, otherwise: Estimator) -> None:
        super().__init__(otherwise.game)
        self.otherwise, self.oracle = otherwise, oracle(otherwise.game)
        self.name, self.has_priors, self.chances = otherwise.name, otherwise.has_priors, otherwise.chances
        self.apart = otherwise.apart

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """What the other says, but for endings."""
        return self._exact(batch, self.otherwise.estimate(batch))

    @on_host
    def value(self, batch: Batch) -> Estimate:
        """The same of values alone."""
        return self._exact(batch, self.otherwise.value(batch))

    def _exact(self, batch: Batch, found: Estimate) -> Estimate:
        exact = self.oracle.endings(batch)
        if exact is None:
            return found
        known = ~np.isnan(exact)
        own = np.array(self.game.constants["TEAM"]) == self.game.constants["TEAM"][0]
        found.values[known] = np.where(own, exact[known, None], -exact[known, None])
        if found.chances is not None:  # there is only winning and losing left
            found.chances[known] = 0.0
            found.chances[known, 0] = (exact[known] + 1) / 2
        return found

    def ready(self) -> None:
        """Makes or opens the tables of the oracle."""
        self.oracle.ready()
        self.otherwise.ready()


def with_endings(otherwise: Estimator) -> Estimator:
    """The estimator with exact endings, where the oracle of its game knows any."""
    knows = oracle_class(otherwise.game).endings is not Oracle.endings
    return ExactEndings(otherwise) if knows else otherwise

"""OracleEstimator: exact values where they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.evaluation import evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search.estimator import Estimate, Estimator, on_host
from spielwerk.search.evaluation_estimator import EvaluationEstimator
from spielwerk.solvers.oracle import Truth, oracle

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch


class OracleEstimator(Estimator):
    """Estimates by the oracle of the game; where that does not know, by the usual evaluation of the game, or even."""

    name = "oracle"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.oracle = oracle(game)
        self.otherwise = EvaluationEstimator(game, evaluation(game))
        self._teams = np.array(game.constants["TEAM"])

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """The truth about each board that is not over, asked one after the other."""
        values = self.otherwise.estimate(batch).values
        for i, state in enumerate(batch.states):
            position = Position(self.game, state)
            truth = None if position.over else self.oracle.truth(position)
            if truth is not None:
                values[i] = self._by_seat(position, truth)
        return Estimate(values)

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

"""OracleEstimator: exact values where they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.evaluation import evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search.estimator import Estimate, Estimator
from spielwerk.search.evaluation_estimator import EvaluationEstimator
from spielwerk.solvers.oracle import oracle

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

    def estimate(self, batch: Batch) -> Estimate:
        """The truth about each board that is not over, asked one after the other."""
        values = self.otherwise.estimate(batch).values
        for i, state in enumerate(batch.states):
            position = Position(self.game, state)
            truth = None if position.over else self.oracle.truth(position)
            if truth is not None:
                acting = position.roller if position.chance else position.mover
                own = self._teams == self._teams[acting]
                values[i] = np.where(own, truth.value, -truth.value / (self.game.sides - 1))
        return Estimate(values)

    def ready(self) -> None:
        """Compiles what answers where the oracle does not know."""
        self.otherwise.ready()

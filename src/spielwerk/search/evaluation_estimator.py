"""EvaluationEstimator: a compiled evaluation as an estimator of many positions at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.evaluation import Evaluation, before
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER, PLAYERS, mover, scores
from spielwerk.search.estimate import estimate
from spielwerk.search.estimator import Estimate, Estimator, on_host

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch

LEAST_ROWS = 1024  # for each thread; less is not worth waking one


def estimate_rows(i, work, actions, weights, results, arrays):
    """Row kernel: what the evaluation says of board `i`, as one who decides there; at the end of a game, its scores."""
    states, values, data = arrays  # [n, WORDS], [n, PLAYERS]
    if mover(states[i]) == OVER:
        scores(states[i], results)
    else:
        before(states[i], data)
        estimate(states[i], results, data)
    for player in range(PLAYERS):
        values[i, player] = results[player]


class EvaluationEstimator(Estimator):
    """Estimates by an evaluation, which searches can also compile into their own kernels."""

    def __init__(self, game: Game, evaluation: Evaluation) -> None:
        super().__init__(game)
        self.name, self.evaluation = evaluation.name, evaluation
        self.compiled = evaluation
        self._unused: list[Any] = []  # data of threads that have done their work

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """The values of all boards, a part of them in each thread."""
        states = batch.states
        values = np.zeros((len(states), self.game.players))
        parts = max(1, min(len(states) // LEAST_ROWS, batch.threads))
        edges = list(pairwise(len(states) * part // parts for part in range(parts + 1)))
        if parts == 1:
            self._fill(states, values)
        else:
            with ThreadPoolExecutor(parts) as pool:
                list(pool.map(lambda edge: self._fill(states[slice(*edge)], values[slice(*edge)]), edges))
        return Estimate(values)

    def ready(self) -> None:
        """Compiles the kernel."""
        self._fill(np.zeros((0, self.game.constants["WORDS"]), np.int64), np.zeros((0, self.game.players)))

    def _fill(self, states: np.ndarray, values: np.ndarray) -> None:
        """Writes the values of some boards, with data in which no other thread writes."""
        bindings: dict[str, Any] = {**self.evaluation.bindings, "SIDES": self.game.sides}
        kernel = self.game.rows(estimate_rows, **bindings)
        try:
            data = self._unused.pop()
        except IndexError:
            data = self.evaluation.own_data()
        kernel(len(states), states, values, data)
        self._unused.append(data)

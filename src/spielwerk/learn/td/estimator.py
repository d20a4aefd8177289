"""What an n-tuple network says of positions, as an estimator."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.td.evaluation import evaluation
from spielwerk.learn.td.network_files import KIND, trained
from spielwerk.search.evaluation_estimator import EvaluationEstimator


def estimator(game: Game, run: str) -> EvaluationEstimator:
    """By the network of a run, of a file, or without a name by the one that comes with the package."""
    return EvaluationEstimator(game, evaluation(trained(game, run), run or KIND))

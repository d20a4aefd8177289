"""What an evolved network says of positions, as an estimator; of one in an ONNX file, see `onnx_estimator.py`."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.evolution.champion_files import KIND, trained
from spielwerk.learn.evolution.evaluation import evaluation
from spielwerk.search.evaluation_estimator import EvaluationEstimator


def estimator(game: Game, run: str) -> EvaluationEstimator:
    """By the champion of a run, of a file, or without a name by the one that comes with the package."""
    return EvaluationEstimator(game, evaluation(game, *trained(game, run), run or KIND))

"""What alphazero has learned, as an estimator with priors."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.alphazero.exporting import model
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.resolve import check_last, checkpoint_of, file_named
from spielwerk.learn.runs import LAST
from spielwerk.learn.shipped import shipped_network
from spielwerk.search.estimator import Estimator

KIND = "alphazero"


def estimator(game: Game, run: str) -> Estimator:
    """By the network of a run, of a file, or without a name by the one that comes with the package."""
    return learned(game, run)


def learned(game: Game, run: str, at: int = LAST) -> Estimator:
    """The same, of an earlier checkpoint."""
    path = file_named(KIND, run) if run else shipped_network(KIND, game)
    if path:
        check_last(KIND, at)
        return OnnxEstimator(game, OnnxModel(path, game), run or KIND)
    kept = checkpoint_of(KIND, game, run, at)
    return OnnxEstimator(game, OnnxModel(kept.path, game, model(game, kept, {})), run)

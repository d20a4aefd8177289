"""What td has learned, as an estimator: an n-tuple network, or a neural one."""

from __future__ import annotations

from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kind import ONNX
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.resolve import check_last, checkpoint_of, file_named
from spielwerk.learn.runs import LAST
from spielwerk.learn.shipped import shipped_network
from spielwerk.learn.td.evaluation import evaluation
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.network_files import KIND, network
from spielwerk.learn.td.neural.exporting import model
from spielwerk.learn.td.settings import NETWORK
from spielwerk.search.estimator import Estimator
from spielwerk.search.evaluation_estimator import EvaluationEstimator
from spielwerk.solvers.estimator import with_endings


def estimator(game: Game, run: str) -> Estimator:
    """By the network of a run, of a file, or without a name by the one that comes with the package."""
    found = learned(game, run)
    return found if isinstance(found, Estimator) else EvaluationEstimator(game, evaluation(found, run or KIND))


def learned(game: Game, run: str, at: int = LAST) -> NTupleNetwork | Estimator:
    """The n-tuple network of a run or a file, or the estimator by a neural one, with exact endings."""
    path = file_named(KIND, run) if run else shipped_network(KIND, game)
    if path and path.suffix == ONNX:
        check_last(KIND, at)
        return with_endings(OnnxEstimator(game, OnnxModel(path, game), run or KIND))
    kept = checkpoint_of(KIND, game, run, at)
    if is_neural(kept):
        data = model(game, kept, {})
        return with_endings(OnnxEstimator(game, OnnxModel(kept.path, game, data), run or KIND))
    return network(game, kept)


def is_neural(kept: Checkpoint) -> bool:
    """Whether a checkpoint holds a neural network."""
    try:
        return parsed(kept.metadata["settings"]).get("approximator") == NETWORK
    except (KeyError, ValueError, AttributeError):
        return False  # damaged: whoever reads it as tables will say so

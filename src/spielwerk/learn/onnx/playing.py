"""Networks that were trained, as estimators with priors: those of runs, of files, and of the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.resolve import check_last, checkpoint_of, file_named
from spielwerk.learn.runs import LAST
from spielwerk.learn.shipped import shipped_network
from spielwerk.search.estimator import Estimator

Model = Callable[[Game, Checkpoint, Mapping[str, str]], bytes]  # the network of a checkpoint as an ONNX file


def learned(kind: str, game: Game, run: str, model: Model, at: int = LAST) -> Estimator:
    """By the network of a run or one of its earlier checkpoints, of a file, or without a name by the shipped one."""
    path = file_named(kind, run) if run else shipped_network(kind, game)
    if path:
        check_last(kind, at)
        return OnnxEstimator(game, OnnxModel(path, game), run or kind)
    kept = checkpoint_of(kind, game, run, at)
    return OnnxEstimator(game, OnnxModel(kept.path, game, model(game, kept, {})), run)

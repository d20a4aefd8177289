"""What alphazero has learned, as an estimator with priors."""

from __future__ import annotations

from spielwerk.data import is_number, parsed
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.exporting import model
from spielwerk.learn.alphazero.settings import MOST_SCALE, Settings
from spielwerk.learn.onnx import playing
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.runs import LAST
from spielwerk.search.ahead_estimator import AheadEstimator
from spielwerk.search.estimator import Estimator
from spielwerk.search.symmetric_estimator import SymmetricEstimator

KIND = "alphazero"


def estimator(game: Game, run: str) -> Estimator:
    """By the network of a run, of a file, or without a name by the one that comes with the package."""
    return learned(game, run)


def learned(game: Game, run: str, at: int = LAST) -> Estimator:
    """The same, of an earlier checkpoint."""
    return playing.learned(KIND, game, run, model, at)


def trained_scale(found: Estimator) -> float:
    """How much values counted against priors in the searches that a network learned from."""
    while isinstance(found, (SymmetricEstimator, AheadEstimator)):
        found = found.other
    if not isinstance(found, OnnxEstimator):
        return Settings.scale
    try:
        said = parsed(found.model.metadata["settings"])["scale"]
    except (KeyError, TypeError, ValueError):  # a file that others wrote need not say it
        said = Settings.scale
    return float(said) if is_number(said, 0, MOST_SCALE) else Settings.scale

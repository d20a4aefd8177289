"""What actor-critic has learned, as an estimator with priors."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.actor_critic.exporting import model
from spielwerk.learn.actor_critic.networks.shape import KIND
from spielwerk.learn.onnx import playing
from spielwerk.learn.runs import LAST
from spielwerk.search.estimator import Estimator


def estimator(game: Game, run: str) -> Estimator:
    """By the network of a run, of a file, or without a name by the one that comes with the package."""
    return learned(game, run)


def learned(game: Game, run: str, at: int = LAST) -> Estimator:
    """The same, of an earlier checkpoint."""
    return playing.learned(KIND, game, run, model, at)

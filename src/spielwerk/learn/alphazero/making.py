"""The learner of AlphaZero, which is imported only when it is made, since it needs torch."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.alphazero.settings import Settings
from spielwerk.learn.learner import Learner
from spielwerk.learn.neural.torch_learner import torch_learner


class Maker:
    """Makes learners of AlphaZero."""

    @classmethod
    def made(cls, game: Game, settings: Settings, seed: int = 1) -> Learner:
        """The learner for these settings."""
        return torch_learner("spielwerk.learn.alphazero.learner", "AlphaZeroLearner")(game, settings, seed)

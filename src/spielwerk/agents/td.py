"""`td`: plays by what a network has learned, of n-tuples or of neurons, and looks ahead with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.depth import DEEPEST, DepthSearch
from spielwerk.arena.agent import Agent
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.batch import Batch
from spielwerk.games.evaluation import Evaluation
from spielwerk.games.game import Game
from spielwerk.learn.resolve import RunSettings
from spielwerk.learn.td.estimator import learned
from spielwerk.learn.td.evaluation import evaluation
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.player import TdPlayer
from spielwerk.names import BadInput, setting
from spielwerk.search.estimator import Estimator


@dataclass(frozen=True)
class TdSettings(RunSettings):
    """The settings of td."""

    depth: int = setting(1, "turns to look ahead; 1 takes the best next position", 1, DEEPEST)
    candidates: int = setting(0, "turns of a decision that a neural network follows further; 0: all", 0, 10_000)


class Td(DepthSearch):
    """Takes the move with the best next position by a network that learned by TD, or looks further ahead with it."""

    Settings = TdSettings

    def __init__(self, game: Game, settings: Any, network: NTupleNetwork) -> None:
        self.network = network
        super().__init__(game, settings)
        self.player = TdPlayer(game, network)

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """A neural network is asked about many positions at once."""
        found = learned(game, settings.run, settings.at)
        if isinstance(found, Estimator):
            return ByEstimate(game, settings, found, settings.depth, candidates=settings.candidates)
        if settings.candidates:
            raise BadInput("td: candidates has no effect on tables of n-tuples; they are looked through whole.")
        return cls(game, settings, found)

    def chosen(self) -> tuple[int, Evaluation]:
        """The depth that was set, by the network."""
        return self.settings.depth, evaluation(self.network, self.settings.run)

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """As `advance` plays."""
        return self.player.choose_many(batch, rngs) if self.depth == 1 else super().choose_many(batch, rngs)

    def advance(self, boards: Boards, me: int) -> None:
        """The next position needs no search."""
        if self.depth == 1:
            self.player.advance(boards, me)
        else:
            super().advance(boards, me)

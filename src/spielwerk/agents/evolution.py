"""`evolution`: plays by the champion of an evolution, a network that was bred and not taught."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.by_afterstates import ByAfterstates
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.games.rules import OVER
from spielwerk.learn.evolution.champion_files import KIND, trained
from spielwerk.learn.evolution.genome.outputs import WON, worth
from spielwerk.learn.evolution.onnx_estimator import GraphEstimator
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.settings import AFTERSTATE
from spielwerk.learn.kind import ONNX
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.resolve import RunSettings, file_named

NOTE = "Scores are the network's own: the higher the better, but no expectations."


class Evolution(EvolutionPlayer):
    """Plays by an evolved network: the champion of the last generation, or with fitness=grade the best of all."""

    Settings = RunSettings

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, *trained(game, settings.run, settings.at))
        self.settings = settings

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """ONNX Runtime plays an ONNX file."""
        path = file_named(KIND, settings.run) if settings.run else None
        if path and path.suffix == ONNX:
            return EvolutionNetwork(game, settings, OnnxModel(path, game))
        return cls(game, settings)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The score of every turn, the one it takes first; of a network whose outputs are a move, only that one."""
        if self.blueprint.settings.output != AFTERSTATE and position.mover >= 0:
            return super().analyse(position, rng)
        worths = {turn: self._worth(turn.end, position.mover) for turn in position.turns()}
        return _analysis(self, position, worths)

    def _worth(self, end: Position, player: int) -> float:
        """What the end of a turn is worth to the player whose turn it was."""
        return float(self.game.kernel(worth, **self.bindings)(end.state, player, self.memory))


class EvolutionNetwork(ByAfterstates):
    """The same by an ONNX file, which holds what the network computes and nothing else."""

    Settings = RunSettings

    def __init__(self, game: Game, settings: Any, model: OnnxModel) -> None:
        super().__init__(game, settings)
        self.estimator = GraphEstimator(game, model, settings.run)

    def worths(self, ends: Batch, players: np.ndarray) -> np.ndarray:
        """What the network says of the ends of turns; of the ends of games, their results, beyond all it can say."""
        over = ends.movers == OVER
        worths = self.estimator.scores(ends, np.where(over, -1, players))
        worths[over] = ends.scores()[over, players[over]] * WON
        return worths

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The score of every turn, the one it takes first."""
        turns = position.turns()
        ends = self.game.batch([turn.end for turn in turns], threads=1)
        worths = self.worths(ends, np.full(len(turns), position.mover)).tolist()
        return _analysis(self, position, dict(zip(turns, worths, strict=True)))


def _analysis(agent: Agent, position: Position, worths: Mapping[Turn, float]) -> Analysis:
    """What an agent that scores turns thinks of them."""
    if not worths:
        return Analysis(str(position), None, ())
    taken = agent.turn(position).end
    best = sorted(worths, key=lambda turn: (turn.end != taken, -worths[turn]))
    judged = tuple(_judged(turn, worths[turn], position.mover) for turn in best)
    scored = any(one.score is not None for one in judged)
    return Analysis(str(position), judged[0].value, judged, NOTE if scored else "")


def _judged(turn: Turn, worth: float, player: int) -> Judged:
    """A turn as the network sees it; of one that ends the game the result is known."""
    if turn.end.scores:
        return Judged(turn.text, turn.end.scores[player])
    return Judged(turn.text, score=worth)

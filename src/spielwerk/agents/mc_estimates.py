"""Flat Monte Carlo whose cut playouts any estimator values, such as a network: those of one action at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent, first_decision, fresh, turn_by
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.search import montecarlo
from spielwerk.search.estimator import Estimator, asked
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.stop import Stop

PIECE = 1 << 15  # playouts whose ends are estimated at once


class MonteCarloByEstimate(Agent):
    """Plays the action after which random play ends best; what it is worth where it is cut, an estimator says."""

    def __init__(self, game: Game, settings: Any, estimator: Estimator) -> None:
        super().__init__(game, settings)
        self.estimator, self.rollout = estimator, settings.rollout or NO_LIMIT

    def ready(self) -> None:
        """Compiles, by one playout, and makes the estimator ready."""
        self.estimator.ready()
        position = first_decision(self.game)
        self._mean(position, position.mover, fresh(None), Stop(), 1)

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str:
        """The whole turn, as players write it."""
        return self.turn(position, rng).text

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for anew; `stop` ends the search early."""
        stream, stop = fresh(rng), stop or Stop()
        return turn_by(lambda here: self._action(here, stream, stop), position)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The mean score of the playouts after each turn."""
        need_mover(position)
        stream, stop, judged = fresh(rng), Stop(), []
        for turn in position.turns():
            value = self._mean(turn.end, position.mover, stream, stop, self.settings.iterations)
            judged.append(Judged(turn.text, value, self.settings.iterations))
        judged.sort(key=lambda move: -(move.value or 0))
        return Analysis(str(position), judged[0].value, tuple(judged))

    def _action(self, position: Position, rng: np.ndarray, stop: Stop) -> int:
        """The action whose playouts went best for the mover; the only one there is needs none."""
        legal = position.actions()
        if len(legal) == 1:
            return legal[0]
        means: list[float] = []
        for action in legal:
            means.append(self._mean(position.play(action), position.mover, rng, stop, self.settings.iterations))
            if stop.is_set:
                break
        return legal[means.index(max(means))]

    def _mean(self, position: Position, player: int, rng: np.ndarray, stop: Stop, playouts: int) -> float:
        """The mean score of a player in playouts from a position, fewer where they are stopped."""
        kernel, scratch = self.game.kernel(montecarlo.playout_ends), self.game.workspace()
        total, done = 0.0, 0
        while done < playouts and not (done and stop.is_set):
            ends = np.empty((min(PIECE, playouts - done), self.game.constants["WORDS"]), np.int64)
            made = kernel(position.state, self.rollout, rng, scratch, stop.flag, ends)
            stop.check()
            total += asked(self.estimator, self.game.batch(ends[:made])).values[:, player].sum()
            done += made
        return float(total / done)

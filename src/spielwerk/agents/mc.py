"""`mc`: flat Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.mc_estimates import MonteCarloByEstimate
from spielwerk.agents.values import estimator
from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.compiled import Compiled
from spielwerk.games.evaluation import NONE, Evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import setting
from spielwerk.search import montecarlo
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.stop import Stop


@dataclass(frozen=True)
class Settings:
    """The settings of mc."""

    iterations: int = setting(1000, "playouts for each legal action", 1, 10**9)
    rollout: int = setting(0, "most turns of a playout; 0: to the end of the game", 0, NO_LIMIT)
    value: str = setting(NONE, "an evaluation or a run, for truncated playouts")


class MonteCarlo(Compiled):
    """Plays the action after which random play ends best."""

    Settings = Settings
    decide = montecarlo.mc_choice

    def __init__(self, game: Game, settings: Settings, value: Evaluation) -> None:
        super().__init__(game, settings)
        self.value = value

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """With a value that cannot be compiled, an agent whose cut playouts are estimated outside, many at once."""
        value = estimator(game, settings.value)
        if value.compiled is None:
            return MonteCarloByEstimate(game, settings, value)
        return cls(game, settings, value.compiled)

    def new_memory(self) -> montecarlo.Memory:
        """See `search/montecarlo.py`."""
        playouts, rollout = self.settings.iterations, self.settings.rollout or NO_LIMIT
        legal = np.zeros(self.game.constants["MOST_MOVES"], np.int64)
        return montecarlo.Memory(playouts, rollout, Stop().flag, self.value.own_data(), legal, self.game.blank())

    @property
    def bindings(self) -> dict[str, Any]:
        """The evaluation."""
        return self.value.bindings

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The mean score of the playouts after each turn."""
        need_mover(position)
        stream, mean = fresh(rng), self.game.kernel(montecarlo.mean_score, **self.bindings)
        self.game.kernel(self.value.before)(position.state, self.memory.data)
        scratch, stop = self.game.workspace(), Stop()
        memory, judged = self.ended_by(stop), []
        for turn in position.turns():
            value = mean(turn.end.state, position.mover, stream, scratch, memory)
            stop.check()
            judged.append(Judged(turn.text, float(value), self.settings.iterations))
        judged.sort(key=lambda move: -(move.value or 0))
        return Analysis(str(position), judged[0].value, tuple(judged))

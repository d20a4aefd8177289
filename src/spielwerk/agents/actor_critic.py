"""`actor-critic`: plays by the policy of a network that has learned from its own moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.by_policy import ByPolicy
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.random import fraction
from spielwerk.learn.actor_critic.playing import learned
from spielwerk.learn.resolve import RunSettings
from spielwerk.names import choice, setting
from spielwerk.search.symmetric_estimator import SYMMETRIC_HELP, symmetric_if


@dataclass(frozen=True)
class ActorCriticSettings(RunSettings):
    """The settings of actor-critic."""

    temperature: float = setting(0.0, "0: the most likely action; 1: drawn by the policy; higher: more random", 0, 100)
    symmetric: bool = choice(False, True, help=SYMMETRIC_HELP)


class ActorCritic(ByPolicy):
    """Plays the most likely action of a policy, or draws one."""

    Settings = ActorCriticSettings

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """By what was learned."""
        return cls(game, settings, symmetric_if(settings.symmetric, learned(game, settings.run, settings.at)))

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """An action of each board; -1 where nobody is to move."""
        if not self.settings.temperature:
            return super().choose_many(batch, rngs)
        legal, likely, _ = self._likely(batch)
        chosen = np.full(len(batch), -1)
        for board in np.flatnonzero(np.diff(legal.offsets)):
            here = slice(legal.offsets[board], legal.offsets[board + 1])
            weights = (likely[here] / likely[here].max()) ** (1 / self.settings.temperature)
            drawn = np.searchsorted(weights.cumsum(), fraction(rngs[board]) * weights.sum(), side="right")
            chosen[board] = legal.values[here][min(drawn, len(weights) - 1)]
        return chosen

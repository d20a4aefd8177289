"""Learner: what every way of learning offers to a training run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game


class Learner(Protocol):
    """Something that learns a game, episode by episode, or generation by generation."""

    kind: str  # such as "td"
    game: Game
    settings: Any  # a frozen dataclass, with the length of the training (see `kinds.LENGTHS`)
    seed: int
    threads: int  # cores that it may use; what is learned does not depend on it
    episode: int  # how many are done: games, or generations of them

    def learn(self, episodes: int) -> None:
        """Goes on by so many episodes; in one call or in several, the result is the same."""
        ...

    def agent(self) -> Agent:
        """An agent that plays as well as has been learned; it goes on improving with the learner."""
        ...

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that a resume needs."""
        ...

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken; raises BadInput where they do not fit."""
        ...

    def figures(self) -> dict[str, float]:
        """How the learning goes: step sizes, the mean error, the length of games."""
        ...

    def metadata(self) -> dict[str, str]:
        """What a checkpoint says of itself: the game, the settings, the version."""
        ...

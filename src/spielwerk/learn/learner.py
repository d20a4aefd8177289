"""Learner: what every learner offers to a training run."""

from __future__ import annotations

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.learn.kind import CPU
from spielwerk.names import BadInput, either
from spielwerk.version import __version__

Stop = Callable[[], bool]  # whether the learner is asked to end


class Exploded(BadInput):
    """The loss of a network is NaN, or has grown beyond what any network has that learns."""


def never() -> bool:
    """Nobody asks it to end."""
    return False


class Learner(ABC):
    """Something that learns a game, episode by episode, or generation by generation."""

    kind: ClassVar[str]  # the name in its description, such as "td"
    threads: int = 1  # cores that it may use; only with torch does what is learned depend on them
    device: str = CPU  # or "cuda", where its description says so
    has_checkpoint = False  # whether what it has learned was ever written

    def __init__(self, game: Game, settings: Any, seed: int = 1) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.episode = 0  # how many are done: games, or generations of them

    @classmethod
    def made(cls, game: Game, settings: Any, seed: int = 1) -> Learner:
        """The learner for these settings; a class may leave some of them to another one."""
        return cls(game, settings, seed)

    def use(self, device: str, threads: int) -> None:
        """Called before anything is restored or learned: where to compute, and on how many cores."""
        self.device, self.threads = device, threads

    def begin(self) -> None:
        """Called after `use` where nothing has been learned yet: takes over what its settings say to begin with."""
        return

    @abstractmethod
    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns for so many more episodes; in one call or in several, the result is the same.

        Once `stop` says so it may return after fewer; `episode` tells how many were done. A run that is extended asks
        for more than the settings say: what follows the planned length is learned at the last rates of its schedules.
        """

    @abstractmethod
    def agent(self) -> Agent:
        """An agent that plays as well as has been learned, also before anything was; it improves with the learner."""

    @abstractmethod
    def weights(self) -> dict[str, np.ndarray]:
        """What its agent needs to play."""

    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """What else a resume needs: the optimiser, buffers, random streams, counters."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where weights and state were taken, both in `arrays`; raises BadInput where they do not fit."""

    @property
    def scratch_bytes(self) -> int:
        """Memory of this machine that it needs while it learns, besides what a checkpoint holds."""
        return 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of what it learns from; mostly nothing."""
        return ()

    @property
    def notice(self) -> str:
        """What people should know of how a restored learner goes on; mostly nothing."""
        return ""

    @property
    def reached(self) -> str:
        """How far it has come, in words."""
        return f"{self.episode:,} games"

    @property
    def calmer(self) -> list[str]:
        """What to change where numbers have grown beyond all measure."""
        return ["smaller steps"]

    def explosion(self, what: str) -> Exploded:
        """What ends a training whose numbers have grown beyond all measure."""
        kept = "the last checkpoint is kept" if self.has_checkpoint else "there is no checkpoint yet"
        return Exploded(f"{self.kind}: {what} after {self.reached}; {kept}. Take {either(self.calmer)}.")

    def arrays(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds: weights and state."""
        return {**self.weights(), **self.state()}

    def check_fit(self, arrays: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray]) -> None:
        """Raises BadInput where one of `wanted` is not in `arrays`, or has another shape or type there."""
        for name, array in wanted.items():
            if name not in arrays or arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                raise BadInput(
                    f'The checkpoint does not fit {self.kind} of {self.game.name}: "{name}" is missing or differs.'
                )

    def figures(self) -> dict[str, float]:
        """Metrics of the learning, the most important first: the error or loss, step sizes, the length of games."""
        return {}

    def metadata(self) -> dict[str, str]:
        """What a checkpoint says of itself: the game, the settings, the seed and the version."""
        facts = {"kind": self.kind, "game": self.game.name, "seed": str(self.seed), "version": __version__}
        return {**facts, "settings": json.dumps(dataclasses.asdict(self.settings))}

"""Gate: new weights play only if they do not lose a match against those that played before."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import numpy as np
import torch

from spielwerk.arena.agent import Agent
from spielwerk.learn.neural.learner import array_of, tensor_of
from spielwerk.learn.rivals import rate_against

BEFORE = "gate/"  # before the names of the weights that play
EVEN = 0.5


class Gate:
    """The weights that play, and a match now and then that decides whether newer ones take their place."""

    def __init__(self, newest: torch.nn.Module, games: int, every: int) -> None:
        self.newest, self.games, self.every = newest, games, every
        self.network = copy.deepcopy(newest).requires_grad_(False) if games else newest
        self.windows, self.passed, self.failed = 0, 0, 0

    def to(self, device: str) -> None:
        """Moves it."""
        self.network.to(device)

    def window(self, agent: Callable[[torch.nn.Module], Agent], seed: int) -> None:
        """Counts a window; a match is due after some."""
        self.windows += 1
        if not self.games or self.windows % self.every:
            return
        if rate_against(agent(self.newest), agent(self.network), self.games, seed + self.windows) >= EVEN:
            self.take()
            self.passed += 1
        else:
            self.failed += 1

    def take(self) -> None:
        """The newest weights play from now on."""
        if self.games:
            self.network.load_state_dict(self.newest.state_dict())

    def arrays(self) -> dict[str, np.ndarray]:
        """What a resume needs."""
        counts = {BEFORE + "counts": np.array([self.windows, self.passed, self.failed])}
        if not self.games:
            return counts
        return counts | {BEFORE + name: array_of(found) for name, found in self.network.state_dict().items()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        self.windows, self.passed, self.failed = (int(count) for count in arrays[BEFORE + "counts"])
        if self.games:
            self.network.load_state_dict({name: tensor_of(arrays[BEFORE + name]) for name in self.network.state_dict()})

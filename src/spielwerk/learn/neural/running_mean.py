"""RunningMean: weights that follow those that learn, and are steadier than they are."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Generic, TypeVar

import numpy as np
import torch

from spielwerk.learn.neural.learner import array_of, tensor_of

N = TypeVar("N", bound=torch.nn.Module)
BEGIN = 10  # steps: the mean of few steps follows faster


class RunningMean(Generic[N]):
    """A copy of a network that keeps a share `keep` of itself in every step; with 0 it is the network itself."""

    def __init__(self, source: N, keep: float) -> None:
        self.source, self.keep, self.steps = source, keep, 0
        self.network = copy.deepcopy(source).requires_grad_(False) if keep else source

    def to(self, device: str) -> None:
        """Moves it."""
        self.network.to(device)

    def follow(self) -> None:
        """One step towards the source."""
        self.steps += 1
        if self.keep:
            keep = min(self.keep, self.steps / (self.steps + BEGIN))
            with torch.no_grad():
                ours, theirs = tuple(self.network.parameters()), tuple(self.source.parameters())
                torch._foreach_lerp_(ours, theirs, 1 - keep)  # pyright: ignore[reportPrivateImportUsage]

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return {name: array_of(found) for name, found in self.network.state_dict().items()}

    def restore(self, arrays: Mapping[str, np.ndarray], steps: int) -> None:
        """Goes back to where `arrays` were taken."""
        self.steps = steps
        if self.keep:
            self.network.load_state_dict({name: tensor_of(arrays[name]) for name in self.network.state_dict()})

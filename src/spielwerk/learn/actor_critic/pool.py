"""Pool: past selves of a network, which play against it."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Mapping

import numpy as np
import torch

from spielwerk.learn.neural.learner import array_of, tensor_of

POOL = "pool/"  # before the number of a past self and the name of a part of it


class Pool:
    """At most so many of them; when there are more, the oldest goes."""

    def __init__(self, network: torch.nn.Module, most: int, every: int) -> None:
        self.network = copy.deepcopy(network).requires_grad_(False) if most else network
        self.kept: deque[dict[str, torch.Tensor]] = deque(maxlen=most)
        self.every, self.updates = every, 0

    def follow(self, network: torch.nn.Module) -> None:
        """After an update: keeps the network as it is, where it is time."""
        self.updates += 1
        if self.kept.maxlen and self.updates % self.every == 0:
            self.kept.append({name: found.detach().clone() for name, found in network.state_dict().items()})

    def past(self, number: int) -> torch.nn.Module:
        """One of them, to play with until the next is asked for."""
        self.network.load_state_dict(self.kept[number])
        return self.network

    def to(self, device: str) -> None:
        """Moves all of them."""
        self.network.to(device)
        for number, kept in enumerate(self.kept):
            self.kept[number] = {name: found.to(device) for name, found in kept.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        found = {
            f"{POOL}{number}/{name}": array_of(part)
            for number, kept in enumerate(self.kept)
            for name, part in kept.items()
        }
        return {**found, "updates": np.array([self.updates])}

    def restore(self, arrays: Mapping[str, np.ndarray], device: str) -> None:
        """Goes back to where `arrays` were taken."""
        self.updates = int(arrays["updates"][0])
        self.kept.clear()
        names = tuple(self.network.state_dict())
        while f"{POOL}{len(self.kept)}/{names[0]}" in arrays:
            before = f"{POOL}{len(self.kept)}/"
            self.kept.append({name: tensor_of(arrays[before + name]).to(device) for name in names})

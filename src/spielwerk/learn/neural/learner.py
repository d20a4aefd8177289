"""NeuralLearner: a learner whose weights are those of a torch module.

Its checkpoints are arrays like those of every learner: the parameters by their names, and the optimiser's state. On the
CPU the same seed learns the same with the same number of threads, in one go or resumed: torch adds up in an order that
depends on the threads, and on nothing else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from spielwerk.games.game import Game
from spielwerk.kernel.random import stream
from spielwerk.learn.kind import CUDA
from spielwerk.learn.learner import Learner
from spielwerk.names import BadInput

OPTIMISER = "optimiser/"  # before the name of a parameter and of what is kept of it
SEEDS = 2**63


class NeuralLearner(Learner):
    """A torch module and its optimiser. One of your own defines `built`, `learn` and `agent`."""

    def __init__(self, game: Game, settings: Any, seed: int = 1) -> None:
        super().__init__(game, settings, seed)
        self.rng = stream(seed, f"{self.kind} {game.name}")
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(int(self.rng[0] % SEEDS))
            self.network, self.optimiser = self.built()

    @abstractmethod
    def built(self) -> tuple[torch.nn.Module, torch.optim.Optimizer]:
        """The network with its first weights, which torch may draw, and the optimiser of all its parameters."""

    def use(self, device: str, threads: int) -> None:
        """Moves the network to the device; from now on torch uses so many threads."""
        if device == CUDA and not torch.cuda.is_available():
            raise BadInput(
                "There is no GPU here that torch can use; without --device cuda it learns on the CPU: "
                f"spielwerk train {self.kind} {self.game.name} … --device cpu"
            )
        super().use(device, threads)
        torch.set_num_threads(threads)
        self.network.to(device)
        if device == CUDA:
            torch.set_float32_matmul_precision("high")
            for group in self.optimiser.param_groups:  # as a graph takes it
                group["capturable"], group["lr"] = True, torch.tensor(self.settings.rate, device=device)

    def weights(self) -> dict[str, np.ndarray]:
        """The parameters and buffers of the network."""
        return {name: array_of(tensor) for name, tensor in self.network.state_dict().items()}

    def state(self) -> dict[str, np.ndarray]:
        """The optimiser, the random stream and the number of episodes."""
        kept = self.optimiser.state_dict()["state"]
        named = dict(enumerate(name for name, _ in self.network.named_parameters()))
        parts = {f"{OPTIMISER}{named[i]}/{key}": array_of(part) for i, one in kept.items() for key, part in one.items()}
        return {**parts, "rng": self.rng, "episode": np.array([self.episode])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        weights = self.weights()
        self.check_fit(arrays, {**weights, "rng": self.rng, "episode": np.array([self.episode])})
        self.network.load_state_dict({name: tensor_of(arrays[name]) for name in weights})
        kept = {index: _kept(arrays, name) for index, (name, _) in enumerate(self.network.named_parameters())}
        if any(kept.values()):  # an optimiser that has not made a step yet keeps nothing
            self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": kept})
        self.rng[...] = arrays["rng"]
        self.episode = int(arrays["episode"][0])


def _kept(arrays: Mapping[str, np.ndarray], parameter: str) -> dict[str, torch.Tensor]:
    """What an optimiser keeps of one parameter."""
    before = f"{OPTIMISER}{parameter}/"
    return {name.removeprefix(before): tensor_of(arrays[name]) for name in arrays if name.startswith(before)}


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """A copy, which the learner does not go on changing."""
    return np.array(tensor.detach().cpu().numpy())


def tensor_of(array: np.ndarray) -> torch.Tensor:
    """A tensor with memory of its own."""
    return torch.from_numpy(np.array(array))

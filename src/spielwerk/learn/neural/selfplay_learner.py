"""SelfPlayLearner: a network that learns from windows of turns on many boards at once, on the CPU or a GPU.

The weights that play are a running mean of those that learn. What a window is, and what is learned from it, the
learner says that is made of this.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.kernel.arrays import arrays_of
from spielwerk.kernel.random import below
from spielwerk.learn.learner import Stop, never
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.growth import grown
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.learner import OPTIMISER, NeuralLearner, tensor_of
from spielwerk.learn.neural.predecessor import check_meaning, check_narrower
from spielwerk.learn.neural.running_mean import RunningMean
from spielwerk.learn.neural.schedule import GEOMETRIC, scheduled
from spielwerk.learn.onnx.reading import exported_weights
from spielwerk.learn.resolve import file_named, means_shipped, of_run
from spielwerk.learn.shipped import shipped_file

ONLINE = "online/"  # before the names of the weights that learn; those that play are their running mean


class SelfPlayLearner(NeuralLearner):
    """One of your own defines `built`, `place`, `learn_window`, `fittings`, `agent`, `kept_state` and `keep_state`."""

    head: Head
    inputs: str  # the named form of observation; "" is the usual one
    most_loss: float  # a loss that no network has which learns
    grows = False  # whether the weights of a narrower network may be the first units of all layers

    def __init__(self, game: Game, settings: Any, seed: int = 1) -> None:
        super().__init__(game, settings, seed)
        self.mean: RunningMean[Any] = RunningMean(self.network, settings.mean)
        self.fittings()
        self.loss, self.length, self.games, self.turns = 0.0, 0.0, 0, 0  # the last two: in all, and in the last call
        self.losses: list[Tensor] = []
        first = game.batch(settings.boards, seed=int(below(self.rng, 2**31)))
        self._place(first.states, first.rngs)

    @abstractmethod
    def place(self, batch: Batch) -> None:
        """Takes the boards on which it plays from now on."""

    @abstractmethod
    def fittings(self) -> None:
        """Makes what makes the steps, where the network lies now."""

    @abstractmethod
    def learn_window(self) -> None:
        """Plays some turns on all boards, and learns from them."""

    @abstractmethod
    def kept_state(self) -> dict[str, np.ndarray]:
        """What a resume needs besides weights, optimiser, boards and counters."""

    @abstractmethod
    def keep_state(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes that back."""

    def use(self, device: str, threads: int) -> None:
        """Moves the network and the boards to the device."""
        super().use(device, threads)
        self.mean.to(device)
        self.head.to(device)
        self.fittings()
        batch = self.batch
        self._place(batch.arrays.host(batch.states), batch.arrays.host(batch.rngs))

    def begin(self) -> None:
        """Takes over the weights that the settings name, if any: of a run, of an exported file, or the shipped ones."""
        if self.settings.begin:
            self.take_over(self._named(self.settings.begin))

    def _named(self, name: str) -> Mapping[str, np.ndarray]:
        """Weights that were learned before."""
        path = shipped_file(self.kind, self.game) if means_shipped(name) else file_named(self.kind, name)
        if path is None:
            found, what = of_run(self.kind, name, self.game), f"The run {name}"
            check_meaning(what, found.metadata, self.metadata())
            if self.grows:
                check_narrower(what, found.metadata, self.metadata())
            return found
        return exported_weights(path, self.game, self.metadata(), self.weights(), self.grows)

    def take_over(self, weights: Mapping[str, np.ndarray]) -> None:
        """Goes on from the weights of another learner, perhaps a narrower one; BadInput where they do not fit."""
        wanted = self.weights()
        if self.grows:
            weights = grown(weights, wanted)
        self.check_fit(weights, wanted)
        for network in (self.network, self.mean.network):
            network.load_state_dict({name: tensor_of(weights[name]) for name in wanted})

    def _place(self, states: np.ndarray, rngs: np.ndarray) -> None:
        """Puts the boards where they are to be played on."""
        arrays = arrays_of(self.device)
        streams = arrays.array(rngs, "uint64")
        self.batch = Batch(self.game, arrays.array(states, "int64"), streams, self.device, threads=self.threads)
        self.place(self.batch)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Plays and learns by whole windows; games that end in the last one beyond `episodes` count for the next."""
        end, self.turns = self.episode + episodes, 0
        before = self.games
        while self.games < end and not stop():
            self.losses = []
            self.learn_window()
            self._check_losses()
        self.episode = min(end, self.games)
        if self.turns:
            self.length = self.turns / max(self.games - before, 1)

    def _check_losses(self) -> None:
        """The loss of a window; one that explodes ends the training."""
        self.loss = float(torch.stack(self.losses).mean()) if self.losses else self.loss
        if not self.loss < self.most_loss:
            raise self.explosion(f"the loss has grown to {self.loss:g}")

    @property
    def reached(self) -> str:
        """Games, of which the last ones may not count yet."""
        return f"{self.games:,} games"

    @property
    def calmer(self) -> list[str]:
        """Smaller steps, or more precise ones."""
        exact = ["precision=float32"] if self.settings.precision != "float32" else []
        return [f"a smaller rate than {self.settings.rate:g}", *exact]

    def count(self, actors: list[Tensor]) -> None:
        """Turns after which these act next, and games that ended with them."""
        self.games += int(sum((those == OVER).sum() for those in actors))
        self.turns += sum(len(those) for those in actors)

    def minibatches(self, count: int, size: int) -> tuple[Tensor, ...]:
        """Numbers below `count` in random order, some at a time."""
        return torch.randperm(count, generator=self.source(), device=self.device).split(size)

    def source(self) -> torch.Generator:
        """Random numbers for torch, where the network lies."""
        return torch.Generator(device=self.device).manual_seed(int(below(self.rng, 2**31)))

    def step(self, fitting: Fitting, *given: Tensor) -> None:
        """One step of the optimiser, and of the running mean behind it."""
        fitting.rate(self.rate())
        self.losses.append(fitting.step(*given))
        self.mean.follow()

    def autocast(self) -> torch.autocast:
        """Mixed precision, where it was asked for."""
        mixed = self.settings.precision == "bfloat16"
        return torch.autocast(self.device, torch.bfloat16, enabled=mixed, cache_enabled=False)

    @property
    def share(self) -> float:
        """The share of the training that is done."""
        return self.games / self.settings.episodes

    def rate(self) -> float:
        """The step size now."""
        return scheduled(self.settings.rate, self.settings.rate_end, GEOMETRIC, self.share)

    def weights(self) -> dict[str, np.ndarray]:
        """Those that play."""
        return self.mean.arrays()

    def state(self) -> dict[str, np.ndarray]:
        """The weights that learn, the optimiser, the boards and what was kept of them, and the counters."""
        online = {ONLINE + name: found for name, found in super().weights().items()}
        host = self.batch.arrays.host
        boards = {"boards": host(self.batch.states), "streams": host(self.batch.rngs)}
        counters = {"games": np.array([self.games]), "steps": np.array([self.mean.steps])}
        return {**super().state(), **online, **boards, **self.kept_state(), **counters}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        kept = self.kept_state()
        wanted = {name: found for name, found in self.arrays().items() if name not in kept}
        wanted = {name: found for name, found in wanted.items() if not name.startswith(OPTIMISER)}
        self.check_fit(arrays, wanted)
        own = {name.removeprefix(ONLINE): found for name, found in arrays.items() if name.startswith(ONLINE)}
        super().restore({**arrays, **own})
        self.mean.restore(arrays, int(arrays["steps"][0]))
        self.games = int(arrays["games"][0])
        self._place(np.array(arrays["boards"]), np.array(arrays["streams"]))
        self.keep_state(arrays)

    def metadata(self) -> dict[str, str]:
        """What is needed to play besides."""
        return {**super().metadata(), "inputs": self.inputs or "observe", "outputs": self.head.output}

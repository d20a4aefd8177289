"""ImitationLearner: networks learn to say the next part of a move as somebody did who was observed.

They are told nothing else: neither the rules, nor which moves were good. Each learns from the true parts before its
own; at play they follow each other. All moves lie on the device, and one step makes all networks learn that still do.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.games.game import Game
from spielwerk.kernel.random import below
from spielwerk.learn.imitation import losses
from spielwerk.learn.imitation.data.folder import dataset
from spielwerk.learn.imitation.data.splits import split
from spielwerk.learn.imitation.forms import traits
from spielwerk.learn.imitation.legality import of_slot
from spielwerk.learn.imitation.measures.accuracy import accuracy
from spielwerk.learn.imitation.networks.network import ImitationNetwork
from spielwerk.learn.imitation.player import ByParts
from spielwerk.learn.imitation.settings import Settings
from spielwerk.learn.imitation.slots import slots_of
from spielwerk.learn.imitation.stopping import Stopping
from spielwerk.learn.imitation.tensors import Moves, moves_of, rows_of
from spielwerk.learn.kind import CPU, CUDA
from spielwerk.learn.learner import Stop, never
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.learner import OPTIMISER, NeuralLearner, array_of, tensor_of
from spielwerk.names import BadInput

ONLINE = "online/"  # before the names of the weights that learn; those that play were the best so far
SAMPLE = 20_000  # learned moves on which the accuracy is measured
MOST_LOSS = 1e6
SEEDS = 2**31


class ImitationLearner(NeuralLearner):
    """Learns the parts of moves."""

    kind = "imitation"
    settings: Settings
    network: ImitationNetwork

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        self.slots = slots_of(game, settings.order, settings.structure)
        self.data = dataset(settings.data, game, settings.expand)
        self.split = split(self.data.pairs, settings.split, seed, settings.share)
        if not len(self.split.training) or not len(self.split.validation):
            raise BadInput(f"{settings.data} holds too few moves: some are needed to learn, and some to stop by.")
        super().__init__(game, settings, seed)
        self.best = copy.deepcopy(self.network).eval().requires_grad_(False)
        self.groups = self.network.groups()
        self.stopping = Stopping(len(self.groups), settings.patience)
        self.position, self.epoch_seed, self.loss = 0, 0, 0.0
        self.found: dict[str, float] = {}
        self.generator: torch.Generator | None = None

    def built(self) -> tuple[ImitationNetwork, torch.optim.Optimizer]:
        """The networks that the settings name, and Adam with a step size for each group."""
        network, given = ImitationNetwork(self.game, self.slots, self.settings), self.settings
        parameters = [{"params": list(network.weights_of(group).values())} for group in network.groups()]
        return network, torch.optim.Adam(parameters, given.rate, (given.beta1, given.beta2), fused=True)

    def use(self, device: str, threads: int) -> None:
        """Moves networks and data to the device."""
        super().use(device, threads)
        self.best.to(device)
        if device == CUDA:
            self.network.fuse()
        self._load()
        self._fit()

    def _load(self) -> None:
        """Puts the moves where they are learned."""
        pairs, sample = self.data.pairs, self.split.training[:: max(1, len(self.split.training) // SAMPLE)]
        self.training = moves_of(pairs.rows(self.split.training), self.slots, self.settings.negatives > 0).to(
            self.device
        )
        self.validation = moves_of(pairs.rows(self.split.validation), self.slots).to(self.device)
        self.sample = moves_of(pairs.rows(sample), self.slots).to(self.device)

    def _fit(self) -> None:
        """Steps for those who still learn."""
        self.learning = tuple(slot for group in self.stopping.active for slot in self.groups[group])
        self.fitting = Fitting(self.optimiser, self._loss, self.autocast)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns for so many epochs; once all networks have stopped, an epoch takes no time."""
        end = self.episode + episodes
        while self.episode < end:
            if not self.stopping.active:
                self.episode = end
                return
            if not self._epoch(stop):
                return
            self.look()
            self.episode += 1

    def _epoch(self, stop: Stop) -> bool:
        """All moves once, in random order; whether it came to its end. An epoch that is stopped is gone on with."""
        size = min(self.settings.batch, len(self.training))
        if self.position == 0:
            self.epoch_seed = int(below(self.rng, SEEDS))
        order = torch.randperm(len(self.training), generator=self._source(self.epoch_seed), device=self.device)
        self._rates()
        self.network.train()
        lost: list[Tensor] = []
        for first in range(self.position * size, len(order) - size + 1, size):
            if stop():
                return False
            self._step(self.training.rows(order[first : first + size]), lost)
            self.position += 1
        self.position = 0
        self._check(lost)
        return True

    @property
    def epochs(self) -> float:
        """How often all moves were learned from, with the share of an epoch that was stopped."""
        return self.episode + self.position * min(self.settings.batch, len(self.training)) / len(self.training)

    def _step(self, given: Moves, lost: list[Tensor]) -> None:
        """One step, whose random numbers depend on the epoch and the step alone."""
        if self.device == CPU:
            self.generator = self._source((self.epoch_seed + 1 + self.position) % SEEDS)
            for drop in self.network.drops():
                drop.generator = self.generator
        lost.append(self.fitting.step(*given))

    def _source(self, seed: int) -> torch.Generator:
        return torch.Generator(device=self.device).manual_seed(seed)

    def _check(self, lost: list[Tensor]) -> None:
        """The loss of an epoch; one that explodes ends the training."""
        self.loss = float(torch.stack(lost).mean()) if lost else self.loss
        if not self.loss < MOST_LOSS:
            raise self.explosion(f"the loss has grown to {self.loss:g}")

    @property
    def reached(self) -> str:
        """Epochs."""
        return f"{self.episode:,} epochs"

    @property
    def calmer(self) -> list[str]:
        """Smaller steps, or smaller networks."""
        return [f"a smaller rate than {self.settings.rate:g}", "fewer units"]

    def _rates(self) -> None:
        """The step sizes of this epoch."""
        for group, slots in zip(self.optimiser.param_groups, self.groups, strict=True):
            rate = self.rate(slots[0])
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def rate(self, slot: int) -> float:
        """The step size of a slot's network now."""
        return self.settings.rate / (1 + traits(self.settings, self.slots.names[slot]).anneal * self.episode)

    def _loss(self, bits: Tensor, values: Tensor, legal: Tensor) -> Tensor:
        """Of all networks that still learn; they share no weights, so that the sum is as if each learned alone."""
        said = self.network(rows_of(bits, values, self.slots), self.learning)
        total = torch.stack([losses.surprise(one, values[:, slot]) for one, slot in self._learned(said)]).sum()
        if self.settings.l1:
            total = total + self.settings.l1 * losses.size(self._counted())
        if self.settings.negatives:
            lots = torch.rand(legal.shape, generator=self.generator, device=legal.device)
            told = [
                losses.trust(one, of_slot(legal, self.slots, slot), of_slot(lots, self.slots, slot))
                for one, slot in self._learned(said)
            ]
            total = total + self.settings.negatives * torch.stack(told).sum()
        return total

    def _learned(self, said: list[Tensor]) -> list[tuple[Tensor, int]]:
        return list(zip(said, self.learning, strict=True))

    def _counted(self) -> list[Tensor]:
        """The weights that count for L1."""
        found: list[Tensor] = []
        for group in self.stopping.active:
            everything = traits(self.settings, self.slots.names[self.groups[group][0]]).all_l1
            for name, weights in self.network.weights_of(self.groups[group]).items():
                if weights.ndim > 1 and (everything or name.startswith("heads.")):
                    found.append(weights)
        return found

    def look(self) -> None:
        """Measures all networks, keeps the best of each, and lets those stop that have made no progress for long.

        Every epoch ends with it; whoever stops within one for good may ask for it.
        """
        self.network.eval()
        right, lost = accuracy(self.network, self.validation, self.autocast())
        learned, _ = accuracy(self.network, self.sample, self.autocast())
        before = self.stopping.active
        for group in before:
            slots = self.groups[group]
            by_accuracy = traits(self.settings, self.slots.names[slots[0]]).by_accuracy
            score = float(sum(right[slot] if by_accuracy else -lost[slot] for slot in slots))
            if self.stopping.improved(group, score):
                self._keep(slots)
        for slot in (slot for group in before for slot in self.groups[group]):
            name = self.slots.names[slot]
            self.found[f"accuracy_{name}"], self.found[f"trained_{name}"] = right[slot], learned[slot]
        if self.stopping.active != before:
            self._fit()

    def _keep(self, slots: tuple[int, ...]) -> None:
        """The networks of some slots play from now on as they are."""
        with torch.no_grad():
            playing = dict(self.best.named_parameters())
            for name, weights in self.network.weights_of(slots).items():
                playing[name].copy_(weights)

    def autocast(self) -> torch.autocast:
        """Mixed precision, where it was asked for."""
        mixed = self.settings.precision == "bfloat16"
        return torch.autocast(self.device, torch.bfloat16, enabled=mixed, cache_enabled=False)

    def says(self, rows: np.ndarray) -> list[np.ndarray]:
        """The logits of each slot, by the best networks so far."""
        with torch.no_grad():
            given = torch.from_numpy(rows).to(self.device)
            return [one.float().cpu().numpy() for one in self.best(given)]

    def agent(self) -> Agent:
        """An agent that plays what the networks say."""
        return ByParts(self.game, NoSettings(), self.slots, self.says)

    def figures(self) -> dict[str, float]:
        """The loss of the last epoch, and the accuracy of each network on the validation and on learned moves."""
        return {"loss": self.loss, **self.found, "rate": self.rate(0)}

    def weights(self) -> dict[str, np.ndarray]:
        """Those that play."""
        return {name: array_of(tensor) for name, tensor in self.best.state_dict().items()}

    def state(self) -> dict[str, np.ndarray]:
        """The weights that learn, the optimiser, and how far each network is."""
        online = {ONLINE + name: array_of(tensor) for name, tensor in self.network.state_dict().items()}
        counters = {"position": np.array([self.position]), "epoch_seed": np.array([self.epoch_seed])}
        waiting = {"best_score": self.stopping.best, "waited": self.stopping.waited}
        return {**super().state(), **online, **counters, **waiting, "loss": np.array([self.loss])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        wanted = {name: found for name, found in self.arrays().items() if not name.startswith(OPTIMISER)}
        self.check_fit(arrays, wanted)
        own = {name.removeprefix(ONLINE): found for name, found in arrays.items() if name.startswith(ONLINE)}
        self.best.load_state_dict({name: tensor_of(arrays[name]) for name in self.best.state_dict()})
        super().restore({**arrays, **own})
        self.stopping.best[:], self.stopping.waited[:] = arrays["best_score"], arrays["waited"]
        self.position, self.epoch_seed = int(arrays["position"][0]), int(arrays["epoch_seed"][0])
        self.loss = float(arrays["loss"][0])
        self._fit()

    def metadata(self) -> dict[str, str]:
        """What is needed to play besides."""
        inputs = self.game.move_parts.inputs or "observe"
        return {**super().metadata(), "inputs": inputs, "outputs": " ".join(self.slots.names)}

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be read of the data."""
        return self.data.notes

"""TdNetworkLearner: a network that learns by temporal differences from many games of self-play at once.

Turn by turn all boards go on, and what the network says of the positions after the turns is kept. After a window of
turns every position but the last has a target: what the next one says, mixed by λ with the targets that follow (the
forward view of TD(λ), cut at the end of the window), or how the game ended. After a random turn it is what the best
turn would have led to.

With siblings, the games go on by one turn only. The turns between which the network is unsure are played on side by
side for a window; what they lead to is learned, and which of them is the best.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.arrays import arrays_of
from spielwerk.kernel.random import below
from spielwerk.learn.kind import CUDA
from spielwerk.learn.learner import Stop, never
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.learner import NeuralLearner, tensor_of
from spielwerk.learn.neural.tensors import array, seen, tensor
from spielwerk.learn.resolve import of_run
from spielwerk.learn.td.neural.estimator import TorchEstimator
from spielwerk.learn.td.neural.module import ValueNetwork
from spielwerk.learn.td.neural.rolls import one_roll
from spielwerk.learn.td.neural.running_mean import RunningMean
from spielwerk.learn.td.neural.selfplay import Ends, SelfPlay
from spielwerk.learn.td.neural.siblings import Siblings, branches, regret, unsure
from spielwerk.learn.td.neural.targets import targets_of
from spielwerk.learn.td.settings import EVERY, Settings
from spielwerk.names import BadInput

EXPLODED = 10.0  # a loss that no network has which learns: guessing costs less than 1
ONLINE = "online/"  # before the names of the weights that learn; those that play are their running mean


class TdNetworkLearner(NeuralLearner):
    """Learns the value of positions after whole turns."""

    kind = "td"
    settings: Settings
    network: ValueNetwork

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        self.head = head_of(game)
        self.inputs = settings.inputs_of(game)
        super().__init__(game, settings, seed)
        self.mean = RunningMean(self.network, settings.mean)
        self._fittings()
        self.loss, self.length, self.games, self.turns = 0.0, 0.0, 0, 0  # the last two: in all, and in the last call
        first = game.batch(settings.boards, seed=int(below(self.rng, 2**31)))
        self._place(first.states, first.rngs)
        self.last: Ends | None = None  # the ends of the turns before the next window

    def built(self) -> tuple[ValueNetwork, torch.optim.Optimizer]:
        """Fully connected layers, and Adam."""
        size = int(np.prod(self.game.observation(self.inputs)[0]))
        classes = self.game.input_classes(self.inputs) if self.settings.split else 0
        network = ValueNetwork(size, self.settings.layers, self.head.size, classes)
        return network, torch.optim.Adam(network.parameters(), self.settings.rate, fused=True)

    def _loss(self, inputs: Tensor, wanted: Tensor) -> Tensor:
        """How far the network is from the wanted outputs."""
        return self.head.loss(self.network.dense(inputs).float(), wanted)

    def _ranking_loss(self, inputs: Tensor, wanted: Tensor, actors: Tensor, players: Tensor, real: Tensor) -> Tensor:
        """The same, and what is lost by a wrong choice among siblings."""
        logits = self.network.dense(inputs).float()
        lost = regret(self.head, logits, wanted, actors, players, real)
        return self.head.loss(logits, wanted) + self.settings.ranking * lost

    def _fittings(self) -> None:
        """What makes the steps, where the network lies now."""
        self.fitting = Fitting(self.optimiser, self._loss, self._autocast)
        self.ranking = Fitting(self.optimiser, self._ranking_loss, self._autocast)

    def use(self, device: str, threads: int) -> None:
        """Moves the network and the boards to the device."""
        if device == CUDA and not torch.cuda.is_available():
            raise BadInput("There is no GPU here that torch can use; without --device cuda it learns on the CPU.")
        super().use(device, threads)
        self.mean.to(device)
        self.head.to(device)
        if device == CUDA:
            torch.set_float32_matmul_precision("high")
            for group in self.optimiser.param_groups:  # as a graph takes it
                group["capturable"], group["lr"] = True, torch.tensor(self.settings.rate, device=device)
        self._fittings()
        batch = self.play.batch
        self._place(batch.arrays.host(batch.states), batch.arrays.host(batch.rngs))

    def begin(self) -> None:
        """Takes over the weights of another run, where the settings name one."""
        if self.settings.begin:
            self.take_over(of_run(self.kind, self.settings.begin, self.game))

    def take_over(self, weights: Mapping[str, np.ndarray]) -> None:
        """Goes on from the weights of another learner; BadInput where they do not fit."""
        wanted = self.weights()
        self.check_fit(weights, wanted)
        for network in (self.network, self.mean.network):
            network.load_state_dict({name: tensor_of(weights[name]) for name in wanted})

    def _place(self, states: np.ndarray, rngs: np.ndarray) -> None:
        """Puts the boards where they are to be played on."""
        arrays = arrays_of(self.device)
        streams = arrays.array(rngs, "uint64")
        batch = Batch(self.game, arrays.array(states, "int64"), streams, self.device, threads=self.threads)
        self.play = self._boards(batch)

    def _boards(self, batch: Batch) -> SelfPlay:
        every = self.settings.rolls == EVERY
        return SelfPlay(batch, self.head, self.inputs, self.settings.random_turns, every)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Plays and learns by whole windows; games that end in the last one beyond `episodes` count for the next."""
        end, self.turns = self.episode + episodes, 0
        before = self.games
        while self.games < end and not stop():
            self.learn_window()
        self.episode = min(end, self.games)
        if self.turns:
            self.length = self.turns / max(self.games - before, 1)

    def learn_window(self) -> None:
        """Plays some turns on all boards, or of siblings, and learns from them."""
        self.losses: list[Tensor] = []
        if self.settings.siblings:
            self._learn_siblings()
        else:
            self._learn_turns()
        self.loss = float(torch.stack(self.losses).mean()) if self.losses else self.loss
        if not self.loss < EXPLODED:
            raise BadInput(
                f"td: the loss has grown to {self.loss:g} after {self.games:,} games; the last checkpoint is kept. "
                f"Take a smaller rate than {self.settings.rate:g}, or precision=float32."
            )

    def _learn_turns(self) -> None:
        """A window of turns on all boards."""
        ends = self._played(self.play, [self.last] if self.last else [])
        self.last = ends[-1]
        self._fit(*self._wanted(ends[:-1], targets_of(ends, self.settings.lam)))

    def _learn_siblings(self) -> None:
        """A turn on all boards, and a window of turns of those that were hard to choose from."""
        given = self.settings
        with torch.no_grad(), self._autocast():
            rolls = one_roll(self.play.batch)
            looked = self.play.look(self.mean.network, rolls.batch)
            siblings = unsure(looked, given.siblings, given.margin)
            batch, first = branches(self.play.batch, looked, siblings, self.head)
            self._count([self.play.take(looked, rolls, self._epsilon())])
        if not len(siblings.ends):
            return
        ends = self._played(self._boards(batch), [first])
        targets = targets_of(ends, given.lam)
        players = looked.movers[tensor(looked.after.owners)[siblings.ends]]
        self._fit_siblings(first, self.head.seen(targets[0], first.actors), players, siblings)
        if given.window > 1:
            self._fit(*self._wanted(ends[1:-1], targets[1:]))

    def _played(self, play: SelfPlay, ends: list[Ends]) -> list[Ends]:
        """The ends so far, and those of as many turns as a window needs behind the first."""
        fresh, epsilon = [], self._epsilon()
        with torch.no_grad(), self._autocast():
            while len(ends) + len(fresh) <= self.settings.window:
                fresh.append(play.turn(self.mean.network, epsilon))
        self._count(fresh)
        return ends + fresh

    def _count(self, ends: list[Ends]) -> None:
        """Turns, and games that ended with them."""
        self.games += int(sum(end.over.sum() for end in ends))
        self.turns += sum(len(end.over) for end in ends)

    def _wanted(self, ends: list[Ends], targets: list[Tensor]) -> tuple[Tensor, Tensor]:
        """The positions in which games went on, and what the network should say of them."""
        states, actors = (torch.cat([getattr(end, name) for end in ends]) for name in ("states", "actors"))
        going = (actors >= 0).nonzero()[:, 0]
        return states[going], self.head.seen(torch.cat(targets)[going], actors[going])

    def _fit(self, states: Tensor, wanted: Tensor) -> None:
        """One pass over positions and targets, in minibatches drawn at random."""
        for rows in self._minibatches(len(states), self.settings.minibatch):
            self._step(self.fitting, self._inputs(states[rows]), wanted[rows])

    def _fit_siblings(self, first: Ends, wanted: Tensor, players: Tensor, siblings: Siblings) -> None:
        """The same over decisions."""
        for rows in self._minibatches(len(siblings.groups), max(1, self.settings.minibatch // self.settings.siblings)):
            places = siblings.groups[rows].flatten()
            more = first.actors[places], players[places], siblings.real[rows]
            self._step(self.ranking, self._inputs(first.states[places]), wanted[places], *more)

    def _minibatches(self, count: int, size: int) -> tuple[Tensor, ...]:
        """Numbers below `count` in random order, some at a time."""
        source = torch.Generator(device=self.device).manual_seed(int(below(self.rng, 2**31)))
        return torch.randperm(count, generator=source, device=self.device).split(size)

    def _step(self, fitting: Fitting, *given: Tensor) -> None:
        """One step of the optimiser, and of the running mean behind it."""
        fitting.rate(self._rate())
        self.losses.append(fitting.step(*given))
        self.mean.follow()

    def _inputs(self, states: Tensor) -> Tensor:
        """How the network sees these positions, mirrored by a symmetry drawn for all."""
        batch = self.play.batch.sibling(array(self.play.batch, states))
        mirrors = self.game.constants["SYMMETRIES"] if self.settings.symmetry else 1
        return seen(batch.turned(int(below(self.rng, mirrors))) if mirrors > 1 else batch, self.inputs)

    def _autocast(self) -> torch.autocast:
        """Mixed precision, where it was asked for."""
        mixed = self.settings.precision == "bfloat16"
        return torch.autocast(self.device, torch.bfloat16, enabled=mixed, cache_enabled=False)

    def _rate(self) -> float:
        """The step size now."""
        return self.settings.scheduled(self.settings.rate, self.settings.rate_end, "geometric", self.games)

    def _epsilon(self) -> float:
        """The share of random turns now."""
        given = self.settings
        return given.scheduled(given.epsilon, given.epsilon_end, given.epsilon_shape, self.games)

    def agent(self) -> Agent:
        """An agent that plays by the running mean of the weights."""
        estimator = TorchEstimator(self.game, self.mean.network, self.head, self.inputs)
        return ByEstimate(self.game, NoSettings(), estimator)

    def figures(self) -> dict[str, float]:
        """The loss of the last window, the rates now, and the length of games since the last call."""
        return {"loss": self.loss, "rate": self._rate(), "epsilon": self._epsilon(), "turns": self.length}

    def weights(self) -> dict[str, np.ndarray]:
        """Those that play."""
        return self.mean.arrays()

    def state(self) -> dict[str, np.ndarray]:
        """The weights that learn, the optimiser, the boards and what was kept of them, and the counters."""
        online = {ONLINE + name: found for name, found in super().weights().items()}
        host = self.play.batch.arrays.host
        boards = {"boards": host(self.play.batch.states), "streams": host(self.play.batch.rngs)}
        last = {f"last_{name}": part.cpu().numpy() for name, part in self.last._asdict().items()} if self.last else {}
        counters = {"games": np.array([self.games]), "steps": np.array([self.mean.steps])}
        return {**super().state(), **online, **boards, **last, **counters}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        wanted = {name: found for name, found in self.arrays().items() if not name.startswith(("last_", "optimiser/"))}
        self.check_fit(arrays, wanted)
        own = {name.removeprefix(ONLINE): found for name, found in arrays.items() if name.startswith(ONLINE)}
        super().restore({**arrays, **own})
        self.mean.restore(arrays, int(arrays["steps"][0]))
        self.games = int(arrays["games"][0])
        self._place(np.array(arrays["boards"]), np.array(arrays["streams"]))
        if "last_states" in arrays:
            found = {"last_luck": np.zeros_like(arrays["last_kept"]), **arrays}  # before luck was taken off: none
            self.last = Ends(*(tensor_of(found[f"last_{name}"]).to(self.device) for name in Ends._fields))

    def metadata(self) -> dict[str, str]:
        """What is needed to play besides."""
        return {**super().metadata(), "inputs": self.inputs or "observe", "outputs": self.head.output}

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
from spielwerk.kernel.random import below
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.learner import tensor_of
from spielwerk.learn.neural.schedule import scheduled
from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner
from spielwerk.learn.neural.tensors import array, seen, tensor
from spielwerk.learn.td.neural.estimator import TorchEstimator
from spielwerk.learn.td.neural.module import ValueNetwork
from spielwerk.learn.td.neural.rolls import one_roll
from spielwerk.learn.td.neural.selfplay import Ends, SelfPlay
from spielwerk.learn.td.neural.siblings import Siblings, branches, regret, unsure
from spielwerk.learn.td.neural.targets import targets_of
from spielwerk.learn.td.settings import EVERY, Settings


class TdNetworkLearner(SelfPlayLearner):
    """Learns the value of positions after whole turns."""

    kind = "td"
    most_loss = 10.0  # guessing costs less than 1
    settings: Settings
    network: ValueNetwork

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        self.head = head_of(game)
        self.inputs = settings.inputs_of(game)
        super().__init__(game, settings, seed)
        self.last: Ends | None = None  # the ends of the turns before the next window

    def built(self) -> tuple[ValueNetwork, torch.optim.Optimizer]:
        """Fully connected layers, and Adam."""
        size = int(np.prod(self.game.observation(self.inputs)[0]))
        classes = self.game.input_classes(self.inputs) if self.settings.split else 0
        network = ValueNetwork(size, self.settings.layers, self.head.size, classes)
        return network, torch.optim.Adam(network.parameters(), self.settings.rate, fused=True)

    def fittings(self) -> None:
        """Steps towards targets, and those that also learn to choose."""
        self.fitting = Fitting(self.optimiser, self._loss, self.autocast)
        self.ranking = Fitting(self.optimiser, self._ranking_loss, self.autocast)

    def _loss(self, inputs: Tensor, wanted: Tensor) -> Tensor:
        """How far the network is from the wanted outputs."""
        return self.head.loss(self.network.dense(inputs).float(), wanted)

    def _ranking_loss(self, inputs: Tensor, wanted: Tensor, actors: Tensor, players: Tensor, real: Tensor) -> Tensor:
        """The same, and what is lost by a wrong choice among siblings."""
        logits = self.network.dense(inputs).float()
        lost = regret(self.head, logits, wanted, actors, players, real)
        return self.head.loss(logits, wanted) + self.settings.ranking * lost

    def place(self, batch: Batch) -> None:
        """The boards on which games are played to their end."""
        self.play = self._boards(batch)

    def _boards(self, batch: Batch) -> SelfPlay:
        every = self.settings.rolls == EVERY
        return SelfPlay(batch, self.head, self.inputs, self.settings.starts, every)

    def learn_window(self) -> None:
        """Plays some turns on all boards, or of siblings, and learns from them."""
        if self.settings.siblings:
            self._learn_siblings()
        else:
            self._learn_turns()

    def _learn_turns(self) -> None:
        """A window of turns on all boards."""
        ends = self._played(self.play, [self.last] if self.last else [])
        self.last = ends[-1]
        self._fit(*self._wanted(ends[:-1], targets_of(ends, self.settings.lam)))

    def _learn_siblings(self) -> None:
        """A turn on all boards, and a window of turns of those that were hard to choose from."""
        given = self.settings
        with torch.no_grad(), self.autocast():
            rolls = one_roll(self.batch)
            looked = self.play.look(self.mean.network, rolls.batch)
            siblings = unsure(looked, given.siblings, given.margin)
            batch, first = branches(self.batch, looked, siblings, self.head)
            self.count([self.play.take(looked, rolls, self._epsilon()).actors])
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
        fresh, epsilon = list[Ends](), self._epsilon()
        with torch.no_grad(), self.autocast():
            while len(ends) + len(fresh) <= self.settings.window:
                fresh.append(play.turn(self.mean.network, epsilon))
        self.count([end.actors for end in fresh])
        return ends + fresh

    def _wanted(self, ends: list[Ends], targets: list[Tensor]) -> tuple[Tensor, Tensor]:
        """The positions in which games went on, and what the network should say of them."""
        states, actors = (torch.cat([getattr(end, name) for end in ends]) for name in ("states", "actors"))
        going = (actors >= 0).nonzero()[:, 0]
        return states[going], self.head.seen(torch.cat(targets)[going], actors[going])

    def _fit(self, states: Tensor, wanted: Tensor) -> None:
        """One pass over positions and targets, in minibatches drawn at random."""
        for rows in self.minibatches(len(states), self.settings.minibatch):
            self.step(self.fitting, self._inputs(states[rows]), wanted[rows])

    def _fit_siblings(self, first: Ends, wanted: Tensor, players: Tensor, siblings: Siblings) -> None:
        """The same over decisions."""
        for rows in self.minibatches(len(siblings.groups), max(1, self.settings.minibatch // self.settings.siblings)):
            places = siblings.groups[rows].flatten()
            more = first.actors[places], players[places], siblings.real[rows]
            self.step(self.ranking, self._inputs(first.states[places]), wanted[places], *more)

    def _inputs(self, states: Tensor) -> Tensor:
        """How the network sees these positions, mirrored by a symmetry drawn for all."""
        batch = self.batch.sibling(array(self.batch, states))
        mirrors = self.game.constants["SYMMETRIES"] if self.settings.symmetry else 1
        return seen(batch.turned(int(below(self.rng, mirrors))) if mirrors > 1 else batch, self.inputs)

    def _epsilon(self) -> float:
        """The share of random turns now."""
        given = self.settings
        return scheduled(given.epsilon, given.epsilon_end, given.epsilon_shape, self.share)

    def agent(self) -> Agent:
        """An agent that plays by the running mean of the weights."""
        estimator = TorchEstimator(self.game, self.mean.network, self.head, self.inputs)
        return ByEstimate(self.game, NoSettings(), estimator)

    def figures(self) -> dict[str, float]:
        """The loss of the last window, the rates now, and the length of games since the last call."""
        return {"loss": self.loss, "rate": self.rate(), "epsilon": self._epsilon(), "turns": self.length}

    def kept_state(self) -> dict[str, np.ndarray]:
        """The ends of the last turns."""
        return {f"last_{name}": part.cpu().numpy() for name, part in self.last._asdict().items()} if self.last else {}

    def keep_state(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes them back."""
        if "last_states" in arrays:
            found = {"last_luck": np.zeros_like(arrays["last_kept"]), **arrays}  # before luck was taken off: none
            self.last = Ends(*(tensor_of(found[f"last_{name}"]).to(self.device) for name in Ends._fields))

"""ActorCriticLearner: a policy and a value learn from moves that were drawn by the policy.

All boards play a window of moves. What each led to, against what the value had expected, is its advantage; moves with
advantages become likelier, and the value learns what followed. Then a new window begins.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.by_policy import ByPolicy
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.random import below
from spielwerk.learn.actor_critic.collecting import Collector
from spielwerk.learn.actor_critic.experience import Experience
from spielwerk.learn.actor_critic.exporting import outputs_of
from spielwerk.learn.actor_critic.losses import entropy_of, log_policy, mixed, policy_loss
from spielwerk.learn.actor_critic.networks.network import ActorCriticNetwork, network_of
from spielwerk.learn.actor_critic.pool import Pool
from spielwerk.learn.actor_critic.settings import Settings
from spielwerk.learn.neural.estimator import NetworkEstimator
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner
from spielwerk.learn.neural.tensors import array, seen, tensor

PREPARED = 1 << 16  # moves that are prepared for learning at once
SMALL = 1e-8  # so that equal advantages can be divided by their spread


class ActorCriticLearner(SelfPlayLearner):
    """Learns policy and value."""

    kind = "actor-critic"
    most_loss = 100.0  # of a policy that is nearly sure of the wrong moves
    settings: Settings
    network: ActorCriticNetwork

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        self.head = head_of(game, chances=False)
        self.inputs = settings.inputs_of(game)
        super().__init__(game, settings, seed)

    def built(self) -> tuple[ActorCriticNetwork, torch.optim.Optimizer]:
        """The network that the settings name, and Adam."""
        network = network_of(self.game, self.inputs, self.settings.shape, self.head)
        return network, torch.optim.Adam(network.parameters(), self.settings.rate, fused=True)

    def fittings(self) -> None:
        """Steps of one size."""
        self.fitting = Fitting(self.optimiser, self._loss, self.autocast, max_norm=self.settings.max_norm)
        if not hasattr(self, "pool"):
            self.pool = Pool(self.network, self.settings.pool, self.settings.pool_every)
        self.pool.to(self.device)

    def place(self, batch: Batch) -> None:
        """The boards on which games are played."""
        self.collector = Collector(batch, self.head, self.inputs, self.settings)

    def learn_window(self) -> None:
        """Plays a window of moves, and learns from them."""
        gathered = self.played()
        for _ in range(self.settings.epochs):
            self._learn_from(gathered)
        self.pool.follow(self.network)

    def played(self) -> Experience:
        """The moves of a window, which are counted."""
        past = self.pool.past(int(below(self.rng, len(self.pool.kept)))) if self.pool.kept else None
        with torch.no_grad(), self.autocast():
            steps, last = self.collector.window(self.network, past)
        over = torch.stack([step.over for step in steps])
        self.games += int(over.sum())
        self.turns += over.numel()
        return self.collector.experience(steps, last)

    def _learn_from(self, gathered: Experience) -> None:
        """A step towards each minibatch, all of one size."""
        size = min(self.settings.minibatch, len(gathered.states))
        drawn = [rows for rows in self.minibatches(len(gathered.states), size) if len(rows) == size]
        together = max(1, PREPARED // size)
        for first in range(0, len(drawn), together):
            rows = torch.cat(drawn[first : first + together])
            given = self._prepared(Experience(*(column[rows] for column in gathered)))
            for part in zip(*(column.split(size) for column in given), strict=True):
                self.step(self.fitting, *part)

    def _at(self, states: Tensor) -> Batch:
        return self.batch.sibling(array(self.batch, states))

    def _prepared(self, moves: Experience) -> tuple[Tensor, ...]:
        """What the network sees, and what its loss is made of."""
        batch = self._at(moves.states)
        legal = tensor(batch.mask())
        return seen(batch, self.inputs), legal, moves.chosen, moves.logs, moves.floors, moves.advantages, moves.wanted

    def _now(self, logits: Tensor, legal: Tensor, chosen: Tensor, floors: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of how likely the moves are, and of the whole policy."""
        likely = log_policy(logits.float(), legal if self.settings.masked else None)
        return mixed(likely, chosen, self.settings.epsilon, floors), likely

    def _loss(
        self,
        inputs: Tensor,
        legal: Tensor,
        chosen: Tensor,
        before: Tensor,
        floors: Tensor,
        advantages: Tensor,
        wanted: Tensor,
    ) -> Tensor:
        """Of policy and value, less the bonus for entropy."""
        given = self.settings
        logits, said = self.network(inputs)
        now, likely = self._now(logits, legal, chosen, floors)
        even = (advantages - advantages.mean()) / (advantages.std() + SMALL)
        lost = policy_loss(now, before, even, given.clip)
        return lost + given.value_weight * self.head.loss(said.float(), wanted) - given.entropy * entropy_of(likely)

    @property
    def calmer(self) -> list[str]:
        """Shorter gradients as well."""
        most = self.settings.max_norm
        return [*super().calmer, f"a smaller max_norm than {most:g}" if most else "a max_norm"]

    def agent(self) -> Agent:
        """An agent that plays the most likely action."""
        return ByPolicy(self.game, NoSettings(), NetworkEstimator(self.game, self.mean.network, self.head, self.inputs))

    def figures(self) -> dict[str, float]:
        """The loss of the last window, the rate now, the length of games since the last call, and the temperature."""
        learned = self.network.log_temperature
        found = {"loss": self.loss, "rate": self.rate(), "moves": self.length}
        return {**found, "temperature": float(learned.detach().exp())} if learned is not None else found

    def kept_state(self) -> dict[str, np.ndarray]:
        """The past selves."""
        return self.pool.arrays()

    def keep_state(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes them back."""
        self.pool.restore(arrays, self.device)

    def metadata(self) -> dict[str, str]:
        """What is needed to play besides."""
        return {**super().metadata(), "outputs": outputs_of(self.head.output)}

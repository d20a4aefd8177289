"""AlphaZeroLearner: a network with a policy and a value learns from the tree searches that it guides.

On all boards a search finds each move. Its policy is what the network's policy should be; what the game leads to, or
mixed with it what the searches say of the positions that follow, is what its value should be. Moves are played by the
window, kept for some windows, and learned from in minibatches drawn from all of them.
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
from spielwerk.learn.alphazero.description import REPLAY
from spielwerk.learn.alphazero.exporting import outputs_of
from spielwerk.learn.alphazero.gating import Gate
from spielwerk.learn.alphazero.lessons import Lessons, Replay, lessons_of
from spielwerk.learn.alphazero.losses import by_actions, by_ends
from spielwerk.learn.alphazero.networks.form import AFTERSTATES
from spielwerk.learn.alphazero.networks.network import PolicyValueNetwork, network_of
from spielwerk.learn.alphazero.preparing import Preparing
from spielwerk.learn.alphazero.selfplay import Moves, SearchedPlay
from spielwerk.learn.alphazero.settings import CHANCES, NOBODY, Settings
from spielwerk.learn.kind import CPU
from spielwerk.learn.neural.estimator import NetworkEstimator
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.learner import array_of, tensor_of
from spielwerk.learn.neural.schedule import GEOMETRIC, scheduled
from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner
from spielwerk.learn.neural.tensors import array
from spielwerk.names import BadInput, split
from spielwerk.search.trees.memory import tree_bytes
from spielwerk.solvers.estimator import OracleEstimator

PREPARED = 1 << 16  # positions that are prepared for learning at once
LAST, MEAN, MOVED, REFILL = "last/", "mean/", "moved", "refill"  # before the names of what a resume needs


def anchor_of(game: Game, anchor: str) -> OracleEstimator:
    """What knows exact values; BadInput where it knows none yet."""
    found = OracleEstimator(game, **split(anchor)[1])
    if found.oracle.needs:
        raise BadInput(f"alphazero: anchor=oracle knows nothing of {game.name} yet; try: {found.oracle.needs}")
    return found


class AlphaZeroLearner(SelfPlayLearner):
    """Learns policy and value."""

    kind = "alphazero"
    grows = True
    most_loss = 100.0  # guessing costs the logarithm of the legal actions, and less than 1 for the value
    settings: Settings
    network: PolicyValueNetwork

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        self.head = head_of(game, settings.value == CHANCES)
        self.inputs = settings.inputs_of(game)
        self.replay = Replay(settings.replay)
        self.last: Moves | None = None  # the moves before the next window
        self.refill = 0  # windows to be played before learning goes on
        if settings.value == CHANCES and self.head.output != CHANCES:
            raise BadInput(f"alphazero: {game.name} has one kind of win; it needs value=score.")
        if settings.anchor != NOBODY and settings.value == CHANCES:
            raise BadInput("alphazero: anchor=oracle knows scores; it needs value=score.")
        self.oracle = anchor_of(game, settings.anchor) if settings.anchor != NOBODY else None
        super().__init__(game, settings, seed)

    def built(self) -> tuple[PolicyValueNetwork, torch.optim.Optimizer]:
        """The network that the settings name, and Adam with weight decay."""
        given = self.settings
        network = network_of(self.game, self.inputs, given.net, given.blocks, given.filters, given.policy, self.head)
        return network, torch.optim.AdamW(network.parameters(), given.rate, weight_decay=given.decay, fused=True)

    def fittings(self) -> None:
        """Steps; only policies over action numbers have the same sizes in each, as a graph needs it."""
        ends = self.settings.policy == AFTERSTATES
        loss = self._loss_by_ends if ends else self._loss_by_actions
        self.fitting = Fitting(self.optimiser, loss, self.autocast, graphs=not ends)
        if not hasattr(self, "gate"):
            self.gate = Gate(self.mean.network, self.settings.gate, self.settings.gate_every)
        self.gate.to(self.device)

    @property
    def scratch_bytes(self) -> int:
        """Its trees, where they do not lie on a GPU."""
        forest = self.play.forest
        return tree_bytes(len(self.batch), forest.nodes) if self.device == CPU else 0

    def place(self, batch: Batch) -> None:
        """The boards on which games are played."""
        moved = self.play.moved.to(self.device) if hasattr(self, "play") else None
        self.play = SearchedPlay(batch, self.head, self._estimator(), self.settings)
        ends = self.settings.policy == AFTERSTATES
        self.preparing = Preparing(batch, self.inputs, ends, self.settings.symmetry)
        if moved is not None:
            self.play.moved = moved

    def _estimator(self, network: torch.nn.Module | None = None) -> NetworkEstimator:
        """By the weights that play, or others."""
        ends = self.settings.policy == AFTERSTATES
        return NetworkEstimator(self.game, network or self.gate.network, self.head, self.inputs, ends)

    def take_over(self, weights: Mapping[str, np.ndarray]) -> None:
        """Goes on from the weights of another learner, which also play."""
        super().take_over(weights)
        self.gate.take()

    def learn_window(self) -> None:
        """Plays a window of moves, keeps what they teach, and learns from what is kept."""
        fresh = self._played()
        self.replay.add(fresh)
        if self.refill:
            self.refill -= 1
            return
        self._learn_from(self.replay.all(), len(fresh.states))
        self.gate.window(self._agent, self.seed)

    def _played(self) -> Lessons:
        """What a window of moves teaches; where lost lessons come anew, their games are not counted twice."""
        self.play.forget()  # trees are not saved, and a resumed training is the same
        moves = [self.last] if self.last else []
        with torch.no_grad(), self.autocast():
            while len(moves) <= self.settings.window:
                moves.append(self.play.move(self.simulations()))
                if not self.refill:
                    self.count([moves[-1].actors])
        self.last = moves[-1]
        return self.anchored(lessons_of(moves, self.head, self.settings.lam))

    def _learn_from(self, kept: Lessons, fresh: int) -> None:
        """As many steps as so many new positions are worth, towards minibatches drawn from all."""
        size = self.settings.minibatch
        left = max(1, round(self.settings.passes * fresh / size))
        while left:
            drawn = self.minibatches(len(kept.states), size)[:left]
            drawn = [rows for rows in drawn if len(rows) == size] or drawn[:1]  # a recorded step has one size
            left -= len(drawn)
            for first in range(0, len(drawn), max(1, PREPARED // size)):
                together = drawn[first : first + max(1, PREPARED // size)]
                for given in self.preparing.minibatches(kept, together, self.source):
                    self.step(self.fitting, *given)

    def anchored(self, lessons: Lessons) -> Lessons:
        """With exact values in place of those that the oracle knows better, where that was asked for."""
        if self.oracle is None:
            return lessons
        # Last moves first: an oracle that searches remembers what follows, and knows sooner what went before.
        states = self.batch.arrays.host(array(self.batch, lessons.states))[::-1]
        batch = self.game.batch(states, threads=self.threads)
        exact = torch.from_numpy(self.oracle.exact(batch)).to(self.device).float()
        actors = torch.from_numpy(batch.actors).to(self.device)
        known = self.head.seen(exact[:, : self.head.size], actors).flip(0)
        return lessons._replace(wanted=torch.where(known.isnan(), lessons.wanted, known))

    def _loss_by_actions(self, inputs: Tensor, wanted: Tensor, shares: Tensor, legal: Tensor) -> Tensor:
        """Of value and policy."""
        logits, values = self.network(inputs)
        lost = by_actions(logits.float(), legal, shares)
        return self.head.loss(values.float(), wanted) + self.settings.policy_weight * lost

    def _loss_by_ends(
        self, inputs: Tensor, wanted: Tensor, shares: Tensor, ends: Tensor, owners: Tensor, first: Tensor
    ) -> Tensor:
        """The same, where the policy scores the ends of turns."""
        _, values = self.network(inputs)
        scores, _ = self.network(ends)
        lost = by_ends(scores.float()[:, 0], owners, first, shares)
        return self.head.loss(values.float(), wanted) + self.settings.policy_weight * lost

    def simulations(self) -> int:
        """Simulations of a search now."""
        given = self.settings
        return round(scheduled(given.simulations, given.simulations_end or given.simulations, GEOMETRIC, self.share))

    def agent(self) -> Agent:
        """An agent that plays by the policy alone."""
        return self._agent(self.gate.network)

    def _agent(self, network: torch.nn.Module) -> Agent:
        return ByPolicy(self.game, NoSettings(), self._estimator(network))

    def weights(self) -> dict[str, np.ndarray]:
        """Those that play."""
        return {name: array_of(found) for name, found in self.gate.network.state_dict().items()}

    def figures(self) -> dict[str, float]:
        """The loss of the last window, the rates now, and the length of games since the last call."""
        return {"loss": self.loss, "rate": self.rate(), "simulations": self.simulations(), "moves": self.length}

    def kept_state(self) -> dict[str, np.ndarray]:
        """The last moves, the moves of each game so far, and the lessons that are kept."""
        last = {LAST + name: part.cpu().numpy() for name, part in self.last._asdict().items()} if self.last else {}
        lessons = {
            f"{REPLAY}{number}/{name}": part.cpu().numpy()
            for number, window in enumerate(self.replay.kept)
            for name, part in window._asdict().items()
        }
        mean = {MEAN + name: found for name, found in self.mean.arrays().items()} if self.settings.gate else {}
        moved = {MOVED: self.play.moved.cpu().numpy()}
        refill = {REFILL: np.array([self.refill])} if self.refill else {}
        return {**last, **lessons, **self.gate.arrays(), **mean, **moved, **refill}

    def keep_state(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes them back; without lessons, as in a run that was packed without them, all windows are played anew."""

        def put(before: str, names: tuple[str, ...]) -> list[Tensor]:
            return [tensor_of(arrays[before + name]).to(self.device) for name in names]

        whole = all(LAST + name in arrays for name in Moves._fields)  # checkpoints of earlier versions may lack some
        self.last = Moves(*put(LAST, Moves._fields)) if whole else None
        self.replay.kept.clear()
        while f"{REPLAY}{len(self.replay.kept)}/states" in arrays:
            self.replay.add(Lessons(*put(f"{REPLAY}{len(self.replay.kept)}/", Lessons._fields)))
        lost = self.last is not None and not self.replay.kept
        self.refill = self.settings.replay if lost else int(arrays[REFILL][0]) if REFILL in arrays else 0
        self.play.moved = tensor_of(arrays[MOVED]).to(self.device)
        self.gate.restore(arrays)
        if self.settings.gate:
            self.mean.restore({name.removeprefix(MEAN): found for name, found in arrays.items()}, self.mean.steps)

    @property
    def notice(self) -> str:
        """That lessons come anew, where they do."""
        if not self.refill:
            return ""
        windows = "one window" if self.refill == 1 else f"{self.refill} windows"
        moves = "one move" if self.settings.window == 1 else f"{self.settings.window} moves"
        return f"the run has no replay buffer; {windows} of {moves} are played, not counted, before learning goes on."

    def metadata(self) -> dict[str, str]:
        """What is needed to play besides."""
        return {**super().metadata(), "outputs": outputs_of(self.settings.policy, self.head.output)}

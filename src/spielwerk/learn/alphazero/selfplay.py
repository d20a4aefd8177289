"""SearchedPlay: many games at once, move by move, each move found by a tree search that the network guides."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.learn.alphazero.settings import Settings
from spielwerk.learn.neural.estimator import NetworkEstimator
from spielwerk.learn.neural.heads import Head, ScoreHead
from spielwerk.learn.neural.rows import begin_rows, cut_rows, lot_rows, wander_rows
from spielwerk.learn.neural.schedule import random_turns
from spielwerk.learn.neural.tensors import array, tensor
from spielwerk.search.forest.forest import Forest
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.trees.selection import GUMBEL
from spielwerk.search.trees.tree import Steering


class Moves(NamedTuple):
    """A move on every board: what stood there before, what the search found, and what stood there after it."""

    states: Tensor  # [n, WORDS]
    movers: Tensor  # [n]
    kept: Tensor  # [n, outputs]: what the position before the move is worth, by seat
    counts: Tensor  # [n]: legal actions whose shares are to be learned; 0 where the search says little
    actions: Tensor  # [m]
    shares: Tensor  # [m]: what the search makes of the policy
    after: Tensor  # [n, WORDS]
    actors: Tensor  # [n]: who acts next after the move; OVER at the end, and where the game is cut off
    rolling: Tensor  # [n]: whether a roll is due then
    results: Tensor  # [n, outputs]: how the game ended, by seat
    wandered: Tensor  # [n]: whether what follows says nothing of the position: its move was random, or it was the last


class SearchedPlay:
    """Boards on which all seats play by searches with the same network."""

    def __init__(self, batch: Batch, head: Head, estimator: NetworkEstimator, settings: Settings) -> None:
        self.batch, self.head, self.estimator, self.settings = batch, head, estimator, settings
        steering = Steering(
            simulations=0, turns=NO_LIMIT, sampled=True, played_out=False, rollout=0, by_mean=False, k=settings.k
        )
        most = max(settings.simulations, settings.simulations_end)
        nodes = nodes_for(batch, most)
        self.forest = Forest(
            batch.game, estimator, steering, nodes, settings.select, batch.device, scale=float(settings.scale)
        )
        self.random_turns = batch.arrays.array(random_turns(settings.starts), "int64")
        self.steps: Any = None  # what was played on each board since its tree was planted; None: there are no trees
        self.moved = torch.zeros(len(batch), dtype=torch.int64, device=batch.device)  # moves of each game so far

    def move(self, simulations: int) -> Moves:
        """Rolls, searches and plays on every board, then begins new games."""
        batch, arrays = self.batch, self.batch.arrays
        batch.roll()
        states, movers = tensor(arrays.copy(batch.states)), tensor(batch.movers)
        full = self._full()
        self._search(simulations if full else min(self.settings.capped, simulations), noise=full)
        legal, shares = batch.actions(), self.forest.policies()
        counts = tensor(legal.offsets).diff()
        taught = (counts > 1) & full
        owners = tensor(legal.owners)
        kept = self._kept(movers)
        chosen, wandered = self._chosen()
        batch.play(chosen, check=False)
        self.steps = chosen if self.settings.reuse else None
        after, actors = tensor(arrays.copy(batch.states)), tensor(batch.actors)
        rolling, results = tensor(batch.movers) == CHANCE, self.head.results(batch)
        cut = self._cut(actors)
        self._begin(cut)
        self.moved = torch.where((actors == OVER) | cut, 0, self.moved + 1)
        learned = taught[owners].nonzero()[:, 0]
        policy = tensor(legal.values)[learned], tensor(shares)[learned].float()
        ends = actors.masked_fill(cut, OVER), rolling & ~cut, results, wandered | cut
        return Moves(states, movers, kept, counts * taught, *policy, after, *ends)

    def forget(self) -> None:
        """Lets go of all trees, so that what follows depends on the boards alone."""
        self.steps = None

    def _full(self) -> bool:
        """Whether the searches of this move are full, and not capped: the same on all boards, so that they keep step.

        The first board's random stream decides, since streams are saved.
        """
        if not self.settings.caps:
            return True
        arrays, short = self.batch.arrays, self.batch.arrays.full((1,), 0, "int64")
        share = arrays.array([self.settings.caps], "float64")
        self.batch.run(lot_rows, self.batch.rngs, share, short, rows=1)
        return not int(short[0])

    def _search(self, simulations: int, noise: bool) -> None:
        """A tree for each board; `noise` is for searches that teach, and others play as well as they can."""
        given, forest = self.settings, self.forest
        if self.steps is None:
            forest.plant(self.batch, self.batch.rngs)
        else:
            forest.advance(self.batch, self.steps)
        if given.select == GUMBEL:
            forest.search(simulations, given.considered, noise)
        else:
            if given.noise and noise:
                forest.add_noise(given.noise, given.noise_share)
            forest.grow(simulations)

    def _chosen(self) -> tuple[Any, Tensor]:
        """The action to play on each board, and whether it was drawn at random."""
        arrays, chosen = self.batch.arrays, self._found()
        wandered = arrays.full((len(self.batch),), 0, "int64")
        if self.settings.epsilon:
            share = arrays.array([self.settings.epsilon], "float64")
            self.batch.run(wander_rows, self.batch.states, self.batch.rngs, share, chosen, wandered)
        return chosen, tensor(wandered) != 0

    def _found(self) -> Any:
        """What the searches say is to be played."""
        given = self.settings
        if given.select == GUMBEL:
            return self.forest.choices()
        early = self.moved < given.temperature_moves
        return self.forest.drawn(array(self.batch, torch.where(early, given.temperature, 0.0).double()))

    def _cut(self, actors: Tensor) -> Tensor:
        """Whose games end here though they are not over; the search has the last word on their worth."""
        horizon = self.settings.horizon
        return (actors != OVER) & (self.moved + 1 >= horizon) if horizon else torch.zeros_like(actors, dtype=torch.bool)

    def _begin(self, cut: Tensor) -> None:
        """New games where one was cut off or is over."""
        batch, lots = self.batch, (self.batch.states, self.batch.rngs)
        if self.settings.horizon:
            batch.run(cut_rows, *lots, array(batch, cut.long()), self.random_turns)
        batch.run(begin_rows, *lots, self.random_turns)

    def _kept(self, movers: Tensor) -> Tensor:
        """What the positions are worth by seat: by the search where it says that, by the network for the rest."""
        if isinstance(self.head, ScoreHead):
            found = tensor(self.forest.values()).float()[:, None]
            return self.head.by_seat(found, movers)
        return self.estimator.kept(self.batch).to(movers.device)


def nodes_for(batch: Batch, simulations: int) -> int:
    """Nodes of a tree: no more than its simulations can fill."""
    constants = batch.game.constants
    return 1 + (simulations + 1) * max(constants["MOST_MOVES"], constants["MOST_OUTCOMES"])

"""SelfPlay: many games at once, turn by turn, by what a network says of the ends of all turns.

It lies where the boards lie: on the CPU in numpy, which torch shares, or on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.expansion import Afterstates
from spielwerk.games.expansion_rows import move_rows
from spielwerk.games.rules import OVER
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.rows import begin_rows
from spielwerk.learn.neural.schedule import random_turns
from spielwerk.learn.neural.tensors import array, seen, tensor
from spielwerk.learn.td.neural.rolls import Rolls, every_roll, one_roll
from spielwerk.learn.td.neural.rows import best_rows, explore_rows

Network = Callable[[Tensor], Tensor]
PIECE = {"cpu": 1 << 15, "cuda": 1 << 21}  # ends of turns that the network looks at together


class Ends(NamedTuple):
    """Where turns ended, one on every board: rows are [boards, …]."""

    states: Tensor
    actors: Tensor  # who acts next there; OVER at the end of a game
    kept: Tensor  # what that says by seat: the network's outputs, or how the game ended
    best: Tensor  # the same of the best end, which is another one where the turn was random
    random: Tensor  # whether the turn was random and not the best one
    luck: Tensor  # how much the best end says more than the mean over all rolls; 0 where only one roll was looked at

    @property
    def over(self) -> Tensor:
        """Whether the game is over."""
        return self.actors == OVER


class Looked(NamedTuple):
    """The ends of all turns of some boards, and what the network says of them."""

    after: Afterstates
    movers: Tensor  # [boards]
    actors: Tensor  # [ends]: who acts next
    outputs: Tensor  # [ends, outputs]
    worths: Tensor  # [ends]: to the mover of the board
    best: Tensor  # [boards]: the number of the best end


class SelfPlay:
    """Boards on which all seats play by the same network; with `every`, turns are looked at after every roll."""

    def __init__(self, batch: Batch, head: Head, inputs: str, starts: str, every: bool = False) -> None:
        self.batch, self.head, self.inputs = batch, head, inputs
        self.rolled = every_roll if every else one_roll
        self.random_turns = batch.arrays.array(random_turns(starts), "int64")

    def begin(self) -> None:
        """A new game on every board that is over."""
        self.batch.run(begin_rows, self.batch.states, self.batch.rngs, self.random_turns)

    def turn(self, network: Network, epsilon: float) -> Ends:
        """Rolls and takes a turn on every board, then begins new games; a share `epsilon` of the turns is random."""
        rolls = self.rolled(self.batch)
        return self.take(self.look(network, rolls.batch), rolls, epsilon)

    def look(self, network: Network, batch: Batch) -> Looked:
        """What the network says of all turns on boards that need no roll."""
        after, movers = batch.afterstates(), tensor(batch.movers)
        outputs, actors = self._outputs(network, after.batch), tensor(after.batch.actors)
        worths = self._worths(after, outputs, actors, movers)
        best = batch.arrays.empty((len(batch),), "int64")
        batch.run(best_rows, after.offsets, array(batch, worths), best)
        return Looked(after, movers, actors, outputs, worths, tensor(best))

    def take(self, looked: Looked, rolls: Rolls, epsilon: float) -> Ends:
        """The turns of those rolls that were drawn."""
        batch, arrays = self.batch, self.batch.arrays
        offsets = tensor(looked.after.offsets)
        firsts, lasts, best = (rolls.of_drawn(part) for part in (offsets[:-1], offsets[1:], looked.best))
        share, chosen = arrays.array([epsilon], "float64"), arrays.empty((len(batch),), "int64")
        batch.run(explore_rows, *(array(batch, part) for part in (firsts, lasts, best)), batch.rngs, share, chosen)
        batch.run(move_rows, batch.states, looked.after.batch.states, chosen)
        taken = tensor(chosen)
        said = self._kept(looked, looked.best)
        finest = rolls.of_drawn(said)
        kept = self._kept(looked, taken) if epsilon > 0 else finest
        states = tensor(arrays.copy(batch.states))
        ends = Ends(states, looked.actors[taken], kept, finest, taken != best, finest - rolls.mean(said))
        self.begin()
        return ends

    def _outputs(self, network: Network, ends: Batch) -> Tensor:
        """What the network says of all ends, some at a time."""
        piece, made = PIECE[ends.device], []
        for first in range(0, len(ends), piece):
            part = ends if len(ends) <= piece else ends.sibling(ends.states[first : first + piece])
            made.append(self.head.outputs(network(seen(part, self.inputs)).float()))
        return made[0] if len(made) == 1 else torch.cat(made)

    def _worths(self, after: Afterstates, outputs: Tensor, actors: Tensor, movers: Tensor) -> Tensor:
        """What each end is worth to the player who took the turn: where the game is over, its score."""
        players = movers[tensor(after.owners)]
        worths = self.head.worths(outputs, actors, players)
        over = (actors == OVER).nonzero()[:, 0]
        if len(over):
            finished = after.batch.sibling(array(after.batch, tensor(after.batch.states)[over]))
            scores = tensor(finished.scores()).float()
            worths[over] = scores.gather(1, players[over][:, None])[:, 0]
        return worths

    def _kept(self, looked: Looked, chosen: Tensor) -> Tensor:
        """What the chosen ends say by seat."""
        ends, actors = looked.after.batch, looked.actors[chosen]
        results = self.head.results(ends.sibling(array(ends, tensor(ends.states)[chosen])))
        return torch.where((actors == OVER)[:, None], results, self.head.by_seat(looked.outputs[chosen], actors))

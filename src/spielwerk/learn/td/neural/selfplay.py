"""SelfPlay: many games at once, turn by turn, by what a network says of the ends of all turns.

It lies where the boards lie: on the CPU in numpy, which torch shares, or on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.expansion import Afterstates
from spielwerk.games.rules import OVER
from spielwerk.learn.td.neural.heads import Head
from spielwerk.learn.td.neural.rows import begin_rows, choose_rows

Network = Callable[[Tensor], Tensor]
PIECE = {"cpu": 1 << 15, "cuda": 1 << 21}  # ends of turns that the network looks at together


class Ends(NamedTuple):
    """Where turns ended, one on every board: rows are [boards, …]."""

    states: Tensor
    actors: Tensor  # who acts next there; OVER at the end of a game
    kept: Tensor  # what that says by seat: the network's outputs, or how the game ended
    best: Tensor  # the same of the best end, which is another one where the turn was random
    random: Tensor  # whether the turn was random and not the best one

    @property
    def over(self) -> Tensor:
        """Whether the game is over."""
        return self.actors == OVER


class SelfPlay:
    """Boards on which all seats play by the same network."""

    def __init__(self, batch: Batch, head: Head, inputs: str, random_turns: int) -> None:
        self.batch, self.head, self.inputs = batch, head, inputs
        self.random_turns = batch.arrays.full((1,), random_turns, "int64")  # most of them before a game begins

    def begin(self) -> None:
        """A new game on every board that is over."""
        self.batch.run(begin_rows, self.batch.states, self.batch.rngs, self.random_turns)

    def turn(self, network: Network, epsilon: float) -> Ends:
        """Rolls and takes a turn on every board, then begins new games; a share `epsilon` of the turns is random."""
        batch, arrays = self.batch, self.batch.arrays
        batch.roll()
        after = batch.afterstates()
        outputs, actors = self._outputs(network, after.batch), tensor(after.batch.actors)
        worths = self._worths(after, outputs, actors, tensor(batch.movers))
        best, chosen = (arrays.empty((len(batch),), "int64") for _ in range(2))
        share = arrays.array([epsilon], "float64")
        batch.run(choose_rows, after.offsets, array(batch, worths), batch.rngs, share, best, chosen)
        batch.take(after, chosen, check=False)
        kept = self._kept(after.batch, outputs, actors, tensor(chosen))
        random = tensor(chosen) != tensor(best)
        finest = self._kept(after.batch, outputs, actors, tensor(best)) if epsilon > 0 else kept
        ends = Ends(tensor(arrays.copy(batch.states)), actors[tensor(chosen)], kept, finest, random)
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

    def _kept(self, ends: Batch, outputs: Tensor, actors: Tensor, chosen: Tensor) -> Tensor:
        """What the chosen ends say by seat."""
        states = array(ends, tensor(ends.states)[chosen])
        actors = actors[chosen]
        results = self.head.results(ends.sibling(states))
        return torch.where((actors == OVER)[:, None], results, self.head.by_seat(outputs[chosen], actors))


def seen(batch: Batch, inputs: str) -> Tensor:
    """How those who act next see the boards, a flat row each."""
    return tensor(batch.observe(inputs)).flatten(1)


def tensor(array: Any) -> Tensor:
    """An array of a batch as a tensor, without a copy."""
    return torch.as_tensor(array)


def array(batch: Batch, found: Tensor) -> Any:
    """A tensor as the kernels of a batch take it, without a copy where it lies in one piece."""
    return found.contiguous() if batch.device == "cuda" else found.contiguous().numpy()

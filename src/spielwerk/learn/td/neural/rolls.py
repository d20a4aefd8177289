"""Rolls of many boards: one drawn on each, looked at alone or beside all others that were possible.

With all of them the luck of a roll is known: what its best turn says, less the mean of that over all rolls. It is 0 on
average whatever the network says, so that targets without it have the same mean and vary far less.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.learn.neural.tensors import array, tensor
from spielwerk.search.rollout import draw_rows


@dataclass(frozen=True)
class Rolls:
    """Boards after a roll that may be looked at, and those which were drawn."""

    batch: Batch  # the boards after the rolls
    owners: Tensor | None = None  # [rolls]: the board of each; None: there is one for each board
    weights: Tensor | None = None  # [rolls, 1]
    drawn: Tensor | None = None  # [boards]: the roll that was drawn for each

    def of_drawn(self, values: Tensor) -> Tensor:
        """Of the values of all rolls, those of the rolls that were drawn."""
        return values if self.drawn is None else values[self.drawn]

    def mean(self, values: Tensor) -> Tensor:
        """The mean of the values [rolls, …] by the weights of the rolls, for each board; of one roll, itself."""
        if self.owners is None or self.weights is None or self.drawn is None:
            return values
        sums = values.new_zeros((len(self.drawn), values.shape[1] + 1))
        return sums.index_add_(0, self.owners, self._weighted(values))[:, :-1] / sums[:, -1:]

    def _weighted(self, values: Tensor) -> Tensor:
        """The values times the weights, and behind them the weights themselves."""
        assert self.weights is not None
        return torch.cat([values, torch.ones_like(values[:, :1])], dim=1) * self.weights


def one_roll(batch: Batch) -> Rolls:
    """The boards themselves, after a roll where one is due."""
    batch.roll()
    return Rolls(batch)


def every_roll(batch: Batch) -> Rolls:
    """Each board after every roll that is possible there, or as it is where none is due."""
    outcomes = batch.outcomes()
    counts = tensor(outcomes.offsets).diff()
    offsets = batch.arrays.offsets(array(batch, counts.clamp(min=1)))
    owners = tensor(batch.arrays.owners(offsets, int(offsets[-1])))
    due, values = (counts > 0)[owners], torch.full_like(owners, -1)  # below 0: no roll
    weights = torch.ones_like(owners)
    values[due], weights[due] = tensor(outcomes.values), tensor(outcomes.weights)
    drawn = batch.arrays.empty((len(batch),), "int64")
    batch.run(draw_rows, offsets, array(batch, weights), batch.rngs, drawn)
    rolled = batch.sibling(array(batch, tensor(batch.states)[owners]))
    rolled.roll(array(batch, values), check=False)
    return Rolls(rolled, owners, weights[:, None].float(), tensor(drawn))

"""Priors in tensors, which stay where they lie: the same as in `search/turn_priors.py`."""

from __future__ import annotations

import torch
from torch import Tensor

from spielwerk.games.batch import Ragged
from spielwerk.games.expansion import Afterstates
from spielwerk.learn.neural.tensors import tensor


def of_scores(scores: Tensor, ends: Afterstates, legal: Ragged, actions: int) -> Tensor:
    """The prior of each legal action, ragged as they are, from the scores of all ends, [m].

    `actions` is how many action numbers the game has.
    """
    given = (ends.owners, ends.first, legal.owners, legal.values)
    end_owners, first, owners, values = (tensor(array).to(scores.device) for array in given)
    shares = softmax(scores, end_owners, len(ends.offsets) - 1)
    keys = owners * actions + values  # ascending, as boards and the actions of each do
    places = torch.searchsorted(keys, end_owners * actions + first)
    return shares.new_zeros(len(keys)).index_add(0, places, shares)


def softmax(given: Tensor, owners: Tensor, boards: int) -> Tensor:
    """The softmax among what belongs to the same board, as ragged as it is given."""
    highest = given.new_full((boards,), -torch.inf).scatter_reduce(0, owners, given, "amax")
    weights = torch.exp(given - highest[owners])
    return weights / weights.new_zeros(boards).index_add(0, owners, weights)[owners]

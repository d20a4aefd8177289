"""Siblings: the turns of a decision between which the network is unsure, to be played on side by side.

Each is played on with the same dice, so that what follows differs by the turn and less by luck.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from spielwerk.games.batch import Batch
from spielwerk.games.rules import OVER
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.tensors import array, tensor
from spielwerk.learn.td.neural.selfplay import Ends, Looked

TEMPERATURE = 0.02  # points: siblings that differ by less are chosen almost alike


class Siblings(NamedTuple):
    """The best ends of decisions, one after the other."""

    ends: Tensor  # [m]: their numbers among all ends that were looked at
    groups: Tensor  # [decisions, most]: places in `ends`, the best first; a decision with fewer repeats its best
    real: Tensor  # [decisions, most]: whether it is not such a repetition


def unsure(looked: Looked, most: int, margin: float) -> Siblings:
    """Of each decision the best ends, up to `most`, that are at most `margin` points behind the best of all.

    A decision with only one of them is none, nor one that can be won at once.
    """
    owners, going = tensor(looked.after.owners), looked.actors != OVER
    near = going & going[looked.best][owners] & (looked.worths >= looked.worths[looked.best][owners] - margin)
    ends = near.nonzero()[:, 0]
    ends = ends[torch.sort(looked.worths[ends], descending=True, stable=True).indices]
    ends = ends[torch.sort(owners[ends], stable=True).indices]
    ends, counts = _first_of_each(ends, owners, len(looked.best), most)
    ends = ends[counts[owners[ends]] > 1]
    counts = counts[counts > 1]
    places = torch.arange(most, device=ends.device)
    real = places < counts[:, None]
    return Siblings(ends, (counts.cumsum(0) - counts)[:, None] + torch.where(real, places, 0), real)


def _first_of_each(ends: Tensor, owners: Tensor, boards: int, most: int) -> tuple[Tensor, Tensor]:
    """The first ends of each board, and how many it has; `ends` are in the order of their boards."""
    counts = torch.bincount(owners[ends], minlength=boards)
    places = torch.arange(len(ends), device=ends.device) - (counts.cumsum(0) - counts)[owners[ends]]
    return ends[places < most], counts.clamp(max=most)


def branches(batch: Batch, looked: Looked, siblings: Siblings, head: Head) -> tuple[Batch, Ends]:
    """A board for each sibling, those of one decision with equal random streams; and how they stand there."""
    after, chosen = looked.after.batch, siblings.ends
    states, actors = tensor(after.states)[chosen], looked.actors[chosen]
    owners = array(batch, tensor(looked.after.owners)[chosen])
    made = batch.sibling(array(batch, states.clone()), batch.arrays.rows(batch.rngs, owners))
    said = head.by_seat(looked.outputs[chosen], actors)
    never = torch.zeros_like(actors, dtype=torch.bool)
    return made, Ends(states, actors, said, said, never, torch.zeros_like(said))


def regret(head: Head, logits: Tensor, wanted: Tensor, actors: Tensor, players: Tensor, real: Tensor) -> Tensor:
    """The points that a player loses on average who chooses among siblings by a softmax of what the network says.

    Rows are those of `groups`, one decision after the other. The wanted values count as they are, not by their order,
    so that noise in them is 0 on average.
    """
    said, known = (head.worths(outputs, actors, players).view(real.shape) for outputs in (head.outputs(logits), wanted))
    shares = functional.softmax((said / TEMPERATURE).masked_fill(~real, -torch.inf), dim=1)
    return (shares * (known.amax(dim=1, keepdim=True) - known)).sum(1).mean()

"""Preparing: lessons made into what a network sees and should say, for many minibatches at once.

To prepare a minibatch takes many small kernels; on a GPU that is longer than the step itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from spielwerk.games.batch import Batch, Ragged
from spielwerk.learn.alphazero.lessons import Lessons
from spielwerk.learn.alphazero.losses import dense
from spielwerk.learn.neural.tensors import array, seen, tensor


class Ends(NamedTuple):
    """The ends of all turns of some boards, as a network sees them; boards may have none."""

    inputs: Tensor  # [m, inputs]
    owners: Tensor  # [m]: the board of each
    first: Tensor  # [m]: the first action of the turn that leads there
    offsets: np.ndarray  # [n + 1]: where those of each board begin

    def of(self, boards: slice) -> tuple[Tensor, Tensor, Tensor]:
        """Those of some boards, which are numbered from 0."""
        here = slice(int(self.offsets[boards.start]), int(self.offsets[boards.stop]))
        return self.inputs[here], self.owners[here] - boards.start, self.first[here]


class Preparing:
    """Prepares lessons where the boards lie, each position mirrored by a symmetry of its own; `ends` as the policy."""

    def __init__(self, boards: Batch, inputs: str, ends: bool, symmetry: bool) -> None:
        self.boards, self.inputs, self.ends = boards, inputs, ends
        self.symmetries = boards.game.constants["SYMMETRIES"] if symmetry else 1

    def minibatches(
        self, kept: Lessons, drawn: Sequence[Tensor], source: Callable[[], torch.Generator]
    ) -> Iterator[tuple[Tensor, ...]]:
        """For each minibatch of rows: inputs, values, policies; then the legal actions, or ends, owners and actions."""
        lessons = kept.of(torch.cat(tuple(drawn)))
        batch = self._at(lessons.states)
        if self.symmetries > 1:
            symmetries = torch.randint(
                self.symmetries, (len(lessons.states),), generator=source(), device=lessons.states.device
            )
            lessons = lessons._replace(actions=self._turned(batch, lessons, symmetries))
            batch = batch.turned(array(batch, symmetries))
        inputs, shares = seen(batch, self.inputs), dense(lessons, batch.game.constants["ACTIONS"])
        more = self._ends(batch, lessons.counts).of if self.ends else _legal(batch)
        last = 0
        for rows in drawn:
            here = slice(last, last + len(rows))
            last = here.stop
            yield inputs[here], lessons.wanted[here], shares[here], *more(here)

    def _at(self, states: Tensor) -> Batch:
        return self.boards.sibling(array(self.boards, states))

    def _turned(self, batch: Batch, lessons: Lessons, symmetries: Tensor) -> Tensor:
        """The actions on the mirrored boards."""
        offsets = batch.arrays.offsets(array(batch, lessons.counts))
        owners = batch.arrays.owners(offsets, len(lessons.actions))
        given = Ragged(array(batch, lessons.actions), offsets, owners)
        return tensor(batch.turned_actions(array(batch, symmetries), given).values)

    def _ends(self, batch: Batch, counts: Tensor) -> Ends:
        """The ends of all turns of the boards that have a policy to learn."""
        boards = counts.nonzero()[:, 0]
        part = self._at(tensor(batch.states)[boards])
        after = part.afterstates()
        owners = boards[tensor(after.owners)]
        offsets = torch.searchsorted(owners, torch.arange(len(counts) + 1, device=owners.device))
        inputs = seen(after.batch, self.inputs, after.viewers(part))
        return Ends(inputs, owners, tensor(after.first), offsets.cpu().numpy())


def _legal(batch: Batch) -> Callable[[slice], tuple[Tensor]]:
    """Which actions are legal, for some boards at a time."""
    mask = tensor(batch.mask())
    return lambda here: (mask[here],)

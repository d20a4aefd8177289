"""Expansion: the ends of all whole turns of many boards, level by level.

A level holds, board by board, the nodes of its mover's turn in depth-first order. The next level has the children
of each node that is unfinished in its place, and every finished one as it is: counted, summed up, then filled by
one thread a child. Different ways to the same end are found where a turn took more than one action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spielwerk.games import expansion_rows as kernels
from spielwerk.kernel.arrays import Array

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch


class Afterstates(NamedTuple):
    """The ends of all turns, those of board i from `offsets[i]` to `offsets[i + 1] - 1`."""

    batch: Batch  # of the m ends
    owners: Array  # [m] int64: the board from which each came
    offsets: Array  # [n + 1] int64
    first: Array  # [m] int64: the first action of the turn that leads there

    def viewers(self, boards: Batch) -> Array:
        """As whom to see each end, also of a game that is over: who follows on the mover of its board; [m] int64."""
        return boards.arrays.rows((boards.movers + 1) % boards.game.players, self.owners)

    def only(self, ends: Array) -> Afterstates:
        """Some of the ends, given by number in their order."""
        arrays, owners = self.batch.arrays, self.owners[ends]
        counts = arrays.array(np.bincount(arrays.host(owners), minlength=len(self.offsets) - 1), "int64")
        return Afterstates(self.batch.select(ends), owners, arrays.offsets(counts), self.first[ends])


class Level(NamedTuple):
    """The nodes of all boards' turns after some actions."""

    states: Array  # [m, WORDS]
    unfinished: Array  # [m] uint8
    owners: Array  # [m]
    offsets: Array  # [boards + 1]
    first: Array  # [m]


def expand(batch: Batch) -> Afterstates:
    """What `Batch.afterstates` returns."""
    longer = batch.arrays.full((len(batch),), 0, "uint8")  # whether a turn takes more than one action
    level, several = _first_level(batch, longer), False
    while bool(level.unfinished.any()):
        level, several = _next_level(batch, level, longer), True
    if several:
        level = _without_repeats(batch, level, longer)
    return Afterstates(batch.sibling(level.states), level.owners, level.offsets, level.first)


def children(batch: Batch, states: Array, unfinished: Array, kept: int = 0) -> tuple[Array, Array, Array]:
    """Offsets, parents and actions of the children of all nodes; one that is finished has itself, `kept` times."""
    arrays, nodes = batch.arrays, len(states)
    counts, keep = arrays.empty((nodes,), "int64"), arrays.full((1,), kept, "int64")
    batch.run(kernels.child_count_rows, states, unfinished, keep, counts, rows=nodes)
    offsets = arrays.offsets(counts)
    total = int(offsets[-1])
    actions = arrays.empty((total,), "int64")
    batch.run(kernels.child_action_rows, states, unfinished, offsets, actions, rows=nodes)
    return offsets, arrays.owners(offsets, total), actions


def _first_level(batch: Batch, longer: Array) -> Level:
    """Each action of each board."""
    offsets, parents, actions = children(batch, batch.states, batch.unfinished())
    states, unfinished = _played(batch, batch.states, parents, actions, parents, longer)
    return Level(states, unfinished, parents, offsets, actions)


def _next_level(batch: Batch, level: Level, longer: Array) -> Level:
    """The turns that go on by one more action, the others as they are."""
    arrays = batch.arrays
    offsets, parents, actions = children(batch, level.states, level.unfinished, kept=1)
    owners, first = arrays.rows(level.owners, parents), arrays.rows(level.first, parents)
    states, unfinished = _played(batch, level.states, parents, actions, owners, longer)
    return Level(states, unfinished, owners, arrays.rows(offsets, level.offsets), first)


def _played(
    batch: Batch, states: Array, parents: Array, actions: Array, owners: Array, longer: Array
) -> tuple[Array, Array]:
    """The positions after these actions of these nodes, and which turns go on."""
    total = len(parents)
    after, unfinished = batch.arrays.empty((total, states.shape[1]), "int64"), batch.arrays.empty((total,), "uint8")
    batch.run(kernels.child_rows, states, parents, actions, owners, after, unfinished, longer, rows=total)
    return after, unfinished


def _without_repeats(batch: Batch, level: Level, longer: Array) -> Level:
    """Only the first of equal ends of a board."""
    arrays, total = batch.arrays, len(level.states)
    slots, taken = arrays.full((2 * total,), kernels.FREE, "int32"), arrays.empty((total,), "int32")
    claims = (level.offsets, longer, slots, taken)
    if batch.device == "cuda":
        batch.run(kernels.claim_rows, level.states, level.owners, *claims, rows=total)
    else:
        batch.run(kernels.claim_board_rows, level.states, *claims)
    kept = arrays.empty((total,), "uint8")
    batch.run(kernels.first_rows, level.owners, longer, slots, taken, kept, rows=total)
    stay = arrays.nonzero(kept)
    offsets = arrays.rows(arrays.offsets(kept), level.offsets)
    states, unfinished, owners, _, first = level
    states, owners, first = (arrays.rows(array, stay) for array in (states, owners, first))
    return Level(states, unfinished, owners, offsets, first)

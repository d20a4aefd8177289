"""Expansion: the ends of all whole turns of many boards, level by level.

A level holds, board by board, the nodes of its mover's turn in depth-first order. The next level has the children
of each node that is unfinished in its place, and every finished one as it is: counted, summed up, then filled by
one thread a child. Different ways to the same end are found where a turn took more than one action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    level = _children(batch, _roots(batch), longer, 0)
    several = False
    while bool(level.unfinished.any()):
        level, several = _children(batch, level, longer, 1), True
    if several:
        level = _without_repeats(batch, level, longer)
    return Afterstates(batch.sibling(level.states), level.owners, level.offsets, level.first)


def _roots(batch: Batch) -> Level:
    n, arrays = len(batch), batch.arrays
    unfinished = arrays.empty((n,), "uint8")
    batch.run(kernels.open_rows, batch.states, unfinished)
    offsets = arrays.offsets(arrays.full((n,), 1, "int64"))
    return Level(batch.states, unfinished, offsets[:-1], offsets, offsets[:-1])


def _children(batch: Batch, level: Level, longer: Array, kept: int) -> Level:
    """The next level; a finished node is `kept` once, or not at all where it is a board without a turn."""
    arrays, nodes = batch.arrays, len(level.states)
    counts = arrays.empty((nodes,), "int64")
    keep = arrays.full((1,), kept, "int64")
    batch.run(kernels.child_count_rows, level.states, level.unfinished, keep, counts, rows=nodes)
    offsets = arrays.offsets(counts)
    total = int(offsets[-1])
    parents, actions = arrays.owners(offsets, total), arrays.empty((total,), "int64")
    batch.run(kernels.child_action_rows, level.states, level.unfinished, offsets, actions, rows=nodes)
    owners = arrays.rows(level.owners, parents) if kept else parents
    first = arrays.rows(level.first, parents) if kept else actions
    states, unfinished = arrays.empty((total, level.states.shape[1]), "int64"), arrays.empty((total,), "uint8")
    made = (level.states, parents, actions, owners, states, unfinished, longer)
    batch.run(kernels.child_rows, *made, rows=total)
    return Level(states, unfinished, owners, arrays.rows(offsets, level.offsets), first)


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

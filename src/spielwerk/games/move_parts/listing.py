"""Legal moves of many boards, in parts: those of board i from `offsets[i]` to `offsets[i + 1] - 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spielwerk.games.move_parts.rows import move_rows, part_rows, phase_rows, rule_rows
from spielwerk.kernel.arrays import Array

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch
    from spielwerk.games.game import Game


class Moves(NamedTuple):
    """All legal moves of a batch, wherever that lies."""

    parts: Array  # [m, parts] int16
    played: Array  # [m, actions of a move] int32: the actions; -1 behind the last one
    owners: Array  # [m] int64: the board of each
    offsets: Array  # [n + 1] int64


def legal_moves(batch: Batch) -> Moves:
    """Of each board's mover; none where nobody is to move."""
    game, arrays, n = batch.game, batch.arrays, len(batch)
    room = arrays.empty((n, max(game.constants["MOST_MOVES"], 1)), "int64")
    counts = arrays.empty((n,), "int64")
    offsets, lists = arrays.full((n + 1,), 0, "int64"), _lists(batch, 1)
    for listing in (0, 1):
        wanted = arrays.full((1,), listing, "int64")
        batch.run(move_rows, batch.states, room, offsets, counts, wanted, *lists, **_bound(game))
        if not listing:
            offsets = arrays.offsets(counts) if n else offsets
            lists = _lists(batch, int(offsets[-1]))
    return Moves(*lists, arrays.owners(offsets, len(lists[0])), offsets)


def _lists(batch: Batch, total: int) -> tuple[Array, Array]:
    """Room for so many moves."""
    parts = batch.game.move_parts
    empty = batch.arrays.empty
    return empty((total, len(parts.sizes)), "int16"), empty((total, parts.actions), "int32")


def parts_of(batch: Batch, played: Array) -> Array:
    """The parts of a legal move on each board, from its actions [n, actions of a move]; int16 [n, parts]."""
    parts = batch.arrays.empty((len(batch), len(batch.game.move_parts.sizes)), "int16")
    batch.run(part_rows, batch.states, played, parts, **_bound(batch.game))
    return parts


def _bound(game: Game) -> dict[str, Any]:
    """What the kernels of parts are bound to."""
    parts = game.move_parts
    found: dict[str, Any] = {"ACTIONS_A_MOVE": parts.actions, "write_parts": parts.write_parts}
    return found | {"NONE": np.array(parts.sizes, np.int64) - 1}


def broken_rules(batch: Batch, parts: Array) -> Array:
    """The number of the first rule that a move breaks on each board, -1 where it is legal; [n] int64."""
    rules = batch.arrays.empty((len(batch),), "int64")
    batch.run(rule_rows, batch.states, parts, rules, broken=batch.game.move_parts.broken)
    return rules


def phases(batch: Batch) -> Array:
    """The number of the phase of each board's mover, 0 where the game tells none apart; [n] int64."""
    found = batch.arrays.full((len(batch),), 0, "int64")
    if batch.game.move_parts.phase_of:
        batch.run(phase_rows, batch.states, found, phase_of=batch.game.move_parts.phase_of)
    return found

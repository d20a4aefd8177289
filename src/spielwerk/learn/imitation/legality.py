"""Which values of a slot are legal, when the slots before it are decided: prefixes of legal moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.move_parts.listing import Moves, legal_moves
from spielwerk.learn.imitation.slots import Slots


def legal_values(batch: Batch, slots: Slots, decided: np.ndarray) -> np.ndarray:
    """A 1 for each value of each slot with which a legal move begins as decided: uint8 [n, sum of sizes].

    `decided` [n, slots] are the values before and after; a slot depends on those before it alone. The batch lies on the
    CPU.
    """
    return marks(legal_moves(batch), slots, decided)


def marks(listed: Moves, slots: Slots, decided: np.ndarray) -> np.ndarray:
    """The same for moves that are listed already."""
    found = np.zeros((len(listed.offsets) - 1, sum(slots.sizes)), np.uint8)
    values, owners = slots.values(listed.parts), listed.owners
    first = 0
    for slot, size in enumerate(slots.sizes):
        found[owners, first + values[:, slot]] = 1
        same = values[:, slot] == decided[owners, slot]
        values, owners, first = values[same], owners[same], first + size
    return found


def of_slot(found: Any, slots: Slots, slot: int) -> Any:
    """The part of such marks that belongs to one slot."""
    first = sum(slots.sizes[:slot])
    return found[:, first : first + slots.sizes[slot]]

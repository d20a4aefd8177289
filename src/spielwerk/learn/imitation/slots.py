"""Slots: what the outputs of a cascade say one after the other, and so what each network sees of the others.

Mostly a slot is a part of the move, in the order that was asked for; with structure=whole there is one slot, the move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.games.game import Game

CASCADE, HEADS, INDEPENDENT, WHOLE = STRUCTURES = ("cascade", "heads", "independent", "whole")
MOVE = "move"  # the one slot of structure=whole
SHARED = "shared"  # the body of several heads


def key(name: str) -> str:
    """What the modules of a slot are called; "to" alone means something else to torch."""
    return f"of_{name}"


@dataclass(frozen=True)
class Slots:
    """The slots of one game in one order."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    places: tuple[int, ...]  # the part of each slot; none for a whole move
    parts: tuple[int, ...]  # the sizes of all parts, in the game's own order
    seen: bool  # whether a slot depends on what those before it said

    @property
    def given(self) -> int:
        """How many inputs tell what was decided before."""
        return sum(self.sizes[:-1]) if self.seen else 0

    def before(self, slot: int) -> int:
        """How many of them a slot sees."""
        return sum(self.sizes[:slot]) if self.seen else 0

    def values(self, parts: np.ndarray) -> np.ndarray:
        """The values of the slots, [n, slots], of moves [n, parts]."""
        if self.places:
            return parts[:, list(self.places)].astype(np.int64)
        return np.asarray(np.ravel_multi_index(tuple(parts.T.astype(np.int64)), self.parts))[:, None]

    def moves(self, values: np.ndarray) -> np.ndarray:
        """The parts, int16 [n, parts], that the slots say."""
        if self.places:
            return values[:, np.argsort(self.places)].astype(np.int16)
        return np.stack(np.unravel_index(values[:, 0], self.parts), axis=1).astype(np.int16)

    def rows(self, bits: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The inputs of networks: positions [n, bits], and the slots [n, decided] that are decided, a 1 each."""
        rows = np.zeros((len(bits), bits.shape[1] + self.given), np.float32)
        rows[:, : bits.shape[1]] = bits
        if self.seen:
            for slot in range(min(values.shape[1], len(self.sizes) - 1)):
                rows[np.arange(len(bits)), bits.shape[1] + self.before(slot) + values[:, slot]] = 1
        return rows


def slots_of(game: Game, order: str, structure: str) -> Slots:
    """The slots of a game; BadInput where it has no such order."""
    parts = game.move_parts
    places = parts.places(order)
    if structure == WHOLE:
        return Slots((MOVE,), (parts.moves,), (), parts.sizes, False)
    names, sizes = tuple(parts.names[place] for place in places), tuple(parts.sizes[place] for place in places)
    return Slots(names, sizes, places, parts.sizes, structure == CASCADE)

"""Observed moves as tensors, all of them on the device where the networks learn."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.learn.imitation.data.observed import PIECE, Observed
from spielwerk.learn.imitation.legality import legal_values
from spielwerk.learn.imitation.slots import Slots


class Moves(NamedTuple):
    """Positions, the slots of the moves in them, and perhaps which values are legal."""

    bits: Tensor  # [n, bits] uint8, or float32 where a game's inputs are no bits
    values: Tensor  # [n, slots] int64
    legal: Tensor  # [n, sum of sizes] uint8, given the true slots before; [n, 0] where nobody asks for them

    def rows(self, chosen: Tensor) -> Moves:
        """Some of them."""
        return Moves(*(column[chosen] for column in self))

    def to(self, device: str) -> Moves:
        """The same there."""
        return Moves(*(column.to(device) for column in self))

    def __len__(self) -> int:
        return len(self.bits)


def bits_of(game: Game, states: np.ndarray) -> np.ndarray:
    """What networks see of positions: uint8 [n, bits] where that is exact, else float32."""
    inputs = game.move_parts.inputs
    size = math.prod(game.input_form(inputs)[0])
    found = [np.zeros((0, size), np.uint8)]
    for first in range(0, len(states), PIECE):
        seen = Batch(game, states[first : first + PIECE]).observe(inputs).reshape(-1, size)
        small = seen.astype(np.uint8)
        found.append(small if np.array_equal(small, seen) else seen)
    return np.concatenate(found)


def moves_of(given: Observed, slots: Slots, with_legal: bool = False) -> Moves:
    """Observed moves as tensors, on the CPU."""
    values = slots.values(given.parts())
    legal = np.zeros((len(given), 0), np.uint8)
    if with_legal:
        pieces = range(0, len(given), PIECE)
        legal = np.concatenate(
            [legal_values(Batch(given.game, given.states[i : i + PIECE]), slots, values[i : i + PIECE]) for i in pieces]
        )
    return Moves(torch.from_numpy(bits_of(given.game, given.states)), torch.from_numpy(values), torch.from_numpy(legal))


def rows_of(bits: Tensor, values: Tensor, slots: Slots) -> Tensor:
    """The inputs of networks: bits, and a 1 for each decided slot but the last; float32."""
    parts = [bits.float()]
    if slots.seen:
        parts += [
            torch.nn.functional.one_hot(values[:, slot], slots.sizes[slot]).float()
            for slot in range(len(slots.sizes) - 1)
        ]
    return torch.cat(parts, 1)

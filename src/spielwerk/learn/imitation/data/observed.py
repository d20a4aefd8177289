"""Observed: positions, and the move that somebody chose in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts.listing import parts_of
from spielwerk.kernel.random import streams

PIECE = 1 << 16  # positions that are looked at together
EXPONENT = 23  # bits below the exponent of a float32, which are 0 in most inputs: turned round, all bits count


class Best(NamedTuple):
    """All best moves of each position: those of position i from `offsets[i]` to `offsets[i + 1] - 1`."""

    played: np.ndarray  # [m, actions of a move] int32
    offsets: np.ndarray  # [n + 1] int64

    def rows(self, chosen: np.ndarray) -> Best:
        """Of some positions, given by number."""
        counts = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
        return Best(self.played[np.repeat(self.offsets[:-1][chosen], counts) + within], offsets)

    @property
    def owners(self) -> np.ndarray:
        """The position of each move."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@dataclass(frozen=True)
class Observed:
    """Positions as words, and the actions of the move in each; without moves it is only a set of positions."""

    game: Game
    states: np.ndarray  # [n, WORDS] int64
    played: np.ndarray | None = None  # [n, actions of a move] int32; -1 behind the last action
    best: Best | None = None  # where a teacher knows all best moves

    def __len__(self) -> int:
        return len(self.states)

    @property
    def moves(self) -> np.ndarray:
        """The actions, which must be known."""
        assert self.played is not None
        return self.played

    def rows(self, chosen: np.ndarray) -> Observed:
        """Some of them, given by number."""
        played = None if self.played is None else self.played[chosen]
        best = None if self.best is None else self.best.rows(chosen)
        return Observed(self.game, self.states[chosen], played, best)

    def batch(self, threads: int = 1) -> Batch:
        """The positions as boards."""
        return Batch(self.game, self.states, threads=threads)

    def parts(self) -> np.ndarray:
        """The parts of the moves, int16 [n, parts]."""
        return parts_of(self.batch(), self.moves)


def joined(sets: list[Observed]) -> Observed:
    """One set of several; best moves are known where all know them."""
    first, known = sets[0], [one.best for one in sets if one.best is not None]
    played = None if first.played is None else np.concatenate([one.moves for one in sets])
    best = None
    if len(known) == len(sets):
        counts = np.concatenate([np.diff(one.offsets) for one in known])
        best = Best(np.concatenate([one.played for one in known]), np.concatenate([[0], np.cumsum(counts)]))
    return Observed(first.game, np.concatenate([one.states for one in sets]), played, best)


def keys(game: Game, states: np.ndarray) -> np.ndarray:
    """64 bits a position that tell apart what networks can tell apart; uint64 [n].

    Positions of two seats that look the same to their movers have the same key, and so have those that differ in
    counters which nobody sees.
    """
    inputs = game.move_parts.inputs
    weights: np.ndarray | None = None
    found = np.empty(len(states), np.uint64)
    for first in range(0, len(states), PIECE):
        rows = (
            Batch(game, states[first : first + PIECE]).observe(inputs).reshape(len(states[first : first + PIECE]), -1)
        )
        if weights is None:
            weights = streams(0, "keys of positions", rows.shape[1])[:, 0] | np.uint64(1)
        seen = np.ascontiguousarray(rows).view(np.uint32)
        seen = (seen >> np.uint32(EXPONENT) | seen << np.uint32(32 - EXPONENT)).astype(np.uint64)
        found[first : first + PIECE] = (seen * weights).sum(axis=1, dtype=np.uint64)
    return found


def firsts(found: np.ndarray) -> np.ndarray:
    """The numbers of those whose key no earlier one has, ascending."""
    return np.sort(np.unique(found, return_index=True)[1])

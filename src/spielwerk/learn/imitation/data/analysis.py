"""What the rules leave of all moves that could be written: how many are legal in a position, and how often each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts import value_name
from spielwerk.games.move_parts.listing import legal_moves
from spielwerk.learn.imitation.data.observed import PIECE, Observed

FREQUENT = 0.10  # of all positions


@dataclass(frozen=True)
class LegalMoves:
    """The legal moves of many positions."""

    game: Game
    positions: int
    least: int
    most: int
    mean: float
    legal: np.ndarray  # [moves]: in how many positions each is legal, by its code

    @property
    def possible(self) -> int:
        """How many moves could be written."""
        return self.game.move_parts.possible

    @property
    def shares(self) -> np.ndarray:
        """Of the positions, [moves]."""
        return self.legal / self.positions

    @property
    def never(self) -> int:
        """How many moves are legal in none."""
        return self.possible - int(np.count_nonzero(self.legal))

    def frequent(self, above: float = FREQUENT) -> np.ndarray:
        """The parts of the moves that are legal in more than this share of positions, the most frequent first."""
        codes = np.flatnonzero(self.shares > above)
        return parts_of_codes(self.game, codes[np.argsort(-self.shares[codes], kind="stable")])

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        frequent = self.frequent()
        return {
            "positions": self.positions,
            "legal": {"least": self.least, "most": self.most, "mean": self.mean},
            "possible": self.possible,
            "mean_share": float(self.legal.sum() / self.positions / self.possible),
            "never": self.never,
            "highest_share": float(self.shares.max()),
            "frequent": [named(self.game, parts) for parts in frequent],
            "in_common": in_common(self.game, frequent),
        }


def codes_of(game: Game, parts: np.ndarray) -> np.ndarray:
    """One number for each move, [n]."""
    return np.asarray(np.ravel_multi_index(tuple(parts.T.astype(np.int64)), game.move_parts.sizes))


def parts_of_codes(game: Game, codes: np.ndarray) -> np.ndarray:
    """And back, [n, parts]."""
    return np.stack(np.unravel_index(codes, game.move_parts.sizes), axis=1)


def legal_in(given: Observed, threads: int = 1) -> LegalMoves:
    """Counts the legal moves of all positions."""
    game, size = given.game, given.game.move_parts.moves
    legal, counts = np.zeros(size, np.int64), np.empty(len(given), np.int64)
    for first in range(0, len(given), PIECE):
        listed = legal_moves(Batch(game, given.states[first : first + PIECE], threads=threads))
        counts[first : first + PIECE] = np.diff(listed.offsets)
        legal += np.bincount(codes_of(game, listed.parts), minlength=size)
    return LegalMoves(game, len(given), int(counts.min()), int(counts.max()), float(counts.mean()), legal)


def named(game: Game, parts: np.ndarray) -> dict[str, str]:
    """A move by the names of its parts."""
    return {name: value_name(game, i, int(parts[i])) for i, name in enumerate(game.move_parts.names)}


def in_common(game: Game, frequent: np.ndarray) -> dict[str, dict[str, int]]:
    """How often each value occurs in each part of some moves, the most frequent first."""
    found: dict[str, dict[str, int]] = {}
    for i, name in enumerate(game.move_parts.names):
        values, counts = np.unique(frequent[:, i], return_counts=True) if len(frequent) else (np.zeros(0), np.zeros(0))
        order = np.argsort(-counts, kind="stable")
        found[name] = {value_name(game, i, int(values[k])): int(counts[k]) for k in order}
    return found

"""Judged positions: how a game writes in JSON what every turn of a position is worth, one file a game.

A game's module names the function that reads such an object in `JUDGED`: `read(game, record)`, which returns the
position and the worth of each turn, by the words of where it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spielwerk.games.position import Position

FARTHEST = 1_000_000  # turns, more than any win or loss is away


@dataclass(frozen=True)
class Worth:
    """What a turn is worth: the score that it leads to, and its place among turns; the higher, the better."""

    score: float
    place: float


Judged = tuple[Position, Mapping[tuple[int, ...], Worth]]

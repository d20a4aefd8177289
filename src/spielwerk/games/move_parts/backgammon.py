"""Backgammon: where the first and the second checker come from (24 the bar, 25 none), and which die goes first.

A double is two such moves, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("first", "second", "die")
ORIGINS, DICE = 26, 2


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """Places and none; the larger or the smaller die."""
    return ORIGINS, ORIGINS, DICE + 1


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    values[0] = action // (ORIGINS * DICE)
    values[1] = action // DICE % ORIGINS
    values[2] = action % DICE

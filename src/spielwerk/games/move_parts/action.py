"""Games that say nothing of their own: a move is one action, and has one part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("action",)


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """All actions, and none."""
    return (constants["ACTIONS"] + 1,)


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    values[0] = action

"""Twins: turns that lead to the same position up to a symmetry which leaves the position before them as it is."""

from __future__ import annotations

from collections.abc import Callable

from spielwerk.games.position import Position


def twin_of(position: Position) -> Callable[[Position], Position]:
    """Names the end of a turn from a position by one of its twins: twins, and they alone, have the same name."""
    kept = [k for k in range(1, position.game.constants["SYMMETRIES"]) if position.turned(k) == position]
    return lambda end: min([end, *(end.turned(k) for k in kept)], key=lambda twin: twin.words)

"""The board as a graph: its points, what joins them, and lines of points that matter together.

A game's module names a function that makes it in `GRAPH`, `package.module:function`; it takes the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Edge = tuple[int, int]  # two points, the smaller number first


@dataclass(frozen=True)
class Graph:
    """The points of a board by number, and the edges between them by kind."""

    points: tuple[str, ...]  # their names
    edges: Mapping[str, tuple[Edge, ...]]
    lines: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)  # such as the mills of morris

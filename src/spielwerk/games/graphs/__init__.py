"""The board as a graph: its points, what joins them, and lines of points that matter together.

A game's module names a function that makes it in `GRAPH`, `package.module:function`; it takes the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Edge = tuple[int, int]  # two points, the smaller number first


@dataclass(frozen=True)
class Graph:
    """The points of a board by number, the edges between them by kind, and the points that actions concern.

    An action goes from a source to a target. The source is -1 where it concerns one point only, such as a placement;
    the target too where it concerns none, such as a pass.
    """

    points: tuple[str, ...]  # their names
    edges: Mapping[str, tuple[Edge, ...]]
    lines: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)  # such as the mills of morris
    actions: tuple[tuple[int, int], ...] = ()  # (source, target) by action number; empty: they are not of points

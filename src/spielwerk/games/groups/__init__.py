"""Groups: which numbers of an observation belong together, one file a game that says it.

A game's module names a function in `GROUPS`, `package.module:function`; it takes the game and the name of a form of
observation ("" is the usual one). Networks give parts of their input layers of their own, hide groups from sight, or
look patterns up in tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

REMOVAL = "removal"  # the group that says that a man has to be taken


@dataclass(frozen=True)
class Patterns:
    """Points whose men say much together, such as the edge of a board. A place is where a pattern can be read.

    Each point has two numbers in a row: 1 where the player who looks has a man, 1 where the other has one. Places of
    one shape are images of each other on the turned board, their points in the same order.
    """

    own: int  # where the numbers of the own men begin
    other: int  # where those of the other's do
    shapes: tuple[tuple[tuple[int, ...], ...], ...]  # of each shape its places, of each place its points


@dataclass(frozen=True)
class Groups:
    """Numbers of an observation, by their places in a row."""

    board: int = 0  # so many come first and tell of points, the others of the whole position; 0: not told apart
    named: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    patterns: Patterns | None = None  # None: there are none, or these numbers do not say where men are

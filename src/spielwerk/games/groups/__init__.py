"""Groups: which numbers of an observation belong together, one file a game that says it.

A game's module names a function in `GROUPS`, `package.module:function`; it takes the game and the name of a form of
observation ("" is the usual one). Networks give parts of their input layers of their own, or hide groups from sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

REMOVAL = "removal"  # the group that says that a man has to be taken


@dataclass(frozen=True)
class Groups:
    """Numbers of an observation, by their places in a row."""

    board: int = 0  # so many come first and tell of points, the others of the whole position; 0: not told apart
    named: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

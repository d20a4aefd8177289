"""The variants that the common tests go through, and the positions of a random game."""

from __future__ import annotations

import spielwerk as sw
from spielwerk.games.laws import random_walk
from spielwerk.games.registry import BUILT_IN, variants

DEFAULTS = list(BUILT_IN)
EINSTEIN = [
    f"einstein:board={b},stones={s}" for b, s in [(3, 1), (3, 2), (4, 1), (4, 5), (5, 1), (5, 4), (6, 2), (6, 5)]
]
MORRIS = ["morris:repeat=2,quiet=20", "morris:rules=six,quiet=30,turns=60", "morris:rules=morabaraba,repeat=3,quiet=50"]
NIM = ["nim:stacks=2-2-2-2-2-2-2-2", "nim:stacks=1", "nim:stacks=4-4,misere=false,sizes=random"]
VARIANTS = [name for kind in BUILT_IN for name in variants(kind)[1:]] + EINSTEIN + MORRIS + NIM


def random_positions(game: sw.Game, seed: int) -> list[sw.Position]:
    """All positions of a random game."""
    return [sw.Position(game, state) for state in random_walk(game, seed)]

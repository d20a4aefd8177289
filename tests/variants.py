"""The variants that the common tests go through, and small tools to walk through a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

import spielwerk as sw
from spielwerk.games.registry import BUILT_IN, variants
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.kernel.random import stream

DEFAULTS = list(BUILT_IN)
EINSTEIN = [
    f"einstein:board={b},stones={s}" for b, s in [(3, 1), (3, 2), (4, 1), (4, 5), (5, 1), (5, 4), (6, 2), (6, 5)]
]
MORRIS = ["morris:repeat=2,quiet=20", "morris:rules=six,quiet=30,turns=60", "morris:rules=morabaraba,repeat=3,quiet=50"]
NIM = ["nim:stacks=2-2-2-2-2-2-2-2", "nim:stacks=1", "nim:stacks=4-4,misere=false,sizes=random"]
VARIANTS = [name for kind in BUILT_IN for name in variants(kind)[1:]] + EINSTEIN + MORRIS + NIM


def random_walk(game: sw.Game, seed: int, most: int = 100_000) -> Iterator[np.ndarray]:
    """The states of a random game, from the start to the end, each a copy."""
    chance = random.Random(seed)
    state = game.blank()
    game.rule("start")(state, stream(seed, "walk"))
    out = np.zeros(max(game.constants["MOST_MOVES"], game.constants["MOST_OUTCOMES"], 1), np.int64)
    weights = out.copy()
    yield state.copy()
    for _ in range(most):
        who = game.rule("mover")(state)
        if who == OVER:
            return
        if who == CHANCE:
            n = game.rule("outcomes")(state, out, weights)
            game.rule("roll")(state, chance.choices(out[:n].tolist(), weights[:n].tolist())[0])
        else:
            n = game.rule("moves")(state, out)
            game.rule("play")(state, chance.choice(out[:n].tolist()))
        yield state.copy()


def random_positions(game: sw.Game, seed: int) -> list[sw.Position]:
    """All positions of a random game."""
    return [sw.Position(game, state) for state in random_walk(game, seed)]

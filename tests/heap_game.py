"""A game of three sides: take 1 to 3 of a heap. Who takes the last match wins 2, and the player before loses 2.

State words: [mover, matches]. Action: take - 1.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from spielwerk.games.face import Face
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER

TITLE = "Heap"
EVALUATIONS = {"hope": __name__}
MOST = 12  # matches at the start
GIFTS = (0.5, -0.2, -0.3)  # what a player in turn, the next, and the one after that may hope for


@dataclass(frozen=True)
class Settings:
    """None."""


def constants(settings: Settings) -> dict[str, object]:
    sizes = {"WORDS": 2, "ACTIONS": 3, "MOST_MOVES": 3, "OBSERVATION": (MOST,), "LONGEST": 0}
    return {"PLAYERS": 3, "TEAM": (0, 1, 2), "BEST": 2.0, **sizes}


def states(settings: Settings) -> int:
    return 60


def start(state, rng):
    state[0] = 0
    state[1] = MOST


def mover(state):
    return OVER if state[1] == 0 else state[0]


def moves(state, out):
    n = min(3, state[1])
    for i in range(n):
        out[i] = i
    return n


def play(state, action):
    state[1] -= action + 1
    state[0] = (state[0] + 1) % 3


def scores(state, out):
    out[state[0]] = 0.0
    out[(state[0] + 1) % 3] = -2.0
    out[(state[0] + 2) % 3] = 2.0


def observe(state, player, out):
    for matches in range(MOST):
        out[matches] = state[1] > matches


def evaluate(state, player, data):
    return GIFTS[(player - state[0] + state[1]) % 3]


def made(*target: str) -> Game:
    """The game, perhaps uncompiled."""
    module = sys.modules[__name__]
    return Game("heap", module, Face(module), Settings(), *target)

"""A game on random graphs in which positions repeat, and the gambler's ruin: kernels and modules for tests."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from spielwerk.games.face import Face
from spielwerk.games.game import Game
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import unbound

BLOCKS, BLOCK, WAYS = 60, 30, 3  # graphs, nodes of each, edges of a node
SCORES = (-1.0, -0.5, 0.0, 0.5, 1.0)
OWNER: np.ndarray = unbound("OWNER")  # [node]: a player, or OVER
NEXT: np.ndarray = unbound("NEXT")  # [node, way]
SCORE: np.ndarray = unbound("SCORE")  # [node]: of player 0
GOAL: int = unbound("GOAL")


@dataclass(frozen=True)
class Settings:
    """None."""


def start(state, rng):
    state[0] = below(rng, BLOCKS) * BLOCK


def mover(state):
    return OWNER[state[0]]


def moves(state, out):
    for way in range(WAYS):
        out[way] = way
    return WAYS


def play(state, action):
    state[0] = NEXT[state[0], action]


def scores(state, out):
    out[0] = SCORE[state[0]]
    out[1] = -SCORE[state[0]]


def observe(state, player, out):
    out[0] = state[0]


def graphs(seed: int) -> dict[str, Any]:
    """Random graphs; in some the game ends at many nodes, in others at few."""
    rng = np.random.default_rng(seed)
    owner = rng.integers(0, 2, BLOCKS * BLOCK)
    owner[rng.random(len(owner)) < np.repeat(np.linspace(0.05, 0.35, BLOCKS), BLOCK)] = OVER
    owner[::BLOCK] = 0  # a start is not over
    ways = [rng.permutation(BLOCK)[:WAYS] + node // BLOCK * BLOCK for node in range(len(owner))]
    score = np.array(SCORES)[rng.integers(0, len(SCORES), len(owner))]
    return {"OWNER": owner.astype(np.int8), "NEXT": np.array(ways, np.int16), "SCORE": score}


def graph_game(seed: int = 1, target: str | None = None) -> Game:
    """A game without chance that need not end."""
    constants = {"WORDS": 1, "ACTIONS": WAYS, "MOST_MOVES": WAYS, "OBSERVATION": (1,), **graphs(seed)}
    return _game("graphs", constants, target, start, mover, moves, play, scores, observe)


def ruin_start(state, rng):
    state[0] = 1
    state[1] = 0


def ruin_mover(state):
    if state[0] == 0 or state[0] == GOAL:
        return OVER
    return CHANCE if state[1] == 0 else 0


def ruin_moves(state, out):
    out[0] = 0
    return 1


def ruin_play(state, action):
    state[1] = 0


def ruin_outcomes(state, out, weights):
    out[0] = 0
    weights[0] = 3  # a coin is lost
    out[1] = 1
    weights[1] = 2
    return 2


def ruin_roll(state, outcome):
    state[0] += 2 * outcome - 1
    state[1] = 1


def ruin_scores(state, out):
    out[0] = 1.0 if state[0] == GOAL else -1.0
    out[1] = -out[0]


def ruin_observe(state, player, out):
    out[0] = 0.5


def ruin(goal: int) -> Game:
    """A gambler with one coin of `goal`, who loses three games of five; between two games there is a needless move."""
    constants = {"WORDS": 2, "ACTIONS": 1, "MOST_MOVES": 1, "MOST_OUTCOMES": 2, "OBSERVATION": (1,), "GOAL": goal}
    rules = (ruin_start, ruin_mover, ruin_moves, ruin_play, ruin_scores, ruin_observe, ruin_outcomes, ruin_roll)
    return _game("ruin", constants, None, *rules)


def _game(kind: str, constants: dict[str, Any], target: str | None, *rules: Any) -> Game:
    named = {rule.__name__.removeprefix("ruin_"): rule for rule in rules}
    module = SimpleNamespace(
        __name__=__name__, TITLE=kind, constants=lambda settings: constants, states=lambda settings: 10**6, **named
    )
    return Game(kind, cast(Any, module), Face(cast(Any, module)), Settings(), target)

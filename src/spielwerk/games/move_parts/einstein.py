"""EinStein: which stone steps, and in which direction; with three players neither, who passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.einstein import GONE, NEAREST, PASSING, STONES, TO, cell_of
from spielwerk.games.rules import ACTIONS

NAMES = ("stone", "direction")
DIRECTIONS = 3
RULES = (
    "a stone and a direction, or neither",
    "only who cannot step passes",
    "a stone that was taken does not step",
    "a step stays on the board",
    "the die says which stone steps",
)
BOTH, PASSES, THERE, BOARD, DIE = range(len(RULES))


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """The stones of a player and their steps, and none."""
    return constants["STONES"] + 1, DIRECTIONS + 1


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    if not (PASSING and action == ACTIONS - 1):
        values[0] = action // DIRECTIONS
        values[1] = action % DIRECTIONS


def broken(state, values):
    """See `games/move_parts/__init__.py`."""
    player, stone, step = state[0], values[0], values[1]
    if (stone == STONES) != (step == DIRECTIONS):
        return BOTH
    if stone == STONES:
        return -1 if PASSING and stuck(state) else PASSES
    cell = cell_of(state[2 + player], stone)
    if cell == GONE:
        return THERE
    if TO[player, cell, step] == GONE:
        return BOARD
    return -1 if named(state, stone) else DIE


def stuck(state):
    """Whether no stone that the die names can step."""
    player = state[0]
    for stone in range(STONES):
        cell = cell_of(state[2 + player], stone)
        if cell != GONE and named(state, stone):
            for step in range(DIRECTIONS):
                if TO[player, cell, step] != GONE:
                    return False
    return True


def named(state, stone):
    """Whether the die lets a stone step that is still there: the one rolled, or the next one up or down."""
    stones, rolled = state[2 + state[0]], state[1] - 1
    lower, higher = rolled, rolled
    while lower >= 0 and cell_of(stones, lower) == GONE:
        lower -= 1
    while higher < STONES and cell_of(stones, higher) == GONE:
        higher += 1
    if stone != lower and stone != higher:
        return False
    return not NEAREST or lower < 0 or higher >= STONES or abs(rolled - stone) <= min(rolled - lower, higher - rolled)

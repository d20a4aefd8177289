"""The published ways for nim: the stack and the number of matches, as two numbers or as the largest of two groups."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from spielwerk.games.nim import LARGEST, STACKS
from spielwerk.games.outputs import ILLEGAL, SAFE_MOVES, Outputs

if TYPE_CHECKING:
    from spielwerk.games.game import Game

FARTHEST_PLACE = 1000  # that a rounded output can mean


def outputs(game: Game) -> dict[str, Outputs]:
    """See `games/outputs/__init__.py`."""
    stacks = (f"stack{stack + 1}" for stack in range(game.constants["STACKS"]))
    takes = (f"take{take + 1}" for take in range(game.constants["LARGEST"]))
    return {"direct": Outputs(("stack", "take"), by_numbers), "onehot": Outputs((*stacks, *takes), by_largest)}


def by_numbers(state, values, first):
    """The stack and the number of matches, rounded."""
    return taken(state, rounded(values[first]), rounded(values[first + 1]))


def by_largest(state, values, first):
    """An output for each stack, and one for each number of matches; the first of the largest counts."""
    stack = largest(values, first, STACKS)
    return taken(state, stack, 1 + largest(values, first + STACKS, LARGEST))


def rounded(x):
    """The nearest whole number, not beyond what could mean anything."""
    return floor(min(max(x, -FARTHEST_PLACE), FARTHEST_PLACE) + 0.5)


def largest(values, first, count):
    """Which of so many values is the largest."""
    best = 0
    for k in range(1, count):
        if values[first + k] > values[first + best]:
            best = k
    return best


def taken(state, stack, matches):
    """The action that takes so many matches from a stack; where that is illegal, none or the nearest."""
    legal = 0 <= stack < STACKS
    if legal:
        legal = 1 <= matches <= state[1 + stack]
    if not legal:
        if not SAFE_MOVES:
            return ILLEGAL
        stack = nearest_stack(state, stack)
        matches = min(max(matches, 1), state[1 + stack])
    return (matches - 1) * STACKS + stack


def nearest_stack(state, stack):
    """The stack with matches that is nearest to a number; of two the first."""
    best = -1
    for k in range(STACKS):
        if state[1 + k] > 0 and (best < 0 or abs(k - stack) < abs(best - stack)):
            best = k
    return best

"""Nim: from which stack, and how many matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.nim import LARGEST, STACKS

NAMES = ("stack", "amount")
RULES = ("a stack and an amount", "a stack holds the matches that are taken")


def sizes(constants: Mapping[str, Any]) -> tuple[int, ...]:
    """The stacks and the amounts, and none; amount k is k + 1 matches."""
    return constants["STACKS"] + 1, constants["LARGEST"] + 1


def write_parts(state, action, values):
    """See `games/move_parts/__init__.py`."""
    values[0] = action % STACKS
    values[1] = action // STACKS


def broken(state, values):
    """See `games/move_parts/__init__.py`."""
    stack, amount = values[0], values[1]
    if stack == STACKS or amount == LARGEST:
        return 0
    return -1 if state[1 + stack] > amount else 1

"""Known positions: finding the number of a position among many, in compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import WORDS

MISSING = -1  # a position that is not among them
SPARSE = 3  # slots for each position


class KnownPositions(NamedTuple):
    """Positions, and where their numbers are found."""

    slots: np.ndarray  # int64 [slots]: numbers of positions, and many more that are MISSING
    states: np.ndarray  # int64 [positions, WORDS]


def found(state, known):
    """The number of a position, or MISSING."""
    slots = known.slots
    slot = slot_of(state, slots.shape[0])
    while slots[slot] != MISSING:
        same = True
        for word in range(WORDS):
            same = same and known.states[slots[slot], word] == state[word]
        if same:
            return slots[slot]
        slot = (slot + 1) % slots.shape[0]
    return MISSING


def slot_of(state, count):
    """Where to look for a position first."""
    number = 0
    for word in range(WORDS):
        number = (number * 31 + state[word] % 65521) % 2147483647
    return number % count


def fill(known):
    """Puts the number of each position into its slot."""
    slots = known.slots
    for number in range(known.states.shape[0]):
        slot = slot_of(known.states[number], slots.shape[0])
        while slots[slot] != MISSING:
            slot = (slot + 1) % slots.shape[0]
        slots[slot] = number


def known_positions(game: Game, states: np.ndarray) -> KnownPositions:
    """These positions, ready to be found."""
    known = KnownPositions(np.full(SPARSE * len(states) + 1, MISSING, np.int64), states)
    game.kernel(fill)(known)
    return known

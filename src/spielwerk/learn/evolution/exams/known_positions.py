"""Known positions: finding the number of a position among many, in compiled code.

slots [n] holds numbers of positions, more slots than positions; states [positions, WORDS] are the positions.
"""

from __future__ import annotations

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import WORDS

MISSING = -1  # a position that is not among them
SPARSE = 3  # slots for each position


def found(state, slots, states):
    """The number of a position, or MISSING."""
    slot = slot_of(state, slots.shape[0])
    while slots[slot] != MISSING:
        same = True
        for word in range(WORDS):
            same = same and states[slots[slot], word] == state[word]
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


def fill(slots, states):
    """Puts the number of each position into its slot."""
    for number in range(states.shape[0]):
        slot = slot_of(states[number], slots.shape[0])
        while slots[slot] != MISSING:
            slot = (slot + 1) % slots.shape[0]
        slots[slot] = number


def slots_for(game: Game, states: np.ndarray) -> np.ndarray:
    """The slots of these positions."""
    slots = np.full(SPARSE * len(states) + 1, MISSING, np.int64)
    game.kernel(fill)(slots, states)
    return slots

"""Morris: white to move, three men each at least (board and hand together), and as many in one hand as in the other."""

from __future__ import annotations

from spielwerk.games.morris import ALLOTTED, HAND, MEN, POINTS, begin_turn, start
from spielwerk.kernel.random import below

FEWEST = 3  # men of a player


def scatter(state, rng):
    """See `games/random_positions/rows.py`."""
    start(state, rng)
    first, second = men(rng), men(rng)
    hand = below(rng, min(first, second) + 1)
    state[MEN], state[MEN + 1] = 0, 0
    put(state, MEN, first - hand, rng)
    put(state, MEN + 1, second - hand, rng)
    state[HAND], state[HAND + 1] = hand, hand
    begin_turn(state, 0)


def men(rng):
    """How many a player has."""
    return FEWEST + below(rng, ALLOTTED - FEWEST + 1)


def put(state, word, number, rng):
    """Puts so many men on free points."""
    while number > 0:
        point = 1 << below(rng, POINTS)
        if (state[MEN] | state[MEN + 1]) & point == 0:
            state[word] |= point
            number -= 1

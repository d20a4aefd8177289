"""Row kernels that draw positions in which a player is to move."""

from spielwerk.games.chance import playout_turns
from spielwerk.games.rules import OVER, mover, start
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface


@interface
def scatter(state, rng):
    """Writes a random position, in which the game may be over."""
    raise NotImplementedError


def begin_rows(i, state, actions, weights, results, arrays):
    """A position as the game draws it, again and again until a player is to move."""
    states, rngs = arrays  # [n, WORDS], [n, 1]
    scatter(states[i], rngs[i])
    while mover(states[i]) < 0:
        scatter(states[i], rngs[i])


def reach_rows(i, state, actions, weights, results, arrays):
    """A position after a random number of random turns, anew where the game ends before it."""
    states, rngs, longest = arrays  # [n, WORDS], [n, 1], [1]
    start(states[i], rngs[i])
    playout_turns(states[i], rngs[i], actions, weights, below(rngs[i], longest[0]))
    while mover(states[i]) == OVER:
        start(states[i], rngs[i])
        playout_turns(states[i], rngs[i], actions, weights, below(rngs[i], longest[0]))

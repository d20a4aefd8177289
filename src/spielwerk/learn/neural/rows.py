"""Row kernels of self-play with networks."""

from spielwerk.games.rules import OVER, mover, start
from spielwerk.kernel.random import below, fraction
from spielwerk.search.playout import playout_turns


def begin_rows(i, state, actions, weights, results, arrays):
    """A new game on every board that is over, after up to so many random turns."""
    states, rngs, turns = arrays  # [n, WORDS], [n, 1], [1]
    while mover(states[i]) == OVER:
        start(states[i], rngs[i])
        if turns[0] > 0:
            playout_turns(states[i], rngs[i], actions, weights, below(rngs[i], turns[0] + 1))


def lot_rows(i, state, actions, weights, results, arrays):
    """Draws lots: 1 on a share of the boards, 0 on the others."""
    rngs, share, drawn = arrays  # [n, 1], [1], [n]
    drawn[i] = 1 if fraction(rngs[i]) < share[0] else 0

"""Row kernels of self-play with a network."""

from spielwerk.games.rules import OVER, mover, start
from spielwerk.kernel.random import below, fraction
from spielwerk.search.playout import playout_turns


def choose_rows(i, state, actions, weights, results, arrays):
    """The best end of each board by what it is worth, and the one to take: sometimes any; -1 where there is none."""
    offsets, worths, rngs, epsilon, best, chosen = arrays  # [n + 1], [m], [n, 1], [1], [n], [n]
    first = offsets[i]
    last = offsets[i + 1]
    found = -1
    for end in range(first, last):
        if found < 0 or worths[end] > worths[found]:
            found = end
    best[i] = found
    if last - first > 1 and epsilon[0] > 0.0 and fraction(rngs[i]) < epsilon[0]:
        found = first + below(rngs[i], last - first)
    chosen[i] = found


def begin_rows(i, state, actions, weights, results, arrays):
    """A new game on every board that is over, after up to so many random turns."""
    states, rngs, turns = arrays  # [n, WORDS], [n, 1], [1]
    while mover(states[i]) == OVER:
        start(states[i], rngs[i])
        if turns[0] > 0:
            playout_turns(states[i], rngs[i], actions, weights, below(rngs[i], turns[0] + 1))

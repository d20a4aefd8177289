"""Row kernels of self-play with a network."""

from spielwerk.games.rules import OVER, mover, start
from spielwerk.kernel.random import below, fraction
from spielwerk.search.playout import playout_turns


def best_rows(i, state, actions, weights, results, arrays):
    """The best end of each board by what it is worth; -1 where there is none."""
    offsets, worths, best = arrays  # [n + 1], [m], [n]
    found = -1
    for end in range(offsets[i], offsets[i + 1]):
        if found < 0 or worths[end] > worths[found]:
            found = end
    best[i] = found


def explore_rows(i, state, actions, weights, results, arrays):
    """The end to take on each board, which has those from `first` to `last`: the best one, or sometimes any."""
    firsts, lasts, best, rngs, epsilon, chosen = arrays  # [n], [n], [n], [n, 1], [1], [n]
    chosen[i] = best[i]
    count = lasts[i] - firsts[i]
    if count > 1 and epsilon[0] > 0.0 and fraction(rngs[i]) < epsilon[0]:
        chosen[i] = firsts[i] + below(rngs[i], count)


def begin_rows(i, state, actions, weights, results, arrays):
    """A new game on every board that is over, after up to so many random turns."""
    states, rngs, turns = arrays  # [n, WORDS], [n, 1], [1]
    while mover(states[i]) == OVER:
        start(states[i], rngs[i])
        if turns[0] > 0:
            playout_turns(states[i], rngs[i], actions, weights, below(rngs[i], turns[0] + 1))

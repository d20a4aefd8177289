"""Row kernels of self-play by the values of afterstates."""

from spielwerk.kernel.random import below, fraction


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

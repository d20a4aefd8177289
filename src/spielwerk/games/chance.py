"""Outcomes and actions drawn at random."""

from spielwerk.games.rules import FAIR, moves, outcomes
from spielwerk.kernel.random import below


def random_outcome(state, rng, out, weights):
    """An outcome of the chance node, drawn by its weight."""
    n = outcomes(state, out, weights)
    if FAIR:
        return out[below(rng, n)]
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(rng, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return out[i]


def random_action(state, rng, out):
    """A legal action, each with the same probability."""
    return out[below(rng, moves(state, out))]

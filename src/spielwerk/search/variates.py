"""Random numbers of continuous distributions, drawn from a random stream inside kernels."""

import math

from spielwerk.kernel.random import FINE, below


def between(rng):
    """A random number between 0 and 1, and never either."""
    return (below(rng, FINE) + 0.5) / FINE


def gumbel_variate(rng):
    """Of the standard Gumbel distribution: adding it to logarithms of probabilities, the largest sum is a draw."""
    return -math.log(-math.log(between(rng)))

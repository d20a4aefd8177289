"""Random numbers of continuous distributions, drawn from a random stream inside kernels."""

import math

from spielwerk.kernel.random import FINE, below


def between(rng):
    """A random number between 0 and 1, and never either."""
    return (below(rng, FINE) + 0.5) / FINE


def gumbel_variate(rng):
    """Of the standard Gumbel distribution: adding it to logarithms of probabilities, the largest sum is a draw."""
    return -math.log(-math.log(between(rng)))


def normal_variate(rng):
    """Of the standard normal distribution, by Box and Muller."""
    return math.sqrt(-2.0 * math.log(between(rng))) * math.cos(2.0 * math.pi * between(rng))


def gamma_variate(shape, rng):
    """Of the gamma distribution with this shape and scale 1, by Marsaglia and Tsang (2000).

    Several of them, divided by their sum, are a draw from the symmetric Dirichlet distribution.
    """
    factor = 1.0
    if shape < 1.0:
        factor = between(rng) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    while True:
        x = normal_variate(rng)
        root = 1.0 + x / math.sqrt(9.0 * d)
        if root > 0.0:
            v = root * root * root
            if math.log(between(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return factor * d * v

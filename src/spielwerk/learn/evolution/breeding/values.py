"""New and shifted values of weights and biases."""

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.breeding.traits import SHIFT


def new_value(rng):
    """A new weight or bias."""
    return 2.0 * fraction(rng) - 1.0


def shifted(rng, traits):
    """By how much a weight or a bias shifts: small shifts are likelier."""
    size = fraction(rng)
    size *= size * traits[SHIFT]
    return size if below(rng, 2) == 0 else -size

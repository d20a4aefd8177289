"""Traits: the settings that kernels of breeding use, as numbers in one array, by the places below."""

from __future__ import annotations

import numpy as np

from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.settings import KEPT, MUTATIONS, OFF

INPUTS, OUTPUTS, SHIFT, SPLIT_OFF, SPLIT_KEPT, MUTATIONS_MIN, MUTATIONS_MAX = 0, 1, 2, 3, 4, 5, 6
FIRST_MUTATION = 7  # the weights of the mutations follow, in the order of `settings.MUTATIONS`
MUTATION_COUNT = len(MUTATIONS)


def traits(network: Blueprint) -> np.ndarray:
    """The settings as the kernels of mutations take them."""
    settings = network.settings
    found = np.zeros(FIRST_MUTATION + MUTATION_COUNT)
    found[INPUTS], found[OUTPUTS] = network.inputs, network.outputs
    found[SHIFT] = settings.shift
    found[SPLIT_OFF], found[SPLIT_KEPT] = settings.split == OFF, settings.split_weights == KEPT
    found[MUTATIONS_MIN], found[MUTATIONS_MAX] = settings.mutations_min, settings.mutations_max
    found[FIRST_MUTATION:] = settings.mutation_weights
    return found

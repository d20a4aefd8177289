"""Traits: the settings that kernels of breeding use, and the values that they draw by them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.settings import KEPT, OFF


class Traits(NamedTuple):
    """How genomes begin and mutate."""

    inputs: int
    outputs: int
    shift: float  # the largest of a weight or a bias
    split_off: bool  # whether an edge that a node was put into is switched off, not removed
    split_kept: bool  # whether the edges beside a new node compute what the old one did
    least: int  # mutations of a child
    most: int
    mutations: np.ndarray  # float64 [mutations]: their weights, in the order of `settings.MUTATIONS`
    activations: np.ndarray  # int64 [n]: those that hidden nodes may have
    marks: np.ndarray  # int64 [nodes], scratch


def traits_of(blueprint: Blueprint) -> Traits:
    """The settings as the kernels take them."""
    settings = blueprint.settings
    return Traits(
        inputs=blueprint.inputs,
        outputs=blueprint.outputs,
        shift=float(settings.shift),
        split_off=settings.split == OFF,
        split_kept=settings.split_weights == KEPT,
        least=settings.mutations_min,
        most=settings.mutations_max,
        mutations=np.array(settings.mutation_weights, np.float64),
        activations=np.array(settings.activation_numbers),
        marks=np.zeros(blueprint.most_nodes, np.int64),
    )


def new_value(rng):
    """A new weight or bias."""
    return 2.0 * fraction(rng) - 1.0


def shifted(rng, traits):
    """By how much a weight or a bias shifts: small shifts are likelier."""
    size = fraction(rng)
    size *= size * traits.shift
    return size if below(rng, 2) == 0 else -size


def some_activation(rng, traits):
    """A random one for a hidden node."""
    return traits.activations[below(rng, traits.activations.shape[0])]

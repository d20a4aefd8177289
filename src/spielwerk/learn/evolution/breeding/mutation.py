"""Mutations of a genome, in place: weights, biases and activations, and by `structure.py` the graph itself.

For `traits` see `traits.py`; `kinds` [n] are the activations that hidden nodes may have, `marks` [nodes] room to work
in.
"""

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.breeding.structure import add_edge, add_node, remove_edge, remove_node, switch_edge
from spielwerk.learn.evolution.breeding.traits import (
    FIRST_MUTATION,
    INPUTS,
    MUTATION_COUNT,
    MUTATIONS_MAX,
    MUTATIONS_MIN,
    OUTPUTS,
)
from spielwerk.learn.evolution.breeding.values import new_value, shifted
from spielwerk.learn.evolution.genome.genome import ACTIVATION, EDGES, NODES


def mutate(g, rng, genomes, traits, kinds, marks):
    """As many mutations as are drawn, each by its weight."""
    total = 0.0
    for k in range(MUTATION_COUNT):
        total += traits[FIRST_MUTATION + k]
    least = int(traits[MUTATIONS_MIN])
    for _ in range(least + below(rng, int(traits[MUTATIONS_MAX]) - least + 1)):
        left = fraction(rng) * total
        kind = 0
        while kind < MUTATION_COUNT - 1 and left >= traits[FIRST_MUTATION + kind]:
            left -= traits[FIRST_MUTATION + kind]
            kind += 1
        mutate_once(kind, g, rng, genomes, traits, kinds, marks)


def mutate_once(kind, g, rng, genomes, traits, kinds, marks):
    """One mutation, by its number in `settings.MUTATIONS`."""
    if kind == 0:
        set_weight(g, rng, genomes)
    elif kind == 1:
        shift_weight(g, rng, genomes, traits)
    elif kind == 2:
        set_bias(g, rng, genomes, traits)
    elif kind == 3:
        shift_bias(g, rng, genomes, traits)
    elif kind == 4:
        add_edge(g, rng, genomes)
    elif kind == 5:
        add_node(g, rng, genomes, traits, kinds)
    elif kind == 6:
        remove_edge(g, rng, genomes, traits, marks)
    elif kind == 7:
        remove_node(g, rng, genomes, traits, marks)
    elif kind == 8:
        switch_edge(g, rng, genomes, traits, marks)
    else:
        set_activation(g, rng, genomes, traits, kinds)


def set_weight(g, rng, genomes):
    """A random edge has a new weight."""
    sizes, _, _, _, weights = genomes
    if sizes[g, EDGES] > 0:
        weights[g, below(rng, sizes[g, EDGES])] = new_value(rng)


def shift_weight(g, rng, genomes, traits):
    """The weight of a random edge shifts."""
    sizes, _, _, _, weights = genomes
    if sizes[g, EDGES] > 0:
        weights[g, below(rng, sizes[g, EDGES])] += shifted(rng, traits)


def some_node(g, rng, genomes, traits):
    """The place of a random node that is no input."""
    sizes, _, _, _, _ = genomes
    inputs = int(traits[INPUTS])
    return inputs + below(rng, sizes[g, NODES] - inputs)


def set_bias(g, rng, genomes, traits):
    """A random node has a new bias."""
    _, _, biases, _, _ = genomes
    biases[g, some_node(g, rng, genomes, traits)] = new_value(rng)


def shift_bias(g, rng, genomes, traits):
    """The bias of a random node shifts."""
    _, _, biases, _, _ = genomes
    biases[g, some_node(g, rng, genomes, traits)] += shifted(rng, traits)


def set_activation(g, rng, genomes, traits, kinds):
    """A random hidden node has a new random activation."""
    sizes, nodes, _, _, _ = genomes
    first = int(traits[INPUTS] + traits[OUTPUTS])
    if sizes[g, NODES] > first:
        node = first + below(rng, sizes[g, NODES] - first)
        nodes[g, node, ACTIVATION] = kinds[below(rng, kinds.shape[0])]

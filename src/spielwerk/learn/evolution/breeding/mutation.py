"""Mutations of a genome, in place: weights, biases and activations, and by `structure.py` the graph itself."""

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.breeding.structure import add_edge, add_node, remove_edge, remove_node, switch_edge
from spielwerk.learn.evolution.breeding.traits import new_value, shifted, some_activation
from spielwerk.learn.evolution.genome.genome import ACTIVATION, EDGES, NODES


def mutate(g, rng, genomes, traits):
    """As many mutations as are drawn, each by its weight."""
    weights = traits.mutations
    total = 0.0
    for k in range(weights.shape[0]):
        total += weights[k]
    for _ in range(traits.least + below(rng, traits.most - traits.least + 1)):
        left = fraction(rng) * total
        kind = 0
        while kind < weights.shape[0] - 1 and left >= weights[kind]:
            left -= weights[kind]
            kind += 1
        mutate_once(kind, g, rng, genomes, traits)


def mutate_once(kind, g, rng, genomes, traits):
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
        add_node(g, rng, genomes, traits)
    elif kind == 6:
        remove_edge(g, rng, genomes, traits)
    elif kind == 7:
        remove_node(g, rng, genomes, traits)
    elif kind == 8:
        switch_edge(g, rng, genomes, traits)
    else:
        set_activation(g, rng, genomes, traits)


def set_weight(g, rng, genomes):
    """A random edge has a new weight."""
    if genomes.sizes[g, EDGES] > 0:
        genomes.weights[g, below(rng, genomes.sizes[g, EDGES])] = new_value(rng)


def shift_weight(g, rng, genomes, traits):
    """The weight of a random edge shifts."""
    if genomes.sizes[g, EDGES] > 0:
        genomes.weights[g, below(rng, genomes.sizes[g, EDGES])] += shifted(rng, traits)


def some_node(g, rng, genomes, traits):
    """The place of a random node that is no input."""
    return traits.inputs + below(rng, genomes.sizes[g, NODES] - traits.inputs)


def set_bias(g, rng, genomes, traits):
    """A random node has a new bias."""
    genomes.biases[g, some_node(g, rng, genomes, traits)] = new_value(rng)


def shift_bias(g, rng, genomes, traits):
    """The bias of a random node shifts."""
    genomes.biases[g, some_node(g, rng, genomes, traits)] += shifted(rng, traits)


def set_activation(g, rng, genomes, traits):
    """A random hidden node has a new random activation."""
    first = traits.inputs + traits.outputs
    if genomes.sizes[g, NODES] > first:
        node = first + below(rng, genomes.sizes[g, NODES] - first)
        genomes.nodes[g, node, ACTIVATION] = some_activation(rng, traits)

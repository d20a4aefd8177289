"""Breeding: new random genomes, and the next generation from this one."""

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.breeding.crossover import copy_genome, mix
from spielwerk.learn.evolution.breeding.mutation import mutate
from spielwerk.learn.evolution.breeding.structure import number_of
from spielwerk.learn.evolution.breeding.traits import new_value, some_activation
from spielwerk.learn.evolution.genome.genome import (
    ACTIVATION,
    EDGES,
    FROM,
    LAYER,
    LAYERS,
    NODES,
    NUMBER,
    ON,
    TO,
    Genomes,
)

TRIES = 20  # to find a second parent


class Plan(NamedTuple):
    """The graph of all new genomes."""

    model: Genomes  # in row 0
    places: np.ndarray  # int64 [edges]: where its edges stand, in the order in which weights are drawn


class Selection(NamedTuple):
    """From whom the next generation comes: the best, unchanged; any, mutated; new ones; and children of all others."""

    best: int  # how many of each
    old: int
    new: int
    crossed: float  # the share of children with a second parent of the same species
    ranks: np.ndarray  # int64 [count]: the parents from the best on
    sums: np.ndarray  # float64 [count]: of the chances to be drawn as a parent, from the first on
    fitness: np.ndarray  # float64 [count]
    species: np.ndarray  # int64 [count]


def new_genome(g, rng, genomes, plan, traits):
    """The graph of all new genomes, with activations, weights and biases of its own."""
    copy_genome(plan.model, 0, genomes, g)
    for n in range(traits.inputs, genomes.sizes[g, NODES]):
        if n >= traits.inputs + traits.outputs:
            genomes.nodes[g, n, ACTIVATION] = some_activation(rng, traits)
        genomes.biases[g, n] = new_value(rng)
    for e in range(genomes.sizes[g, EDGES]):
        genomes.weights[g, plan.places[e]] = new_value(rng)


def model_nodes(model, hidden, output_activation, traits):
    """Writes the nodes of new genomes: inputs, outputs, and perhaps a layer of hidden nodes between them."""
    sizes, nodes = model.sizes, model.nodes
    ends = traits.inputs + traits.outputs
    last = 2 if hidden > 0 else 1
    sizes[0, NODES] = ends + hidden
    sizes[0, LAYERS] = last + 1
    for n in range(sizes[0, NODES]):
        nodes[0, n, NUMBER] = number_of(0, n) if n >= ends else n
        nodes[0, n, LAYER] = 0 if n < traits.inputs else (1 if n >= ends else last)
        nodes[0, n, ACTIVATION] = output_activation


def model_edges(model, numbers):
    """Writes the edges of new genomes, each layer joined to the next, as they come, and their numbers."""
    sizes, nodes, edges = model.sizes, model.nodes, model.edges
    e = 0
    for a in range(sizes[0, NODES]):
        for b in range(sizes[0, NODES]):
            if nodes[0, b, LAYER] == nodes[0, a, LAYER] + 1:
                numbers[e] = number_of(nodes[0, a, NUMBER], nodes[0, b, NUMBER])
                edges[0, e, NUMBER] = numbers[e]
                edges[0, e, FROM] = a
                edges[0, e, TO] = b
                edges[0, e, ON] = 1
                e += 1
    sizes[0, EDGES] = e


def new_genomes(count, rng, genomes, plan, traits):
    """The first generation."""
    for g in range(count):
        new_genome(g, rng, genomes, plan, traits)


def breed(rng, parents, children, selection, plan, traits):
    """Writes the next generation into `children`."""
    count = selection.ranks.shape[0]
    best = selection.best
    old = best + selection.old
    new = old + selection.new
    for h in range(count):
        if h < best:
            copy_genome(parents, selection.ranks[h], children, h)
        elif h < old:
            copy_genome(parents, below(rng, count), children, h)
            mutate(h, rng, children, traits)
        elif h < new:
            new_genome(h, rng, children, plan, traits)
        else:
            bear(h, rng, parents, children, selection)
            mutate(h, rng, children, traits)


def bear(h, rng, parents, children, selection):
    """A child of one or two parents."""
    a = drawn(rng, selection.sums)
    if fraction(rng) < selection.crossed:
        b = mate(a, rng, selection)
        if selection.fitness[b] > selection.fitness[a]:
            a, b = b, a
        copy_genome(parents, a, children, h)
        mix(h, children, b, parents, rng)
    else:
        copy_genome(parents, a, children, h)


def mate(a, rng, selection):
    """Another genome of the same species; the same one where none was found."""
    for _ in range(TRIES):
        b = drawn(rng, selection.sums)
        if b != a and selection.species[b] == selection.species[a]:
            return b
    return a


def drawn(rng, sums):
    """A genome, each with its chance; each with the same where nobody has any."""
    count = sums.shape[0]
    if sums[count - 1] <= 0.0:
        return below(rng, count)
    left = fraction(rng) * sums[count - 1]
    low = 0
    high = count - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > left:
            high = middle
        else:
            low = middle + 1
    return low

"""Breeding: new random genomes, and the next generation from this one.

`shares = (best, old, new)` are how many genomes of the next generation are the best of this one, unchanged; any of this
one, mutated; and new ones. All others are children of genomes that are drawn in proportion to `chances` [count], whose
sums from the first on are `sums` [count]; the share `crossed` of them has a second parent of the same species.
`plan = (model, places)`: the graph of all new genomes, and where its edges stand, in the order in which weights are
drawn.
"""

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.breeding.crossover import copy_genome, mix
from spielwerk.learn.evolution.breeding.mutation import mutate
from spielwerk.learn.evolution.breeding.structure import number_of
from spielwerk.learn.evolution.breeding.traits import INPUTS, OUTPUTS
from spielwerk.learn.evolution.breeding.values import new_value
from spielwerk.learn.evolution.genome.genome import ACTIVATION, EDGES, FROM, LAYER, LAYERS, NODES, NUMBER, ON, TO

TRIES = 20  # to find a second parent


def new_genome(g, rng, genomes, plan, traits, kinds):
    """The graph of all new genomes, with activations, weights and biases of its own."""
    model, places = plan
    copy_genome(model, 0, genomes, g)
    sizes, nodes, biases, _, weights = genomes
    inputs = int(traits[INPUTS])
    hidden = inputs + int(traits[OUTPUTS])
    for n in range(inputs, sizes[g, NODES]):
        if n >= hidden:
            nodes[g, n, ACTIVATION] = kinds[below(rng, kinds.shape[0])]
        biases[g, n] = new_value(rng)
    for e in range(sizes[g, EDGES]):
        weights[g, places[e]] = new_value(rng)


def model_nodes(model, hidden, output_activation, traits):
    """Writes the nodes of new genomes: inputs, outputs, and perhaps a layer of hidden nodes between them."""
    sizes, nodes, _, _, _ = model
    inputs = int(traits[INPUTS])
    ends = inputs + int(traits[OUTPUTS])
    last = 2 if hidden > 0 else 1
    sizes[0, NODES] = ends + hidden
    sizes[0, LAYERS] = last + 1
    for n in range(sizes[0, NODES]):
        nodes[0, n, NUMBER] = number_of(0, n) if n >= ends else n
        nodes[0, n, LAYER] = 0 if n < inputs else (1 if n >= ends else last)
        nodes[0, n, ACTIVATION] = output_activation


def model_edges(model, numbers):
    """Writes the edges of new genomes, each layer joined to the next, as they come, and their numbers."""
    sizes, nodes, _, edges, _ = model
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


def new_genomes(count, rng, genomes, plan, traits, kinds):
    """The first generation."""
    for g in range(count):
        new_genome(g, rng, genomes, plan, traits, kinds)


def breed(count, rng, parents, children, ranks, sums, fitness, species, shares, crossed, plan, traits, kinds, marks):
    """Writes the next generation into `children`; ranks [count] are the parents from the best on."""
    best, old, new = shares
    for h in range(count):
        if h < best:
            copy_genome(parents, ranks[h], children, h)
        elif h < best + old:
            copy_genome(parents, below(rng, count), children, h)
            mutate(h, rng, children, traits, kinds, marks)
        elif h < best + old + new:
            new_genome(h, rng, children, plan, traits, kinds)
        else:
            bear(h, count, rng, parents, children, sums, fitness, species, crossed)
            mutate(h, rng, children, traits, kinds, marks)


def bear(h, count, rng, parents, children, sums, fitness, species, crossed):
    """A child of one or two parents."""
    a = drawn(rng, sums, count)
    if fraction(rng) < crossed:
        b = mate(a, rng, sums, species, count)
        if fitness[b] > fitness[a]:
            a, b = b, a
        copy_genome(parents, a, children, h)
        mix(h, children, b, parents, rng)
    else:
        copy_genome(parents, a, children, h)


def mate(a, rng, sums, species, count):
    """Another genome of the same species; the same one where none was found."""
    for _ in range(TRIES):
        b = drawn(rng, sums, count)
        if b != a and species[b] == species[a]:
            return b
    return a


def drawn(rng, sums, count):
    """A genome, each with its chance; each with the same where nobody has any."""
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

"""Breeding: new random genomes, and the next generation from this one.

`shares = (best, old, new)` are how many genomes of the next generation are the best of this one, unchanged; any of this
one, mutated; and new ones. All others are children of genomes that are drawn in proportion to `chances` [count], whose
sums from the first on are `sums` [count]; the share `crossed` of them has a second parent of the same species.
"""

from spielwerk.kernel.random import below, fraction
from spielwerk.learn.evolution.crossing import copy_genome, mix
from spielwerk.learn.evolution.genome import ACTIVATION, EDGES, LAYER, LAYERS, NODES, NUMBER
from spielwerk.learn.evolution.mutation import INPUTS, OUTPUTS, insert_edge, mutate, new_value, number_of

HIDDEN, OUTPUT_ACTIVATION = 0, 1  # of `plan`: hidden nodes of a new genome; the activation of outputs
TRIES = 20  # to find a second parent


def new_genome(g, rng, genomes, plan, traits, kinds):
    """Inputs joined to outputs, or to a layer of hidden nodes that are joined to outputs; all weights random."""
    sizes, nodes, biases, _, _ = genomes
    inputs = int(traits[INPUTS])
    outputs = int(traits[OUTPUTS])
    hidden = plan[HIDDEN]
    last = 2 if hidden > 0 else 1
    sizes[g, NODES] = inputs + outputs + hidden
    sizes[g, EDGES] = 0
    sizes[g, LAYERS] = last + 1
    for n in range(sizes[g, NODES]):
        is_hidden = n >= inputs + outputs
        nodes[g, n, NUMBER] = number_of(0, n) if is_hidden else n
        nodes[g, n, LAYER] = 0 if n < inputs else (1 if is_hidden else last)
        nodes[g, n, ACTIVATION] = kinds[below(rng, kinds.shape[0])] if is_hidden else plan[OUTPUT_ACTIVATION]
        biases[g, n] = 0.0 if n < inputs else new_value(rng)
    for a in range(sizes[g, NODES]):
        for b in range(inputs, sizes[g, NODES]):
            if nodes[g, b, LAYER] == nodes[g, a, LAYER] + 1:
                insert_edge(g, a, b, new_value(rng), genomes)


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

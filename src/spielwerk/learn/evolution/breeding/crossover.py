"""Two genomes: a child of both, and how far they are apart. Genes of the same number are the same gene."""

from spielwerk.kernel.random import below
from spielwerk.learn.evolution.genome.genome import (
    ACTIVATION,
    EDGE_COLUMNS,
    EDGES,
    NODE_COLUMNS,
    NODES,
    NUMBER,
    SIZES,
)


def copy_genome(source, g, target, h):
    """Writes genome `g` of some arrays into row `h` of others."""
    for k in range(SIZES):
        target.sizes[h, k] = source.sizes[g, k]
    for n in range(source.sizes[g, NODES]):
        for k in range(NODE_COLUMNS):
            target.nodes[h, n, k] = source.nodes[g, n, k]
        target.biases[h, n] = source.biases[g, n]
    for e in range(source.sizes[g, EDGES]):
        for k in range(EDGE_COLUMNS):
            target.edges[h, e, k] = source.edges[g, e, k]
        target.weights[h, e] = source.weights[g, e]


def mix(h, target, b, parents, rng):
    """Genome `h` takes half of the genes that it shares with `b`, at random, from there.

    What only one parent has, and which edges are on, stay as the fitter one has them, so that nothing is cut off.
    """
    sizes, nodes, biases, edges, weights = target
    sizes_b, edges_b = parents.sizes, parents.edges
    other = 0
    for e in range(sizes[h, EDGES]):
        while other < sizes_b[b, EDGES] and edges_b[b, other, NUMBER] < edges[h, e, NUMBER]:
            other += 1
        same = other < sizes_b[b, EDGES] and edges_b[b, other, NUMBER] == edges[h, e, NUMBER]
        if same and below(rng, 2) == 1:
            weights[h, e] = parents.weights[b, other]
    for n in range(sizes[h, NODES]):
        other = place_of(nodes[h, n, NUMBER], n, b, parents)
        if other >= 0 and below(rng, 2) == 1:
            biases[h, n] = parents.biases[b, other]
            nodes[h, n, ACTIVATION] = parents.nodes[b, other, ACTIVATION]


def place_of(number, guess, g, genomes):
    """The place of the node of that number in genome `g`; -1 where it has none."""
    sizes, nodes = genomes.sizes, genomes.nodes
    if guess < sizes[g, NODES] and nodes[g, guess, NUMBER] == number:
        return guess
    for n in range(sizes[g, NODES]):
        if nodes[g, n, NUMBER] == number:
            return n
    return -1


def distance(a, genomes, b, others, per_gene, per_weight):
    """How far two genomes are apart: the share of edges that one of them lacks, and how far shared genes differ."""
    sizes, nodes, biases, edges, weights = genomes
    sizes_b, edges_b = others.sizes, others.edges
    same = 0
    apart = 0.0
    other = 0
    for e in range(sizes[a, EDGES]):
        while other < sizes_b[b, EDGES] and edges_b[b, other, NUMBER] < edges[a, e, NUMBER]:
            other += 1
        if other < sizes_b[b, EDGES] and edges_b[b, other, NUMBER] == edges[a, e, NUMBER]:
            same += 1
            apart += abs(weights[a, e] - others.weights[b, other])
    most = max(sizes[a, EDGES], sizes_b[b, EDGES], 1)
    alone = sizes[a, EDGES] + sizes_b[b, EDGES] - 2 * same
    for n in range(sizes[a, NODES]):
        place = place_of(nodes[a, n, NUMBER], n, b, others)
        if place >= 0:
            same += 1
            apart += abs(biases[a, n] - others.biases[b, place])
    return per_gene * alone / most + per_weight * apart / max(same, 1)

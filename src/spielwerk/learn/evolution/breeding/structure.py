"""Mutations of the graph of a genome, in place: edges and nodes come and go, and edges are switched.

A change for which there is no room, or nothing to apply it to, is left out.
"""

from spielwerk.kernel.random import below
from spielwerk.learn.evolution.breeding.traits import new_value, some_activation
from spielwerk.learn.evolution.genome.genome import (
    ACTIVATION,
    EDGE_COLUMNS,
    EDGES,
    FROM,
    LAYER,
    LAYERS,
    NODE_COLUMNS,
    NODES,
    NUMBER,
    ON,
    TO,
)

TRIES = 30  # to find two nodes that are not joined
HIDDEN_NUMBERS = 1 << 32  # numbers of hidden nodes and of edges lie from here to 2⁵²
NUMBER_BITS = (1 << 52) - 1
STIR, STIR_AGAIN = 0x1B873593, 0x2545F491  # odd numbers that scatter bits


def add_edge(g, rng, genomes):
    """Joins two nodes of different layers that are not joined yet."""
    sizes, nodes, edges = genomes.sizes, genomes.nodes, genomes.edges
    if sizes[g, EDGES] == edges.shape[1]:
        return
    for _ in range(TRIES):
        a = below(rng, sizes[g, NODES])
        b = below(rng, sizes[g, NODES])
        if nodes[g, a, LAYER] > nodes[g, b, LAYER]:
            a, b = b, a
        if nodes[g, a, LAYER] < nodes[g, b, LAYER] and not joined(g, a, b, genomes):
            insert_edge(g, a, b, new_value(rng), genomes)
            return


def joined(g, a, b, genomes):
    """Whether there is an edge between two places, on or off."""
    sizes, edges = genomes.sizes, genomes.edges
    for e in range(sizes[g, EDGES]):
        if edges[g, e, FROM] == a and edges[g, e, TO] == b:
            return True
    return False


def insert_edge(g, a, b, weight, genomes):
    """A new edge, at the place that its number gives it."""
    sizes, nodes, edges, weights = genomes.sizes, genomes.nodes, genomes.edges, genomes.weights
    number = number_of(nodes[g, a, NUMBER], nodes[g, b, NUMBER])
    e = sizes[g, EDGES]
    while e > 0 and edges[g, e - 1, NUMBER] > number:
        for column in range(EDGE_COLUMNS):
            edges[g, e, column] = edges[g, e - 1, column]
        weights[g, e] = weights[g, e - 1]
        e -= 1
    edges[g, e, NUMBER] = number
    edges[g, e, FROM] = a
    edges[g, e, TO] = b
    edges[g, e, ON] = 1
    weights[g, e] = weight
    sizes[g, EDGES] += 1


def number_of(a, b):
    """The number of what comes from `a` and `b`: of an edge by its ends, of a node by its edge and how often."""
    x = stirred(stirred(a + STIR) ^ (b + STIR_AGAIN))
    return HIDDEN_NUMBERS + x % (NUMBER_BITS - HIDDEN_NUMBERS)


def stirred(x):
    """Scatters the bits of a number; the result is below 2⁵²."""
    for _ in range(3):
        low = x & 0x3FFFFFF
        high = (x >> 26) & 0x3FFFFFF
        x = ((low * STIR) ^ (high * STIR_AGAIN) ^ (low * STIR >> 20)) & NUMBER_BITS
        x ^= x >> 23
    return x


def add_node(g, rng, genomes, traits):
    """Puts a node into a random edge that is on, in a layer between its ends or in a new one."""
    sizes, nodes, biases, edges, weights = genomes
    most = edges.shape[1] - (2 if traits.split_off else 1)
    if sizes[g, NODES] == nodes.shape[1] or sizes[g, EDGES] > most or sizes[g, EDGES] == 0:
        return
    e = below(rng, sizes[g, EDGES])
    if edges[g, e, ON] == 0:
        return
    a = edges[g, e, FROM]
    b = edges[g, e, TO]
    weight = weights[g, e]
    layer = layer_between(g, a, b, rng, genomes)
    node = sizes[g, NODES]
    nodes[g, node, NUMBER] = new_node_number(g, edges[g, e, NUMBER], genomes)
    nodes[g, node, LAYER] = layer
    nodes[g, node, ACTIVATION] = some_activation(rng, traits)
    sizes[g, NODES] += 1
    if traits.split_off:
        edges[g, e, ON] = 0
    else:
        delete_edge(g, e, genomes)
    if traits.split_kept:
        biases[g, node] = 0.0
        insert_edge(g, a, node, 1.0, genomes)
        insert_edge(g, node, b, weight, genomes)
    else:
        biases[g, node] = new_value(rng)
        insert_edge(g, a, node, new_value(rng), genomes)
        insert_edge(g, node, b, new_value(rng), genomes)


def layer_between(g, a, b, rng, genomes):
    """A random layer between two places; where there is none, a new one is made, and what lies behind it moves on."""
    sizes, nodes = genomes.sizes, genomes.nodes
    first = nodes[g, a, LAYER] + 1
    behind = nodes[g, b, LAYER]
    if behind > first:
        return first + below(rng, behind - first)
    for node in range(sizes[g, NODES]):
        if nodes[g, node, LAYER] >= behind:
            nodes[g, node, LAYER] += 1
    sizes[g, LAYERS] += 1
    return behind


def new_node_number(g, edge, genomes):
    """The number of a node put into the edge of that number: the first that the genome has not."""
    sizes, nodes = genomes.sizes, genomes.nodes
    times = 0
    while True:
        number = number_of(edge, times)
        found = False
        for node in range(sizes[g, NODES]):
            found = found or nodes[g, node, NUMBER] == number
        if not found:
            return number
        times += 1


def delete_edge(g, e, genomes):
    """Takes an edge out."""
    sizes, edges, weights = genomes.sizes, genomes.edges, genomes.weights
    sizes[g, EDGES] -= 1
    for k in range(e, sizes[g, EDGES]):
        for column in range(EDGE_COLUMNS):
            edges[g, k, column] = edges[g, k + 1, column]
        weights[g, k] = weights[g, k + 1]


def remove_edge(g, rng, genomes, traits):
    """Takes a random edge out, unless that cuts an input from the outputs."""
    sizes, edges = genomes.sizes, genomes.edges
    if sizes[g, EDGES] == 0:
        return
    e = below(rng, sizes[g, EDGES])
    if edges[g, e, ON] == 0 or may_go(g, e, -1, genomes, traits):
        delete_edge(g, e, genomes)


def switch_edge(g, rng, genomes, traits):
    """Switches a random edge on, or off, unless that cuts an input from the outputs."""
    sizes, edges = genomes.sizes, genomes.edges
    if sizes[g, EDGES] == 0:
        return
    e = below(rng, sizes[g, EDGES])
    if edges[g, e, ON] == 0:
        edges[g, e, ON] = 1
    elif may_go(g, e, -1, genomes, traits):
        edges[g, e, ON] = 0


def may_go(g, edge, node, genomes, traits):
    """Whether as many inputs reach an output without this edge, or this node (-1 for none)."""
    return connected(g, edge, node, genomes, traits) == connected(g, -1, -1, genomes, traits)


def connected(g, edge, node, genomes, traits):
    """How many inputs reach an output by edges that are on, without `edge` and without `node` (-1 for none)."""
    sizes, edges, marks = genomes.sizes, genomes.edges, traits.marks
    for place in range(sizes[g, NODES]):
        marks[place] = 1 if traits.inputs <= place < traits.inputs + traits.outputs else 0
    changed = True
    while changed:
        changed = False
        for e in range(sizes[g, EDGES]):
            a = edges[g, e, FROM]
            b = edges[g, e, TO]
            open = e != edge and edges[g, e, ON] != 0 and a != node and b != node
            if open and marks[b] == 1 and marks[a] == 0:
                marks[a] = 1
                changed = True
    count = 0
    for place in range(traits.inputs):
        count += marks[place]
    return count


def remove_node(g, rng, genomes, traits):
    """Takes a random hidden node and its edges out, unless that cuts an input from the outputs."""
    sizes, edges = genomes.sizes, genomes.edges
    first = traits.inputs + traits.outputs
    if sizes[g, NODES] == first:
        return
    node = first + below(rng, sizes[g, NODES] - first)
    if not may_go(g, -1, node, genomes, traits):
        return
    e = sizes[g, EDGES] - 1
    while e >= 0:
        if edges[g, e, FROM] == node or edges[g, e, TO] == node:
            delete_edge(g, e, genomes)
        e -= 1
    delete_node(g, node, genomes)


def delete_node(g, node, genomes):
    """Takes a node without edges out; the places behind it move up, and an empty layer goes."""
    sizes, nodes, biases, edges = genomes.sizes, genomes.nodes, genomes.biases, genomes.edges
    layer = nodes[g, node, LAYER]
    sizes[g, NODES] -= 1
    for k in range(node, sizes[g, NODES]):
        for column in range(NODE_COLUMNS):
            nodes[g, k, column] = nodes[g, k + 1, column]
        biases[g, k] = biases[g, k + 1]
    for e in range(sizes[g, EDGES]):
        for end in (FROM, TO):
            if edges[g, e, end] > node:
                edges[g, e, end] -= 1
    others = False
    for k in range(sizes[g, NODES]):
        others = others or nodes[g, k, LAYER] == layer
    if not others:
        for k in range(sizes[g, NODES]):
            if nodes[g, k, LAYER] > layer:
                nodes[g, k, LAYER] -= 1
        sizes[g, LAYERS] -= 1

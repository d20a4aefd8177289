"""Wiring: a genome in the order in which it is computed, and the computing itself.

`wires = (order, starts, sources, strengths, counts)`, a row for each genome: order [n, nodes] holds the places of the
nodes that are computed, layer by layer, counts [n] how many they are; the edges into the k-th of them are starts[k] to
starts[k + 1] - 1, with the place that each comes from in sources [n, edges] and its weight in strengths [n, edges].
"""

from __future__ import annotations

import numpy as np

from spielwerk.kernel.specialise import specialise
from spielwerk.learn.evolution.genome.activations import activate
from spielwerk.learn.evolution.genome.genome import (
    ACTIVATION,
    EDGES,
    FROM,
    LAYER,
    LAYERS,
    NODES,
    ON,
    TO,
    Arrays,
    Genome,
    alone,
)

BLOCK = 64  # rows that are computed at a time

Wires = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def wire(g, genomes, wires):
    """Brings genome `g` into order."""
    sizes, nodes, _, edges, weights = genomes
    order, starts, sources, strengths, counts = wires
    computed = 0
    used = 0
    for layer in range(1, sizes[g, LAYERS]):
        for node in range(sizes[g, NODES]):
            if nodes[g, node, LAYER] == layer:
                order[g, computed] = node
                starts[g, computed] = used
                computed += 1
                for e in range(sizes[g, EDGES]):
                    if edges[g, e, TO] == node and edges[g, e, ON] != 0:
                        sources[g, used] = edges[g, e, FROM]
                        strengths[g, used] = weights[g, e]
                        used += 1
    starts[g, computed] = used
    counts[g] = computed


def wire_rows(first, last, genomes, wires):
    """Brings genomes `first` to `last - 1` into order."""
    for g in range(first, last):
        wire(g, genomes, wires)


def think(g, values, genomes, wires):
    """Computes genome `g`: the values of its inputs are there, those of all other nodes are written."""
    _, nodes, biases, _, _ = genomes
    order, starts, sources, strengths, counts = wires
    for k in range(counts[g]):
        node = order[g, k]
        total = biases[g, node]
        for e in range(starts[g, k], starts[g, k + 1]):
            total += strengths[g, e] * values[sources[g, e]]
        values[node] = activate(nodes[g, node, ACTIVATION], total)


def think_block(g, count, values, genomes, wires):
    """The same for the first `count` columns of values [nodes, BLOCK], which the processor computes side by side."""
    _, nodes, biases, _, _ = genomes
    order, starts, sources, strengths, counts = wires
    for k in range(counts[g]):
        node = order[g, k]
        for i in range(count):
            values[node, i] = biases[g, node]
        for e in range(starts[g, k], starts[g, k + 1]):
            source = sources[g, e]
            strength = strengths[g, e]
            for i in range(count):
                values[node, i] += strength * values[source, i]
        kind = nodes[g, node, ACTIVATION]
        for i in range(count):
            values[node, i] = activate(kind, values[node, i])


def think_rows(g, rows, out, values, genomes, wires):
    """Writes the outputs of genome `g` for each row of inputs."""
    inputs = rows.shape[1]
    for first in range(0, rows.shape[0], BLOCK):
        count = min(BLOCK, rows.shape[0] - first)
        for i in range(count):
            for k in range(inputs):
                values[k, i] = rows[first + i, k]
        think_block(g, count, values, genomes, wires)
        for i in range(count):
            for k in range(out.shape[1]):
                out[first + i, k] = values[inputs + k, i]


def wires_for(genomes: Arrays) -> Wires:
    """Room for the wires of so many genomes."""
    _, nodes, _, edges, _ = genomes
    n, most = nodes.shape[:2]
    order, starts = np.zeros((n, most), np.int64), np.zeros((n, most + 1), np.int64)
    return order, starts, np.zeros(edges.shape[:2], np.int64), np.zeros(edges.shape[:2]), np.zeros(n, np.int64)


def outputs_of(genome: Genome, rows: np.ndarray) -> np.ndarray:
    """What a network makes of each row of inputs; float64 [rows, outputs]."""
    genomes = alone(genome)
    wires = wires_for(genomes)
    specialise(wire_rows, {})(0, 1, genomes, wires)
    out = np.zeros((len(rows), genome.outputs))
    given = np.ascontiguousarray(rows, np.float64)
    specialise(think_rows, {})(0, given, out, np.zeros((len(genome.nodes), BLOCK)), genomes, wires)
    return out

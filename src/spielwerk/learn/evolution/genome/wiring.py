"""Wiring: a genome in the order in which it is computed, and the computing itself."""

from __future__ import annotations

from typing import NamedTuple

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
    Genome,
    Genomes,
    alone,
)

BLOCK = 64  # rows that are computed at a time


class Wires(NamedTuple):
    """Genomes in the order of computing, a row each."""

    order: np.ndarray  # int64 [n, nodes]: the places of the nodes that are computed, layer by layer
    starts: np.ndarray  # int64 [n, nodes + 1]: the edges into the k-th of them are starts[k] to starts[k + 1] - 1
    sources: np.ndarray  # int64 [n, edges]: the place that each comes from
    strengths: np.ndarray  # float64 [n, edges]: its weight
    counts: np.ndarray  # int64 [n]: how many nodes are computed


class Networks(NamedTuple):
    """Genomes that are ready to be computed."""

    genomes: Genomes
    wires: Wires


def wire(g, networks):
    """Brings genome `g` into order."""
    genomes, wires = networks
    nodes, edges = genomes.nodes, genomes.edges
    computed = 0
    used = 0
    for layer in range(1, genomes.sizes[g, LAYERS]):
        for node in range(genomes.sizes[g, NODES]):
            if nodes[g, node, LAYER] == layer:
                wires.order[g, computed] = node
                wires.starts[g, computed] = used
                computed += 1
                for e in range(genomes.sizes[g, EDGES]):
                    if edges[g, e, TO] == node and edges[g, e, ON] != 0:
                        wires.sources[g, used] = edges[g, e, FROM]
                        wires.strengths[g, used] = genomes.weights[g, e]
                        used += 1
    wires.starts[g, computed] = used
    wires.counts[g] = computed


def wire_rows(first, last, networks):
    """Brings genomes `first` to `last - 1` into order."""
    for g in range(first, last):
        wire(g, networks)


def think(g, values, networks):
    """Computes genome `g`: the values of its inputs are there, those of all other nodes are written."""
    genomes, wires = networks
    for k in range(wires.counts[g]):
        node = wires.order[g, k]
        total = genomes.biases[g, node]
        for e in range(wires.starts[g, k], wires.starts[g, k + 1]):
            total += wires.strengths[g, e] * values[wires.sources[g, e]]
        values[node] = activate(genomes.nodes[g, node, ACTIVATION], total)


def think_block(g, count, values, networks):
    """The same for the first `count` columns of values [nodes, BLOCK], which the processor computes side by side."""
    genomes, wires = networks
    for k in range(wires.counts[g]):
        node = wires.order[g, k]
        for i in range(count):
            values[node, i] = genomes.biases[g, node]
        for e in range(wires.starts[g, k], wires.starts[g, k + 1]):
            source = wires.sources[g, e]
            strength = wires.strengths[g, e]
            for i in range(count):
                values[node, i] += strength * values[source, i]
        kind = genomes.nodes[g, node, ACTIVATION]
        for i in range(count):
            values[node, i] = activate(kind, values[node, i])


def think_rows(g, rows, out, values, networks):
    """Writes the outputs of genome `g` for each row of inputs."""
    inputs = rows.shape[1]
    for first in range(0, rows.shape[0], BLOCK):
        count = min(BLOCK, rows.shape[0] - first)
        for i in range(count):
            for k in range(inputs):
                values[k, i] = rows[first + i, k]
        think_block(g, count, values, networks)
        for i in range(count):
            for k in range(out.shape[1]):
                out[first + i, k] = values[inputs + k, i]


def wires_for(genomes: Genomes) -> Wires:
    """Rows for the wires of so many genomes."""
    n, most = genomes.biases.shape
    order, starts = np.zeros((n, most), np.int64), np.zeros((n, most + 1), np.int64)
    edges = genomes.weights.shape
    return Wires(order, starts, np.zeros(edges, np.int64), np.zeros(edges), np.zeros(n, np.int64))


def wired(genome: Genome) -> Networks:
    """One genome, ready to be computed."""
    genomes = alone(genome)
    networks = Networks(genomes, wires_for(genomes))
    specialise(wire_rows, {})(0, 1, networks)
    return networks


def outputs_of(genome: Genome, rows: np.ndarray) -> np.ndarray:
    """What a network makes of each row of inputs; float64 [rows, outputs]."""
    out = np.zeros((len(rows), genome.outputs))
    given = np.ascontiguousarray(rows, np.float64)
    specialise(think_rows, {})(0, given, out, np.zeros((len(genome.nodes), BLOCK)), wired(genome))
    return out

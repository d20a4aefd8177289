"""The peer: networks of neat-python (package `neat-python`, optional), built from our genomes."""

from __future__ import annotations

import time
from math import exp
from typing import Any

import numpy as np

from spielwerk.learn.evolution.genome.genome import FROM, LAYER, ON, TO, Genome

NAME = "neat-python"


def load() -> Any:
    """The module `neat`, or None where it is not installed."""
    try:
        import neat
    except ImportError:
        return None
    return neat


def network(genome: Genome) -> Any:
    """The same network in neat-python's form: every node but inputs is an ELU, layer by layer."""
    first, count = genome.inputs, len(genome.nodes)
    nodes = sorted(range(first, count), key=lambda node: genome.nodes[node, LAYER])
    evaluations = [(node, elu, sum, float(genome.biases[node]), 1.0, _links(genome, node)) for node in nodes]
    inputs, outputs = list(range(first)), list(range(first, first + genome.outputs))
    return load().nn.FeedForwardNetwork(inputs, outputs, evaluations)


def seconds(peer: Any, inputs: np.ndarray) -> float:
    """CPU seconds that so many evaluations take."""
    rows = inputs.tolist()
    begun = time.process_time()
    for row in rows:
        peer.activate(row)
    return time.process_time() - begun


def elu(x: float) -> float:
    """The activation of all nodes."""
    return x if x > 0.0 else exp(x) - 1.0


def _links(genome: Genome, node: int) -> list[tuple[int, float]]:
    into = (genome.edges[:, TO] == node) & (genome.edges[:, ON] == 1)
    return list(zip(genome.edges[into, FROM].tolist(), genome.weights[into].tolist(), strict=True))

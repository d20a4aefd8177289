"""Genomes: networks as flat arrays, one alone or a whole population in arrays of one size.

A genome has nodes (inputs first, then outputs, then hidden ones in the order in which they came) and edges, sorted by
their numbers. Inputs are in layer 0, outputs in the last one, and every edge leads to a later layer.

A *number* says what a gene is (NEAT's innovation number): it is computed from what the gene joins, so that the same
change has the same number in every genome, seed and run, and no list of them has to be kept. Nodes have numbers too:
inputs and outputs their places, hidden ones that of the edge they were put into.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielwerk.learn.evolution.genome.activations import ACTIVATIONS, FARTHEST
from spielwerk.names import BadInput

NODES, EDGES, LAYERS = 0, 1, 2  # columns of `sizes`
NUMBER = 0  # of a node or an edge
LAYER, ACTIVATION = 1, 2  # further columns of `nodes`
FROM, TO, ON = 1, 2, 3  # further columns of `edges`: places of nodes; whether the edge is switched on
NODE_COLUMNS, EDGE_COLUMNS, SIZES = 3, 4, 3


class Genomes(NamedTuple):
    """Genomes as kernels take them, a row each; what lies behind a genome's sizes means nothing."""

    sizes: np.ndarray  # int64 [n, 3]: nodes, edges, layers
    nodes: np.ndarray  # int64 [n, nodes, 3]: number, layer, activation
    biases: np.ndarray  # float64 [n, nodes]
    edges: np.ndarray  # int64 [n, edges, 4]: number, from, to, on
    weights: np.ndarray  # float64 [n, edges]


@dataclass(frozen=True, eq=False)
class Genome:
    """One network; no longer arrays than it needs."""

    inputs: int
    outputs: int
    nodes: np.ndarray  # int64 [nodes, 3]: number, layer, activation
    biases: np.ndarray  # float64 [nodes]; those of inputs mean nothing
    edges: np.ndarray  # int64 [edges, 4]: number, from, to, on
    weights: np.ndarray  # float64 [edges]

    @property
    def layers(self) -> int:
        """With those of inputs and outputs."""
        return int(self.nodes[self.inputs, LAYER]) + 1

    @property
    def layer_sizes(self) -> list[int]:
        """The number of nodes of each layer."""
        return np.bincount(self.nodes[:, LAYER], minlength=self.layers).tolist()

    @property
    def hidden(self) -> int:
        """Nodes that are neither inputs nor outputs."""
        return len(self.nodes) - self.inputs - self.outputs

    def check(self) -> None:
        """Refuses what is no network: BadInput says in one sentence what is wrong."""
        nodes, edges, count = self.nodes, self.edges, len(self.nodes)
        _need(self.inputs > 0 < self.outputs and count >= self.inputs + self.outputs, "it lacks inputs or outputs")
        _need(
            nodes.shape == (count, NODE_COLUMNS) and nodes.dtype == np.int64,
            "its nodes have the wrong shape or type",
        )
        shape = (len(edges), EDGE_COLUMNS)
        _need(edges.shape == shape and edges.dtype == np.int64, "its edges have the wrong shape or type")
        _need(self.biases.shape == (count,) and self.biases.dtype == np.float64, "each node needs one bias")
        _need(self.weights.shape == shape[:1] and self.weights.dtype == np.float64, "each edge needs one weight")
        for what, numbers in (("bias", self.biases), ("weight", self.weights)):
            _need(bool(np.isfinite(numbers).all()), f"a {what} is not a finite number")
            _need(bool((np.abs(numbers) <= FARTHEST).all()), f"a {what} is beyond {FARTHEST:g}")
        known = (nodes[:, ACTIVATION] >= 0) & (nodes[:, ACTIVATION] < len(ACTIVATIONS))
        _need(bool(known.all()), "a node has an unknown activation")
        ends = edges[:, [FROM, TO]]
        _need(bool(((ends >= 0) & (ends < count)).all()), "an edge leads from or to a node that does not exist")
        _need(bool(np.isin(edges[:, ON], (0, 1)).all()), "an edge is neither on nor off")
        self._check_layers()
        first, places = self.inputs + self.outputs, nodes[: self.inputs + self.outputs, NUMBER]
        _need(bool((places == np.arange(first)).all()), "the numbers of inputs and outputs are not their places")
        for what, genes in (("nodes", nodes), ("edges", edges)):
            _need(bool((genes[:, NUMBER] >= 0).all()), f"the number of one of its {what} is negative")
            _need(len(set(genes[:, NUMBER].tolist())) == len(genes), f"two {what} have the same number")
        _need(len(set(map(tuple, ends.tolist()))) == len(edges), "two edges join the same nodes")
        _need(bool((np.diff(edges[:, NUMBER]) > 0).all()), "its edges are not sorted by their numbers")

    def _check_layers(self) -> None:
        layers, edges, outputs = self.nodes[:, LAYER], self.edges, slice(self.inputs, self.inputs + self.outputs)
        last, hidden = int(layers[self.inputs]), layers[self.inputs + self.outputs :]
        _need(bool((layers[: self.inputs] == 0).all()), "an input is not in the first layer")
        _need(last > 0 and bool((layers[outputs] == last).all()), "an output is not in the last layer")
        _need(bool(((hidden > 0) & (hidden < last)).all()), "a hidden node is in the layer of inputs or outputs")
        _need(last < len(self.nodes) and len(set(layers.tolist())) == last + 1, "a layer has no nodes")
        forward = layers[edges[:, FROM]] < layers[edges[:, TO]]
        _need(bool(forward.all()), "an edge does not lead to a later layer, so there may be a cycle")


def _need(good: bool, problem: str) -> None:
    if not good:
        raise BadInput(f"This genome is not a network: {problem}.")


def empty(count: int, nodes: int, edges: int) -> Genomes:
    """Rows for so many genomes with up to so many nodes and edges."""
    genes = np.zeros((count, nodes, NODE_COLUMNS), np.int64), np.zeros((count, nodes))
    joins = np.zeros((count, edges, EDGE_COLUMNS), np.int64), np.zeros((count, edges))
    return Genomes(np.zeros((count, SIZES), np.int64), *genes, *joins)


def taken(genomes: Genomes, row: int, inputs: int, outputs: int) -> Genome:
    """A copy of the genome in a row."""
    n, e = genomes.sizes[row, NODES], genomes.sizes[row, EDGES]
    genes, joins = (genomes.nodes[row, :n], genomes.biases[row, :n]), (genomes.edges[row, :e], genomes.weights[row, :e])
    parts: Any = (*genes, *joins)
    return Genome(inputs, outputs, *(part.copy() for part in parts))


def put(genome: Genome, genomes: Genomes, row: int) -> None:
    """Writes a genome into a row that is long enough."""
    n, e = len(genome.nodes), len(genome.edges)
    genomes.sizes[row] = (n, e, genome.layers)
    genomes.nodes[row, :n], genomes.biases[row, :n] = genome.nodes, genome.biases
    genomes.edges[row, :e], genomes.weights[row, :e] = genome.edges, genome.weights


def alone(genome: Genome) -> Genomes:
    """Arrays that hold this genome only."""
    genomes = empty(1, len(genome.nodes), len(genome.edges))
    put(genome, genomes, 0)
    return genomes


def packed(name: str, genomes: Sequence[Genome]) -> dict[str, np.ndarray]:
    """Genomes one behind the other, as arrays for a checkpoint."""
    sizes = [(len(one.nodes), len(one.edges)) for one in genomes]
    arrays: dict[str, np.ndarray] = {"sizes": np.array(sizes, np.int64).reshape(-1, 2)}
    for part, empty in (("nodes", NO_NODES), ("biases", NO_VALUES), ("edges", NO_EDGES), ("weights", NO_VALUES)):
        arrays[part] = np.concatenate([empty, *(getattr(one, part) for one in genomes)])
    return {f"{name}_{part}": array for part, array in arrays.items()}


def unpacked(name: str, arrays: Mapping[str, np.ndarray], inputs: int, outputs: int) -> list[Genome]:
    """The genomes that `packed` has written, each checked."""
    try:
        sizes, *parts = (arrays[f"{name}_{part}"] for part in ("sizes", "nodes", "biases", "edges", "weights"))
        lengths = np.cumsum(sizes, axis=0)[:-1]
        pieces = [np.split(part, lengths[:, column]) for part, column in zip(parts, (0, 0, 1, 1), strict=True)]
        if any(len(part) != sizes[:, column].sum() for part, column in zip(parts, (0, 0, 1, 1), strict=True)):
            raise ValueError
        genomes = [Genome(inputs, outputs, *rows) for rows in zip(*pieces, strict=True)][: len(sizes)]
    except (KeyError, ValueError, IndexError, TypeError):
        raise BadInput(f'The checkpoint does not hold all of the genomes "{name}".') from None
    for genome in genomes:
        genome.check()
    return genomes


NO_NODES, NO_EDGES = np.zeros((0, NODE_COLUMNS), np.int64), np.zeros((0, EDGE_COLUMNS), np.int64)
NO_VALUES = np.zeros(0)

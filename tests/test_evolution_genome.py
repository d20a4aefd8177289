"""Genomes: what a network computes, what is no network, and how genomes are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evolution_genomes import blueprint, grown
from evolution_reference import outputs
from spielwerk.learn.evolution.genome.activations import IDENTITY
from spielwerk.learn.evolution.genome.genome import Genome, alone, packed, taken, unpacked
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.names import BadInput

NIM = blueprint("nim", output="onehot", illegal="strict")
SMALL = blueprint("nim:stacks=8", split="off", split_weights="kept", hidden=3)


@pytest.mark.parametrize("frame", [NIM, SMALL], ids=["nim", "one stack"])
def test_networks_compute_what_their_edges_say(frame: Any) -> None:
    rng = np.random.default_rng(1)
    genomes = grown(frame, 100, 300)
    assert max(genome.layers for genome in genomes) > 6
    assert any((genome.edges[:, 3] == 0).any() for genome in genomes)
    for genome in genomes:
        rows = rng.integers(0, 9, (5, genome.inputs)).astype(float)
        ours = outputs_of(genome, rows)
        np.testing.assert_allclose(ours, [outputs(genome, row) for row in rows.tolist()], rtol=1e-9, atol=1e-9)
        assert np.isfinite(ours).all()


def test_a_network_without_hidden_nodes_is_a_sum_and_its_activation() -> None:
    genome = grown(blueprint("nim:stacks=3-4", output="direct", population=2), 1, 0)[0]
    assert (genome.layers, genome.hidden, len(genome.edges)) == (2, 0, 4)
    into = {(int(a), int(b)): w for (_, a, b, _), w in zip(genome.edges, genome.weights, strict=True)}
    sums = [genome.biases[b] + 3 * into[0, b] + 4 * into[1, b] for b in (2, 3)]
    elu = [x if x > 0 else np.exp(x) - 1 for x in sums]
    np.testing.assert_allclose(outputs_of(genome, np.array([[3.0, 4.0]]))[0], elu)


@pytest.mark.parametrize("size", [1e9, 1e30, 1e308])
def test_enormous_weights_give_finite_outputs_or_are_refused(size: float) -> None:
    genome = grown(SMALL, 1, 0)[0]  # three hidden nodes
    genome.nodes[:, 2] = IDENTITY
    against = np.where(genome.edges[:, 1] == genome.edges[:, 1].max(), -1, 1)
    large = replace(genome, weights=against * size, biases=np.full(len(genome.biases), 100.0))
    try:
        large.check()
    except BadInput:
        return
    assert np.isfinite(outputs_of(large, np.array([[7.0]]))).all()


Damage = Callable[[Genome], Genome]


def changed(part: str, index: Any, value: Any) -> Damage:
    """Writes one value into a part of a genome."""

    def damage(genome: Genome) -> Genome:
        array = getattr(genome, part).copy()
        array[index] = value(array[index]) if callable(value) else value
        return replace(genome, **{part: array})

    return damage


DAMAGES: dict[str, Damage] = {
    "a weight is not a finite number": changed("weights", 0, np.nan),
    "a bias is not a finite number": changed("biases", -1, np.inf),
    "a node has an unknown activation": changed("nodes", (-1, 2), 99),
    "an edge leads from or to a node that does not exist": changed("edges", (0, 1), 10_000),
    "an edge is neither on nor off": changed("edges", (0, 3), 2),
    "an input is not in the first layer": changed("nodes", (0, 1), 1),
    "an output is not in the last layer": changed("nodes", (5, 1), 1),
    "a hidden node is in the layer of inputs or outputs": changed("nodes", (-1, 1), 0),
    "a layer has no nodes": changed("nodes", (slice(4, 15), 1), lambda layers: layers + 1),
    "the numbers of inputs and outputs are not their places": changed("nodes", (0, 0), 1),
    "the number of one of its nodes is negative": changed("nodes", (-1, 0), -7),
    "two nodes have the same number": changed("nodes", (-1, 0), 1),
    "two edges have the same number": changed("edges", (0, 0), lambda number: 0),
    "its edges are not sorted by their numbers": changed("edges", slice(None), lambda edges: edges[::-1]),
    "each node needs one bias": lambda genome: replace(genome, biases=genome.biases[:-1]),
    "each edge needs one weight": lambda genome: replace(genome, weights=genome.weights[:-1]),
    "its nodes have the wrong shape or type": lambda genome: replace(genome, nodes=genome.nodes[:, :2]),
    "its edges have the wrong shape or type": lambda genome: replace(genome, edges=genome.edges.astype(np.int32)),
    "it lacks inputs or outputs": lambda genome: replace(genome, outputs=len(genome.nodes)),
}


@pytest.mark.parametrize("problem", DAMAGES)
def test_what_is_no_network_is_refused(problem: str) -> None:
    genome = grown(NIM, 50, 200)[-1]
    genome.check()
    if problem == "two edges have the same number":
        genome = changed("edges", (1, 0), 0)(genome)
    with pytest.raises(BadInput, match=f"^This genome is not a network: {problem}\\.$"):
        DAMAGES[problem](genome).check()


def test_a_cycle_is_refused() -> None:
    genome = next(genome for genome in grown(NIM, 100, 300) if genome.layers > 4)
    inner = np.flatnonzero(genome.edges[:, 1] >= genome.inputs + genome.outputs)
    edge = genome.edges[inner[0]]
    turned = changed("edges", (inner[0], slice(1, 3)), edge[[2, 1]])(genome)
    with pytest.raises(BadInput, match="does not lead to a later layer, so there may be a cycle"):
        turned.check()


def test_genomes_are_kept_whole() -> None:
    genomes = grown(NIM, 20, 200)
    kept = packed("some", genomes)
    for before, again in zip(genomes, unpacked("some", kept, 4, 11), strict=True):
        assert_same(before, again)
    assert unpacked("some", packed("some", []), 4, 11) == []
    assert_same(genomes[7], taken(alone(genomes[7]), 0, 4, 11))


def test_genomes_that_were_cut_off_are_refused() -> None:
    kept = packed("some", grown(NIM, 20, 200))
    for name, array in kept.items():
        for broken in ({**kept, name: array[:-1]}, {other: kept[other] for other in kept if other != name}):
            with pytest.raises(BadInput, match=r'^The checkpoint does not hold all of the genomes "some"\.$'):
                unpacked("some", broken, 4, 11)


def assert_same(one: Genome, other: Genome) -> None:
    """Two genomes are equal, word by word."""
    for part in ("nodes", "biases", "edges", "weights"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))

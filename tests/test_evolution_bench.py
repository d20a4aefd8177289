"""The benchmark of evolution: both sides compute the same networks, and every figure is there."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

from evolution_genomes import blueprint, grown
from evolution_reference import outputs
from spielwerk.bench import evolution, neat
from spielwerk.learn.evolution.genome.wiring import outputs_of

HAS_PEER = importlib.util.find_spec("neat") is not None
needs_peer = pytest.mark.skipif(not HAS_PEER, reason="neat-python is not installed")


@needs_peer
@pytest.mark.parametrize("graph", evolution.GRAPHS, ids=lambda graph: graph.name)
def test_neat_python_computes_the_same_network(graph: evolution.Graph) -> None:
    genome = evolution.random_genome(graph, 3)
    assert (genome.inputs, genome.hidden, genome.outputs) == (graph.inputs, graph.hidden, graph.outputs)
    assert len(genome.edges) == graph.edges
    inputs = np.random.default_rng(3).uniform(-2, 2, (20, graph.inputs))
    theirs = [neat.network(genome).activate(row) for row in inputs.tolist()]
    np.testing.assert_allclose(outputs_of(genome, inputs), theirs, rtol=0, atol=1e-9)
    np.testing.assert_allclose(theirs, [outputs(genome, row) for row in inputs.tolist()], rtol=0, atol=1e-9)


@needs_peer
def test_neat_python_computes_networks_that_have_grown() -> None:
    frame = blueprint("nim", output="onehot", activations="elu tanh", set_activation=0.0)
    for genome in grown(frame, 50, 300):
        genome.nodes[:, 2] = 0  # the first activation is ELU
        inputs = np.random.default_rng(1).uniform(0, 7, (3, 4))
        theirs = [neat.network(genome).activate(row) for row in inputs.tolist()]
        np.testing.assert_allclose(outputs_of(genome, inputs), theirs, rtol=1e-9, atol=1e-9)


@needs_peer
def test_networks_that_differ_are_noticed() -> None:
    genome = evolution.random_genome(evolution.GRAPHS[1], 1)
    inputs, peer = np.random.default_rng(1).uniform(-1, 1, (20, 8)), neat.network(genome)
    evolution.check_agreement(genome, inputs, peer)
    genome.biases[:] += 0.01
    with pytest.raises(AssertionError, match="the two networks differ"):
        evolution.check_agreement(genome, inputs, peer)


@pytest.mark.parametrize("installed", [pytest.param(True, marks=needs_peer), False])
def test_every_figure_is_measured_with_or_without_the_peer(installed: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr(evolution, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(evolution, "ROWS", 20)
    monkeypatch.setattr(evolution, "GENERATIONS", 1)
    if not installed:
        monkeypatch.setattr(neat, "load", lambda: None)
    measured = list(evolution.rows(rounds=1))
    assert [row.unit for row in measured] == ["evaluations/s"] * 3 + ["generations/s", "games/s"]
    assert all(row.value > 0 for row in measured)
    assert [row.peer for row in measured] == [neat.NAME if installed else None] * 3 + [None] * 2
    assert all((row.ratio is not None) == installed for row in measured[:3])
    assert measured[4].value == pytest.approx(measured[3].value * 9900)  # everybody meets 99 others in two games

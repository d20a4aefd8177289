"""`spielwerk bench evolution`: evaluations of a genome a second, with neat-python's of the same network in the same
run; and how fast the published configuration evolves: nim with 8 matches, a population of 100 in which everybody meets
all others from both seats.

Evaluations are CPU time against CPU time on one core, the median of alternating rounds: ours of many rows of inputs in
one call, neat-python's one after the other, as each is meant to be used. Generations are measured by the clock, on all
cores.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.bench import neat, rules
from spielwerk.bench.row import Row
from spielwerk.games.registry import game
from spielwerk.learn.evolution.genome.activations import ELU
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.settings import ONEHOT, Settings

GAME = "nim:stacks=8"
GENERATIONS = 50  # of a round
ROWS = 2000  # of inputs that neat-python computes in a round
ROUND_SECONDS = 0.1  # of ours, which computes these rows again and again
HIDDEN_LAYERS = 3
AGREE = 1e-9


@dataclass(frozen=True)
class Graph:
    """The size of a network."""

    inputs: int
    hidden: int
    outputs: int
    edges: int

    @property
    def name(self) -> str:
        """What the table says."""
        sizes = " → ".join(str(size) for size in (self.inputs, self.hidden, self.outputs) if size)
        return f"{sizes}, {self.edges} edges, many rows in a call"


GRAPHS = (Graph(1, 0, 9, 9), Graph(8, 20, 4, 60), Graph(100, 30, 1, 1000))


def rows(rounds: int = 5, seed: int = 1) -> Iterator[Row]:
    """The figures, as they are measured."""
    for graph in GRAPHS:
        yield evaluations(graph, rounds, seed)
    yield from generations(rounds, seed)


def evaluations(graph: Graph, rounds: int, seed: int) -> Row:
    """Evaluations a second of both, which agree."""
    genome, inputs = random_genome(graph, seed), np.random.default_rng(seed).uniform(-1, 1, (ROWS, graph.inputs))
    peer = neat.network(genome) if neat.load() else None
    check_agreement(genome, inputs, peer)
    times = rules.games_for(ROUND_SECONDS, lambda n: _seconds(genome, np.tile(inputs, (n, 1))))
    many, ours, theirs = np.tile(inputs, (times, 1)), [], []
    for _ in range(rounds):
        ours.append(len(many) / _seconds(genome, many))
        if peer:
            theirs.append(ROWS / neat.seconds(peer, inputs))
    speed = statistics.median(theirs) if peer else None
    return Row(graph.name, statistics.median(ours), "evaluations/s", neat.NAME if peer else None, speed)


def _seconds(genome: Genome, many: np.ndarray) -> float:
    """CPU seconds that these rows take in one call."""
    begun = time.process_time()
    outputs_of(genome, many)
    return time.process_time() - begun


def check_agreement(genome: Genome, inputs: np.ndarray, peer: Any) -> None:
    """Both compute the same; ours is compiled by that."""
    ours = outputs_of(genome, inputs)
    if peer:
        theirs = np.array([peer.activate(row) for row in inputs.tolist()])
        assert np.abs(ours - theirs).max() < AGREE, "the two networks differ, so that their speeds say nothing"


def random_genome(graph: Graph, seed: int) -> Genome:
    """A network of that size, its hidden nodes in layers."""
    rng, last = np.random.default_rng(seed), HIDDEN_LAYERS + 1 if graph.hidden else 1
    layers = [0] * graph.inputs + [last] * graph.outputs + [1 + k % HIDDEN_LAYERS for k in range(graph.hidden)]
    nodes = np.array([(place, layer, ELU) for place, layer in enumerate(layers)], np.int64)
    pairs = [(a, b) for a, b in np.ndindex(len(nodes), len(nodes)) if layers[a] < layers[b]]
    chosen = rng.choice(len(pairs), graph.edges, replace=False)
    edges = np.array([(number, *pairs[k], 1) for number, k in enumerate(chosen)], np.int64)
    biases, weights = rng.uniform(-1, 1, len(nodes)), rng.uniform(-1, 1, len(edges))
    genome = Genome(graph.inputs, graph.outputs, nodes, biases, edges, weights)
    genome.check()
    return genome


def generations(rounds: int, seed: int) -> Iterator[Row]:
    """Generations and games a second of the published configuration."""
    cores = os.cpu_count() or 1
    plain = Settings(GENERATIONS * rounds + 1, 100, opponents=50, output=ONEHOT, exponent=1.0, best=0, old=0, new=0)
    learner = EvolutionLearner(game(GAME), plain, seed)
    learner.threads = cores
    learner.learn(1)  # compiles
    speeds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        learner.learn(GENERATIONS)
        speeds.append(GENERATIONS / (time.perf_counter() - begun))
    speed, games = statistics.median(speeds), plain.population * (plain.population - 1)
    name = f"{GAME}, population {plain.population}, {cores} threads"
    yield Row(name, speed, "generations/s")
    yield Row(name, speed * games, "games/s")

"""Mutations, crossover and distances: whatever happens to genomes, they stay networks, and nothing is cut off."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolution_genomes import Growing, blueprint, grown
from evolution_reference import distance, inherited, reaching
from spielwerk.kernel.random import stream
from spielwerk.kernel.specialise import specialise
from spielwerk.learn.evolution.breeding import breeding
from spielwerk.learn.evolution.breeding import crossover as crossing
from spielwerk.learn.evolution.breeding.structure import number_of
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.genome import Genome, alone, empty, taken
from spielwerk.learn.evolution.settings import MUTATIONS

FRAMES = {
    "one-hot": blueprint("nim", output="onehot", population=2),
    "small": blueprint("nim:stacks=3-4-5", most_hidden=4, most_edges=12, split="off", population=2),
    "one layer": blueprint("nim:stacks=3-4-5", hidden=5, split_weights="kept", output="direct", population=2),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
@settings(deadline=None, max_examples=20)
@given(names=st.lists(st.sampled_from(MUTATIONS), max_size=150), seed=st.integers(1, 10**6))
def test_any_mutations_leave_a_network_and_cut_nothing_off(frame: Any, names: list[str], seed: int) -> None:
    people = Growing(frame, seed)
    before = people.genome(0)
    assert reaching(before) == set(range(frame.inputs))
    for name in names:
        genome = people.change(0, name)
        genome.check()
        assert len(genome.nodes) <= frame.most_nodes
        assert len(genome.edges) <= frame.most_edges
        assert people.genomes.sizes[0].tolist() == [len(genome.nodes), len(genome.edges), genome.layers]
        assert reaching(genome) == reaching(before)
        assert_only(name, before, genome)
        before = genome


def assert_only(name: str, before: Genome, genome: Genome) -> None:
    """A mutation has changed what its name says, and nothing else."""
    nodes, edges = len(genome.nodes) - len(before.nodes), len(genome.edges) - len(before.edges)
    if name in ("set_weight", "shift_weight", "set_bias", "shift_bias", "set_activation", "switch_edge"):
        assert (nodes, edges) == (0, 0)
        parts = {"nodes": genome.nodes[:, 2] != before.nodes[:, 2], "biases": genome.biases != before.biases}
        parts |= {"edges": genome.edges[:, 3] != before.edges[:, 3], "weights": genome.weights != before.weights}
        changed = {part: int(different.sum()) for part, different in parts.items() if different.any()}
        part = {"weight": "weights", "bias": "biases", "activation": "nodes", "edge": "edges"}[name.split("_")[1]]
        assert changed in ({}, {part: 1})
        assert not (genome.biases != before.biases)[: genome.inputs].any()
    elif name == "add_edge":
        assert nodes == 0 <= edges <= 1
    elif name == "add_node":
        assert (nodes, edges) in {(0, 0), (1, 1), (1, 2)}
    elif name == "remove_edge":
        assert nodes == 0 >= edges >= -1
    else:
        assert (nodes, edges) == (0, 0) or nodes == -1


def test_values_are_set_between_bounds_and_shift_by_a_square() -> None:
    people = Growing(blueprint("nim", population=2, shift=0.5))
    sets, shifts = [], []
    for _ in range(4000):
        before = people.genome(0).weights
        after = people.change(0, "set_weight").weights
        sets += after[after != before].tolist()
        shifted = people.change(0, "shift_weight").weights - after
        shifts += shifted[shifted != 0].tolist()
    assert -1 <= min(sets) < -0.99 < 0.99 < max(sets) <= 1
    assert abs(np.mean(sets)) < 0.05
    assert abs(np.mean(shifts)) < 0.02
    assert max(np.abs(shifts)) <= 0.5 + 1e-9
    assert abs(np.mean(np.abs(shifts)) - 0.5 / 3) < 0.02  # the mean of rand² is a third
    assert abs(np.median(np.abs(shifts)) - 0.5 / 4) < 0.02  # and its median a quarter


def test_mutations_come_by_their_weights_and_numbers() -> None:
    weights = dict.fromkeys(MUTATIONS, 0.0) | {
        "add_edge": 3.0,
        "add_node": 1.0,
        "mutations_min": 2,
        "mutations_max": 5,
    }
    frame = blueprint(
        "nim:stacks=8-8-8", most_hidden=9999, most_edges=10**6, activations="elu", population=2, **weights
    )
    people, steps = Growing(frame), 300
    grown_by = np.array([len(people.genome(0).nodes), *(len(people.grow(0).nodes) for _ in range(steps))])
    nodes = np.diff(grown_by)
    assert nodes.min() == 0
    assert nodes.max() <= 5
    assert abs(nodes.mean() - 3.5 / 4) < 0.2  # of 2 to 5 mutations every fourth adds a node


def test_a_node_goes_into_any_layer_between_or_into_a_new_one() -> None:
    found = set()
    for seed in range(1, 80):
        people = Growing(blueprint("nim:stacks=8", population=2), seed)
        for layers in (3, 4, 5):  # all edges of a chain join neighbours
            assert people.change(0, "add_node").layers == layers
        while not joined(people.genome(0), 0, 1):
            people.change(0, "add_edge")
        genome = people.change(0, "add_node")
        if not joined(genome, 0, 1):  # it was this edge, which skips three layers
            assert genome.layers == 5
            found.add(int(genome.nodes[-1, 1]))
    assert found == {1, 2, 3}


def joined(genome: Genome, a: int, b: int) -> bool:
    """Whether there is an edge between two places."""
    return [a, b] in genome.edges[:, [1, 2]].tolist()


@pytest.mark.parametrize(("split", "weights"), [("removed", "random"), ("off", "kept")])
def test_the_edge_that_a_node_is_put_into_goes_or_is_off(split: str, weights: str) -> None:
    people = Growing(blueprint("nim:stacks=8", split=split, split_weights=weights, population=2), 3)
    before = people.genome(0)
    genome = people.change(0, "add_node")
    joins = {(int(a), int(b)): (on, weight) for (_, a, b, on), weight in zip(genome.edges, genome.weights, strict=True)}
    if split == "removed":
        assert joins.keys() == {(0, 2), (2, 1)}
        assert all(on and weight not in (1.0, before.weights[0]) for on, weight in joins.values())
        assert genome.biases[2] != 0
    else:
        assert joins == {(0, 1): (0, before.weights[0]), (0, 2): (1, 1.0), (2, 1): (1, before.weights[0])}
        assert genome.biases[2] == 0


def test_numbers_say_what_a_gene_is() -> None:
    made: dict[int, tuple[Any, ...]] = {}
    ends: dict[tuple[int, int], int] = {}
    for frame in FRAMES.values():
        for genome in grown(replaced(frame, population=100), 100, 400):
            numbers = genome.nodes[:, 0]
            assert numbers[: genome.inputs + genome.outputs].tolist() == [*range(genome.inputs + genome.outputs)]
            for number, a, b, _ in genome.edges.tolist():
                joined = int(numbers[a]), int(numbers[b])
                assert made.setdefault(number, joined) == joined
                assert ends.setdefault(joined, number) == number
    assert len(made) > 1000


def replaced(frame: Any, **more: Any) -> Any:
    """The same frame with other settings."""
    return type(frame)(frame.game, replace(frame.settings, **more))


def test_numbers_of_different_changes_differ() -> None:
    numbers = {number_of(a, b) for a in range(400) for b in range(400)}
    assert len(numbers) == 400 * 400
    assert all(1 << 32 <= number < 1 << 52 for number in numbers)
    inner = sorted(numbers)[::500]
    pairs = {number_of(a, b) for a in inner for b in inner} | {number_of(a, k) for a in inner for k in range(100)}
    assert len(pairs | numbers) == len(inner) ** 2 + 100 * len(inner) + 400 * 400


def test_the_same_change_has_the_same_number_and_a_second_one_another() -> None:
    frame = blueprint("nim:stacks=8", population=2)
    one, other = Growing(frame, 1), Growing(frame, 2)
    first, second = one.change(0, "add_node"), other.change(0, "add_node")
    assert first.nodes[-1, 0] == second.nodes[-1, 0]
    assert first.edges[:, 0].tolist() == second.edges[:, 0].tolist()
    while not joined(one.genome(0), 0, 1):  # the edge that was split is made again, and split again
        one.change(0, "add_edge")
    while joined(one.genome(0), 0, 1):
        one.change(0, "add_node")
    again = one.genome(0)
    assert again.nodes[-1, 0] == number_of(number_of(0, 1), 1)
    assert again.nodes[2, 0] == number_of(number_of(0, 1), 0)


def relatives(frame: Any, seed: int) -> tuple[Genome, Genome]:
    """Two genomes that have grown apart from a common ancestor."""
    people = Growing(frame, seed)
    people.grow(0, 20)
    for array in people.genomes:
        array[1] = array[0]
    return people.grow(0, 15), people.grow(1, 30)


def crossed(fitter: Genome, other: Genome, seed: int) -> Genome:
    """A child of two parents."""
    child, parents = alone(fitter), alone(other)
    specialise(crossing.mix, {})(0, child, 0, parents, stream(seed, "crossing"))
    return taken(child, 0, fitter.inputs, fitter.outputs)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_a_child_has_the_graph_of_the_fitter_and_weights_of_both(frame: Any) -> None:
    from_fitter = from_other = 0
    for seed in range(1, 40):
        for fitter, other in (pair := relatives(frame, seed), pair[::-1]):
            child = crossed(fitter, other, seed)
            child.check()
            np.testing.assert_array_equal(child.edges, fitter.edges)
            np.testing.assert_array_equal(child.nodes[:, :2], fitter.nodes[:, :2])
            for value, possible in inherited(child, fitter, other):
                assert value in possible
            here = np.array([child.weights == fitter.weights, ~np.isin(fitter.weights, other.weights)])
            from_fitter += int((here[0] & here[1]).sum())
            from_other += int((~here[0]).sum())
    assert from_fitter > from_other > 100


def test_half_of_the_genes_of_both_come_from_either() -> None:
    people = Growing(blueprint("nim", output="onehot", population=2))
    one, other = people.genome(0), people.genome(1)
    children = [crossed(one, other, seed) for seed in range(200)]
    weights, biases = (
        np.mean([getattr(child, part) == getattr(one, part) for child in children], axis=0) for part in PARTS
    )
    assert abs(weights - 0.5).max() < 0.2
    assert abs(biases[one.inputs :] - 0.5).max() < 0.2
    assert abs(weights.mean() - 0.5) < 0.03


PARTS = ("weights", "biases")


def test_an_activation_comes_with_its_bias() -> None:
    frame = blueprint("nim:stacks=8", hidden=30, population=2)
    people = Growing(frame)
    one, other = people.genome(0), people.genome(1)
    child, hidden = crossed(one, other, 1), slice(2, None)
    parent = np.where(child.biases == one.biases, one.nodes[:, 2], other.nodes[:, 2])
    np.testing.assert_array_equal(child.nodes[hidden, 2], parent[hidden])
    assert 0 < (child.biases == one.biases)[hidden].sum() < 30
    assert len(set(child.nodes[hidden, 2].tolist())) > len(ACTIVATIONS) / 2


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_distances_are_those_of_the_description(frame: Any) -> None:
    measured = specialise(crossing.distance, {})
    genomes = [genome for seed in range(1, 8) for genome in relatives(frame, seed)]
    for a in genomes:
        assert measured(0, alone(a), 0, alone(a), 1.0, 0.4) == 0
        for b in genomes:
            apart = measured(0, alone(a), 0, alone(b), 1.3, 0.4)
            assert apart == pytest.approx(distance(a, b, 1.3, 0.4), abs=1e-12)
            assert apart == pytest.approx(measured(0, alone(b), 0, alone(a), 1.3, 0.4), abs=1e-12)


def test_a_copy_in_a_longer_row_is_the_same_genome() -> None:
    frame = FRAMES["one-hot"]
    copy = specialise(crossing.copy_genome, {})
    rows = empty(1, frame.most_nodes, frame.most_edges)
    for before, genome in pairwise(grown(replaced(frame, population=30), 30, 300)):
        for one in (genome, before):  # a shorter one after a longer one leaves nothing behind
            copy(alone(one), 0, rows, 0)
            again = taken(rows, 0, one.inputs, one.outputs)
            np.testing.assert_array_equal(again.edges, one.edges)
            np.testing.assert_array_equal(again.nodes, one.nodes)
            np.testing.assert_array_equal(again.weights, one.weights)
            np.testing.assert_array_equal(again.biases, one.biases)


@pytest.mark.parametrize("hidden", [0, 4])
def test_a_new_genome_joins_inputs_to_outputs(hidden: int) -> None:
    frame = blueprint("nim", output="onehot", hidden=hidden, population=40)
    genomes = Growing(frame).all()
    for genome in genomes:
        genome.check()
        assert genome.layer_sizes == ([4, 4, 11] if hidden else [4, 11])
        assert len(genome.edges) == (4 * 4 + 4 * 11 if hidden else 4 * 11)
        assert reaching(genome) == {0, 1, 2, 3}
        assert genome.edges.tolist() == genomes[0].edges.tolist()
        assert (genome.biases[4:] != 0).all()
    every = np.concatenate([genome.weights for genome in genomes])
    assert abs(every.mean()) < 0.05
    assert -1 <= every.min() < -0.99 < 0.99 < every.max() <= 1


def test_nobody_is_drawn_more_than_chance_allows() -> None:
    draw = specialise(breeding.drawn, {})
    rng, chances = stream(1, "drawing"), np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    counts = Counter(int(draw(rng, np.cumsum(chances))) for _ in range(8000))
    assert set(counts) == {1, 3}
    assert abs(counts[1] - 2000) < 200
    nothing = Counter(int(draw(rng, np.zeros(5))) for _ in range(8000))
    assert all(abs(nothing[k] - 1600) < 200 for k in range(5))

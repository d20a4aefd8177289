"""Breeding: who has children, how many of each kind there are, and which genomes are of one species."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from evolution_genomes import Growing, blueprint
from evolution_reference import distance
from spielwerk.kernel.random import stream
from spielwerk.learn.evolution.breeding.population import Population
from spielwerk.learn.evolution.genome.genome import Genome

PLAIN: dict[str, Any] = {"mutations_min": 0, "mutations_max": 0}


def keys(genomes: list[Genome]) -> list[bytes]:
    """Something that is the same for equal genomes only."""
    return [one.edges.tobytes() + one.weights.tobytes() + one.biases.tobytes() for one in genomes]


def bred(people: Population, fitness: np.ndarray, seed: int = 1) -> tuple[list[bytes], list[bytes]]:
    """A generation and the next one."""
    before = keys(people.all())
    people.breed(fitness, fitness, stream(seed, "breeding"))
    return before, keys(people.all())


def parents(people: Population, fitness: np.ndarray, generations: int) -> Counter[int]:
    """How many children each genome has, over many generations that are all bred from the first."""
    found: Counter[int] = Counter()
    genomes = people.all()
    for seed in range(generations):
        people.restore(genomes, [])
        before, after = bred(people, fitness, seed)
        found.update(before.index(key) for key in after)
    return found


@pytest.mark.parametrize(("best", "old", "new"), [(0, 0, 0), (0.2, 0.3, 0.1), (0.15, 0.15, 0.15), (0, 0, 1), (1, 0, 0)])
def test_shares_are_kept_exactly(best: float, old: float, new: float) -> None:
    people = Growing(blueprint("nim", output="onehot", best=best, old=old, new=new, **PLAIN))
    fitness = np.linspace(0, 1e-9, 100)  # all but one are far behind
    fitness[7] = 1.0
    before, after = bred(people, fitness)
    first, second, third = (np.cumsum([best, old, new]) * 100).round().astype(int).tolist()
    assert after[:first] == [before[7], *before[:7:-1], *before[6::-1]][:first]
    assert set(after[first:second]) <= set(before)
    assert len(set(after[first:second])) > (second - first) / 2 or first == second
    assert not set(after[second:third]) & set(before)
    assert len(set(after[second:third])) == third - second
    assert set(after[third:]) <= {before[7]}


def test_the_best_stay_as_they_are_while_all_others_mutate() -> None:
    settings = {"best": 0.1, "old": 0.3, "new": 0.2, "mutations_min": 3, "mutations_max": 3}
    people = Growing(blueprint("nim", output="onehot", **settings))
    before, after = bred(people, np.linspace(1, 0, 100))
    assert after[:10] == before[:10]
    assert len(set(after[10:]) - set(before)) > 85


@pytest.mark.parametrize("exponent", [0.0, 1.0, 3.0])
def test_genomes_are_drawn_in_proportion_to_a_power_of_fitness(exponent: float) -> None:
    people = Growing(blueprint("nim:stacks=8", population=4, best=0, old=0, new=0, exponent=exponent, **PLAIN))
    fitness = np.array([0.25, 0.5, 1.0, 0.0])
    counts, draws = parents(people, fitness, 500), 4 * 500
    chances = np.where(fitness == 0, float(exponent == 0), fitness**exponent)
    for genome, chance in enumerate(chances / chances.sum()):
        assert abs(counts[genome] - draws * chance) <= 5 * np.sqrt(draws * chance * (1 - chance))


@pytest.mark.parametrize("best", [1.0, 0.3])
def test_a_large_exponent_draws_the_best_only(best: float) -> None:
    people = Growing(blueprint("nim:stacks=8", population=4, best=0, old=0, new=0, exponent=1000, **PLAIN))
    assert parents(people, best * np.array([0.9, 0.8, 1.0, 0.0]), 50) == {2: 4 * 50}


def test_nobody_with_a_chance_is_left_out_where_all_are_equal() -> None:
    for fitness in (np.zeros(10), np.ones(10)):
        people = Growing(blueprint("nim:stacks=8", population=10, best=0, old=0, new=0, **PLAIN))
        counts = parents(people, fitness, 200)
        assert all(abs(counts[genome] - 200) < 70 for genome in range(10))  # five standard deviations


def test_a_child_of_two_has_the_graph_of_the_fitter_one() -> None:
    frame = blueprint("nim", output="onehot", population=20, best=0, old=0, new=0, crossover=1, **PLAIN)
    people = Growing(frame)
    people.change(3, "add_node")
    people.change(15, "add_node")
    before = people.all()
    fitness = np.zeros(20)
    fitness[[3, 15]] = 0.4, 0.5  # only these two are drawn
    _, after = bred(people, fitness)
    graphs = [genome.edges.tobytes() for genome in people.all()]
    assert before[3].edges.tobytes() != before[15].edges.tobytes()
    assert set(graphs) == {before[15].edges.tobytes()}
    assert len(set(after)) == 20


def test_of_equally_fit_genomes_the_youngest_come_first() -> None:
    people = Growing(blueprint("nim:stacks=8", population=10, best=0.3, old=0, new=0, **PLAIN))
    before, after = bred(people, np.array([0.5, 1, 0.5, 1, 0.5, 0, 0.2, 0.5, 0.1, 0.3]))
    assert after[:3] == [before[3], before[1], before[7]]


@pytest.mark.parametrize("limit", [0.3, 0.8, 3.0])
def test_species_are_those_that_a_model_is_near_to(limit: float) -> None:
    frame = blueprint("nim:stacks=3-4-5", species=limit, population=60)
    people = Growing(frame)
    for row in range(60):
        people.grow(row, row // 3)
    for generation in range(3):
        models = people.all_models()
        people.speciate()
        species, genomes = people.species.tolist(), people.all()
        for genome, of in zip(genomes, species, strict=True):
            apart = [distance(genome, model, 1.0, 0.4) for model in models]
            near = [number for number, far in enumerate(apart) if far < limit]
            if not near:
                models.append(genome)
                near = [len(models) - 1]
            assert of == near[0]
        assert people.members[: len(models)].tolist() == [species.count(number) for number in range(len(models))]
        fitness = np.linspace(1, 0.1, 60)
        people.breed(fitness, fitness, stream(generation, "species"))
        kept = sorted(set(species))
        assert len(people.all_models()) == len(kept)
        for model, of in zip(keys(people.all_models()), kept, strict=True):
            members = [genome for genome, its in zip(genomes, species, strict=True) if its == of]
            assert model in keys(members)
        assert len(kept) > 1 or limit == 3.0


def test_members_of_a_species_share_its_fitness() -> None:
    frame = blueprint("nim:stacks=8", species=0.2, population=10, best=0, old=0, new=0, weight_distance=10, **PLAIN)
    people = Growing(frame)
    genomes = people.all()
    people.restore([genomes[0]] * 9 + [genomes[1]], [])
    people.speciate()
    assert people.members[:3].tolist() == [9, 1, 0]
    before = keys(people.all())
    lonely = 0
    for seed in range(300):
        people.restore([genomes[0]] * 9 + [genomes[1]], [])
        people.speciate()
        lonely += bred(people, np.full(10, 0.5), seed)[1].count(before[9])
    assert abs(lonely - 1500) < 150  # half of all 3,000, though only one of ten is of its kind


def test_parents_are_of_the_same_species() -> None:
    frame = blueprint("nim:stacks=8", species=0.2, population=30, best=0, old=0, new=0, crossover=1, **PLAIN)
    people = Growing(frame)
    genomes = people.all()
    for k, genome in enumerate(genomes):  # two kinds far apart, each with small differences
        genome.weights[:] = 10.0 * (k % 2) + 0.001 * k
        genome.biases[1:] = 10.0 * (k % 2) + 0.001 * k
    people.restore(genomes, [])
    people.speciate()
    assert people.members[:3].tolist() == [15, 15, 0]
    fitness = np.linspace(0.4, 0.6, 30)
    people.breed(fitness, fitness, stream(1, "mates"))
    both = [np.concatenate((genome.weights, genome.biases[1:])) for genome in people.all()]
    assert all((values < 5).all() or (values > 5).all() for values in both)
    assert sum(len(set(values)) > 1 for values in both) > 10

"""Genomes to try things with: grown by many random mutations of every kind, or made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import spielwerk as sw
from spielwerk.kernel.random import stream
from spielwerk.kernel.specialise import specialise
from spielwerk.learn.evolution.breeding import mutation
from spielwerk.learn.evolution.breeding.population import Population, Stage
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.settings import MUTATIONS, Settings

EVERYTHING: dict[str, Any] = dict.fromkeys(MUTATIONS, 1.0) | {"activations": " ".join(ACTIVATIONS)}


def blueprint(game: str, **settings: Any) -> Blueprint:
    """The frame of genomes that mutate in every way."""
    return Blueprint(sw.game(game), Settings(**{**EVERYTHING, "mutations_min": 1, **settings}))


class Growing(Population):
    """Genomes that mutate, one change at a time, in rows."""

    def __init__(self, blueprint: Blueprint, seed: int = 1) -> None:
        super().__init__(blueprint)
        self.rng = stream(seed, "growing")
        self.begin(self.rng)
        self._mutate, self._once = specialise(mutation.mutate, {}), specialise(mutation.mutate_once, {})

    def grow(self, row: int, changes: int = 1) -> Genome:
        """The genome of a row after so many mutations, drawn by their weights."""
        for _ in range(changes):
            self._mutate(row, self.rng, self.genomes, self._traits)
        return self.genome(row)

    def change(self, row: int, name: str) -> Genome:
        """The genome of a row after the mutation of that name."""
        number = MUTATIONS.index(name)
        self._once(number, row, self.rng, self.genomes, self._traits)
        return self.genome(row)


def grown(blueprint: Blueprint, count: int, changes: int, seed: int = 1) -> list[Genome]:
    """Genomes after up to so many mutations each."""
    people = Growing(blueprint, seed)
    assert count <= people.count
    return [people.grow(row, changes * (row + 1) // count) for row in range(count)]


def staged(blueprint: Blueprint, genomes: list[Genome]) -> Stage:
    """Genomes in rows, ready to play."""
    stage = Stage(blueprint, len(genomes))
    stage.seat(0, genomes)
    return stage


def by_hand(blueprint: Blueprint, weights: Any, biases: Any) -> Genome:
    """A network without hidden nodes: weights [inputs, outputs], biases [outputs]."""
    genome = Growing(blueprint).genome(0)
    source, target = genome.edges[:, 1], genome.edges[:, 2] - genome.inputs
    genome.weights[:] = np.asarray(weights, float)[source, target]
    genome.biases[genome.inputs :] = biases
    return genome

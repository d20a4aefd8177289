"""Species: genomes that are alike, found by their distance from one representative of each."""

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import below
from spielwerk.learn.evolution.breeding.crossover import copy_genome, distance
from spielwerk.learn.evolution.genome.genome import Genomes

MOST_SPECIES = 100


class Kinship(NamedTuple):
    """Which genome is of which species."""

    species: np.ndarray  # int64 [genomes]
    members: np.ndarray  # int64 [MOST_SPECIES]: how many genomes each has
    standing: np.ndarray  # int64 [1]: how many species there are
    models: Genomes  # one for each species


class Distances(NamedTuple):
    """How far genomes are apart."""

    near: float  # less than this: they are of one species
    per_gene: float
    per_weight: float


def speciate(genomes, count, kinship, distances):
    """Gives each genome its species: the first whose model is near, or a new one."""
    species, members, standing, models = kinship
    for s in range(MOST_SPECIES):
        members[s] = 0
    for g in range(count):
        found = -1
        nearest = 0
        least = 1e30
        for s in range(standing[0]):
            apart = distance(g, genomes, s, models, distances.per_gene, distances.per_weight)
            if apart < least:
                nearest = s
                least = apart
            if apart < distances.near:
                found = s
                break
        if found < 0 and standing[0] < MOST_SPECIES:
            found = standing[0]
            standing[0] += 1
            copy_genome(genomes, g, models, found)
        species[g] = found if found >= 0 else nearest
        members[species[g]] += 1


def choose_models(genomes, count, kinship, rng):
    """A random member becomes the model of each species; those without members are gone."""
    species, members, standing, models = kinship
    kept = 0
    for s in range(standing[0]):
        if members[s] > 0:
            left = below(rng, members[s])
            for g in range(count):
                if species[g] == s:
                    if left == 0:
                        copy_genome(genomes, g, models, kept)
                    left -= 1
            kept += 1
    standing[0] = kept

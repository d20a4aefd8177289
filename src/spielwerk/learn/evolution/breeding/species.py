"""Species: genomes that are alike, found by their distance from one representative of each."""

from spielwerk.kernel.random import below
from spielwerk.learn.evolution.breeding.crossover import copy_genome, distance

MOST_SPECIES = 100


def speciate(genomes, count, species, members, standing, models, traits):
    """Gives each genome its species: the first whose model is near, or a new one.

    species [count]; members [MOST_SPECIES] is written; standing [1] is how many species there are, before and after;
    models are genomes, one for each species; traits = (distance, per gene, per weight).
    """
    for s in range(MOST_SPECIES):
        members[s] = 0
    for g in range(count):
        found = -1
        nearest = 0
        least = 1e30
        for s in range(standing[0]):
            apart = distance(g, genomes, s, models, traits[1], traits[2])
            if apart < least:
                nearest = s
                least = apart
            if apart < traits[0]:
                found = s
                break
        if found < 0 and standing[0] < MOST_SPECIES:
            found = standing[0]
            standing[0] += 1
            copy_genome(genomes, g, models, found)
        species[g] = found if found >= 0 else nearest
        members[species[g]] += 1


def choose_models(genomes, count, species, members, standing, models, rng):
    """A random member becomes the model of each species; those without members are gone."""
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

"""Population: the genomes of a generation in arrays, and how the next one is bred from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.learn.evolution.breeding import breeding
from spielwerk.learn.evolution.breeding import species as species_of
from spielwerk.learn.evolution.breeding.species import MOST_SPECIES
from spielwerk.learn.evolution.breeding.traits import traits
from spielwerk.learn.evolution.genome import wiring
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import (
    EDGES,
    LAYERS,
    NODES,
    ON,
    Arrays,
    Genome,
    put,
    room_for,
    taken,
)


class Stage:
    """Rows of genomes, ready to be computed."""

    def __init__(self, network: Blueprint, rows: int) -> None:
        self.network, self.game = network, network.game
        self.genomes = room_for(rows, network.most_nodes, network.most_edges)
        self.wires = wiring.wires_for(self.genomes)

    def wire(self, first: int, last: int) -> None:
        """Makes rows ready that have changed."""
        self.game.kernel(wiring.wire_rows)(first, last, self.genomes, self.wires)

    def genome(self, row: int) -> Genome:
        """A copy of the genome in a row."""
        return taken(self.genomes, row, self.network.inputs, self.network.outputs)

    def seat(self, first: int, genomes: list[Genome]) -> None:
        """Writes genomes into rows from `first` on."""
        for row, genome in enumerate(genomes, first):
            put(genome, self.genomes, row)
        self.wire(first, first + len(genomes))


class Population(Stage):
    """The genomes of a generation, and rows behind them for guests."""

    def __init__(self, network: Blueprint) -> None:
        settings = network.settings
        self.count = settings.population
        super().__init__(network, self.count + settings.hall)
        self.children = room_for(len(self.genomes[0]), network.most_nodes, network.most_edges)
        self.species, self.members = np.zeros(self.count, np.int64), np.zeros(MOST_SPECIES, np.int64)
        self.standing = np.zeros(1, np.int64)
        rows = MOST_SPECIES if settings.species else 1
        self.models = room_for(rows, network.most_nodes, network.most_edges)
        self._traits = traits(network)
        self._kinds = np.array(settings.activation_numbers)
        self._plan = self._new_graph()
        self._marks = np.zeros(network.most_nodes, np.int64)

    def _new_graph(self) -> tuple[Arrays, np.ndarray]:
        """The graph of all new genomes, its edges sorted by their numbers, and where each of them was put."""
        network = self.network
        model, numbers = room_for(1, network.most_nodes, network.most_edges), np.zeros(network.most_edges, np.int64)
        nodes = model, network.settings.hidden, network.output_activation, self._traits
        self.game.kernel(breeding.model_nodes)(*nodes)
        self.game.kernel(breeding.model_edges)(model, numbers)
        count = int(model[0][0, EDGES])
        order = np.argsort(numbers[:count])
        model[3][0, :count] = model[3][0, order]
        return model, np.argsort(order)

    def begin(self, rng: np.ndarray) -> None:
        """All genomes are new, as in the first generation."""
        self.standing[0] = 0
        self.game.kernel(breeding.new_genomes)(self.count, rng, self.genomes, self._plan, self._traits, self._kinds)

    def all(self) -> list[Genome]:
        """Copies of all genomes but guests."""
        return [self.genome(row) for row in range(self.count)]

    def all_models(self) -> list[Genome]:
        """Copies of the genomes that the next generation's species are found by."""
        ends = self.network.inputs, self.network.outputs
        return [taken(self.models, row, *ends) for row in range(int(self.standing[0]))]

    def restore(self, genomes: list[Genome], models: list[Genome]) -> None:
        """Takes over what `all` and `all_models` have given."""
        self.seat(0, genomes)
        self.standing[0] = len(models)
        for row, genome in enumerate(models):
            put(genome, self.models, row)

    def speciate(self) -> None:
        """Finds the species of each genome, where there are any."""
        settings = self.network.settings
        if settings.species:
            limits = np.array([settings.species, settings.gene_distance, settings.weight_distance])
            self.game.kernel(species_of.speciate)(self.genomes, self.count, *self._kinship, limits)

    @property
    def _kinship(self) -> tuple[Any, ...]:
        return self.species, self.members, self.standing, self.models

    def breed(self, fitness: np.ndarray, merit: np.ndarray, rng: np.ndarray) -> None:
        """The next generation takes the place of this one: the best by fitness, children of parents by their merit."""
        settings = self.network.settings
        most = merit.max()
        chances = (merit / most if most > 0 else merit) ** settings.exponent
        if settings.species:
            chances = chances / self.members[self.species]
        ranks = ranked(fitness)
        shares = tuple(round(share * self.count) for share in (settings.best, settings.old, settings.new))
        self.game.kernel(breeding.breed)(
            self.count,
            rng,
            self.genomes,
            self.children,
            ranks,
            np.cumsum(chances),
            fitness,
            self.species,
            shares,
            settings.crossover,
            self._plan,
            self._traits,
            self._kinds,
            self._marks,
        )
        if settings.species:
            self.game.kernel(species_of.choose_models)(self.genomes, self.count, *self._kinship, rng)
        self.genomes, self.children = self.children, self.genomes

    def figures(self) -> dict[str, float]:
        """The mean size of the genomes, and how many species there are."""
        sizes, _, _, edges, _ = self.genomes
        rows = slice(0, self.count)
        first = self.network.inputs + self.network.outputs
        hidden, layers = sizes[rows, NODES] - first, sizes[rows, LAYERS] - 2
        used = np.arange(edges.shape[1]) < sizes[rows, EDGES, None]
        with_any = layers > 0
        per_layer = float((hidden[with_any] / layers[with_any]).mean()) if with_any.any() else 0.0
        on = float((edges[rows, :, ON] * used).sum(axis=1).mean())
        counted = {"hidden_layers": float(layers.mean()), "layer_nodes": per_layer, "edges": on}
        return {**counted, "species": float(np.count_nonzero(self.members)) if self.network.settings.species else 1.0}


def ranked(fitness: np.ndarray) -> np.ndarray:
    """The rows from the fittest on; of equal ones the last, which are the youngest, so that what is equal can drift."""
    return np.argsort(fitness, kind="stable")[::-1]

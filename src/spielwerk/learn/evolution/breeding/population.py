"""Population: the genomes of a generation in arrays, and how the next one is bred from them."""

from __future__ import annotations

import numpy as np

from spielwerk.learn.evolution.breeding import breeding
from spielwerk.learn.evolution.breeding import species as species_of
from spielwerk.learn.evolution.breeding.species import MOST_SPECIES, Distances, Kinship
from spielwerk.learn.evolution.breeding.traits import traits_of
from spielwerk.learn.evolution.genome import wiring
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import (
    EDGES,
    LAYERS,
    NODES,
    ON,
    Genome,
    empty,
    put,
    taken,
)


class Stage:
    """Rows of genomes, ready to be computed."""

    def __init__(self, blueprint: Blueprint, rows: int) -> None:
        self.blueprint, self.game = blueprint, blueprint.game
        self.genomes = empty(rows, blueprint.most_nodes, blueprint.most_edges)
        self.wires = wiring.wires_for(self.genomes)

    @property
    def networks(self) -> wiring.Networks:
        """The genomes as kernels compute them."""
        return wiring.Networks(self.genomes, self.wires)

    def wire(self, first: int, last: int) -> None:
        """Makes rows ready that have changed."""
        self.game.kernel(wiring.wire_rows)(first, last, self.networks)

    def genome(self, row: int) -> Genome:
        """A copy of the genome in a row."""
        return taken(self.genomes, row, self.blueprint.inputs, self.blueprint.outputs)

    def seat(self, first: int, genomes: list[Genome]) -> None:
        """Writes genomes into rows from `first` on."""
        for row, genome in enumerate(genomes, first):
            put(genome, self.genomes, row)
        self.wire(first, first + len(genomes))


class Population(Stage):
    """The genomes of a generation, and rows behind them for guests."""

    def __init__(self, blueprint: Blueprint) -> None:
        settings = blueprint.settings
        self.count = settings.population
        super().__init__(blueprint, self.count + settings.hall)
        self.children = empty(self.count + settings.hall, blueprint.most_nodes, blueprint.most_edges)
        self.species, self.members = np.zeros(self.count, np.int64), np.zeros(MOST_SPECIES, np.int64)
        self.standing = np.zeros(1, np.int64)
        rows = MOST_SPECIES if settings.species else 1
        self.models = empty(rows, blueprint.most_nodes, blueprint.most_edges)
        self._traits = traits_of(blueprint)
        self._plan = self._new_graph()

    def _new_graph(self) -> breeding.Plan:
        """The graph of all new genomes, its edges sorted by their numbers, and where each of them was put."""
        blueprint = self.blueprint
        model, numbers = empty(1, blueprint.most_nodes, blueprint.most_edges), np.zeros(blueprint.most_edges, np.int64)
        nodes = model, blueprint.settings.hidden, blueprint.output_activation, self._traits
        self.game.kernel(breeding.model_nodes)(*nodes)
        self.game.kernel(breeding.model_edges)(model, numbers)
        count = int(model.sizes[0, EDGES])
        order = np.argsort(numbers[:count])
        model.edges[0, :count] = model.edges[0, order]
        return breeding.Plan(model, np.argsort(order))

    def begin(self, rng: np.ndarray) -> None:
        """All genomes are new, as in the first generation."""
        self.standing[0] = 0
        self.game.kernel(breeding.new_genomes)(self.count, rng, self.genomes, self._plan, self._traits)

    def all(self) -> list[Genome]:
        """Copies of all genomes but guests."""
        return [self.genome(row) for row in range(self.count)]

    def all_models(self) -> list[Genome]:
        """Copies of the genomes that the next generation's species are found by."""
        ends = self.blueprint.inputs, self.blueprint.outputs
        return [taken(self.models, row, *ends) for row in range(int(self.standing[0]))]

    def restore(self, genomes: list[Genome], models: list[Genome]) -> None:
        """Takes over what `all` and `all_models` have given."""
        self.seat(0, genomes)
        self.standing[0] = len(models)
        for row, genome in enumerate(models):
            put(genome, self.models, row)

    @property
    def kept(self) -> int:
        """How many genomes of the next generation are some of the best, unchanged."""
        return round(self.blueprint.settings.best * self.count)

    def speciate(self) -> None:
        """Finds the species of each genome, where there are any."""
        settings = self.blueprint.settings
        if settings.species:
            limits = settings.species, settings.gene_distance, settings.weight_distance
            distances = Distances(*map(float, limits))
            self.game.kernel(species_of.speciate)(self.genomes, self.count, self._kinship, distances)

    @property
    def _kinship(self) -> Kinship:
        return Kinship(self.species, self.members, self.standing, self.models)

    def breed(self, fitness: np.ndarray, merit: np.ndarray, rng: np.ndarray) -> None:
        """The next generation takes the place of this one: the best by fitness, children of parents by their merit."""
        settings = self.blueprint.settings
        most = merit.max()
        chances = (merit / most if most > 0 else merit) ** settings.exponent
        if settings.species:
            chances = chances / self.members[self.species]
        old, new = (round(share * self.count) for share in (settings.old, settings.new))
        drawn = ranked(fitness), np.cumsum(chances), fitness, self.species
        selection = breeding.Selection(self.kept, old, new, float(settings.crossover), *drawn)
        self.game.kernel(breeding.breed)(rng, self.genomes, self.children, selection, self._plan, self._traits)
        if settings.species:
            self.game.kernel(species_of.choose_models)(self.genomes, self.count, self._kinship, rng)
        self.genomes, self.children = self.children, self.genomes

    def figures(self) -> dict[str, float]:
        """The mean size of the genomes, and how many species there are."""
        sizes, edges = self.genomes.sizes, self.genomes.edges
        rows = slice(0, self.count)
        first = self.blueprint.inputs + self.blueprint.outputs
        hidden, layers = sizes[rows, NODES] - first, sizes[rows, LAYERS] - 2
        used = np.arange(edges.shape[1]) < sizes[rows, EDGES, None]
        with_any = layers > 0
        per_layer = float((hidden[with_any] / layers[with_any]).mean()) if with_any.any() else 0.0
        on = float((edges[rows, :, ON] * used).sum(axis=1).mean())
        counted = {"hidden_layers": float(layers.mean()), "layer_nodes": per_layer, "edges": on}
        return {**counted, "species": float(np.count_nonzero(self.members)) if self.blueprint.settings.species else 1.0}


def ranked(fitness: np.ndarray) -> np.ndarray:
    """The rows from the fittest on; of equal ones the last, which are the youngest, so that what is equal can drift."""
    return np.argsort(fitness, kind="stable")[::-1]

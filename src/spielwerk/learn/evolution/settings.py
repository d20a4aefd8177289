"""The settings of evolution: its command line, its TOML and its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.names import BadInput, choice, setting, unknown

WINS, GRADE = "wins", "grade"  # what fitness is
AFTERSTATE = "afterstate"  # what outputs are in every game
DIRECT, ONEHOT = "direct", "onehot"  # and what nim calls the others
AUTO, CELLS, BITS, OBSERVE = "auto", "cells", "bits", "observe"  # what inputs are, besides one-hot
STRICT, SAFE = "strict", "safe"  # what an illegal output does
GENERATION, CHAMPIONS = "generation", "champions"  # where the best that are kept come from
REMOVED, OFF = "removed", "off"  # what becomes of an edge that a node was put into
RANDOM, KEPT = "random", "kept"  # the weights of the edges beside it

# The mutations, in the order in which kernels number them; each has a setting of this name, its weight.
MUTATIONS = (
    *("set_weight", "shift_weight", "set_bias", "shift_bias", "add_edge", "add_node"),
    *("remove_edge", "remove_node", "switch_edge", "set_activation"),
)
USUAL_OPPONENTS = 50
MOST_GENERATIONS = 10**6


@dataclass(frozen=True)
class Settings:
    """The settings of evolution."""

    generations: int = setting(200, "generations of the population", 1, MOST_GENERATIONS)
    population: int = setting(100, "genomes of a generation", 2, 100_000)
    fitness: str = choice(WINS, GRADE, help="what fitness is: games won, or agreement with perfect play")
    rarity: bool = choice(
        False, True, help="whether decisions that few genomes get right count more when parents are drawn"
    )
    opponents: int = setting(
        0,
        "distances round the circle at which each has an opponent on both sides; 0: 50, or half of a small population",
        0,
    )
    hall: int = setting(0, "earlier champions that each genome plays as well", 0, 128)
    exponent: float = setting(2.0, "exponent of the fitness in proportion to which parents are drawn", 0, 1000)
    best: float = setting(0.15, "share of the next generation: the best of this one, unchanged", 0, 1)
    best_from: str = choice(
        GENERATION, CHAMPIONS, help="where that share comes from: this generation, or the champions of all so far"
    )
    old: float = setting(0.15, "share of the next generation: any of this one, mutated", 0, 1)
    new: float = setting(0.15, "share of the next generation: new random genomes", 0, 1)
    patience: int = setting(
        0, "generations without a better grade, after which all genomes are new; 0: never", 0, 10**7
    )
    mutations_min: int = setting(0, "mutations of a child at least", 0, 1000)
    mutations_max: int = setting(1, "mutations of a child at most", 0, 1000)
    set_weight: float = setting(1.0, "weight of the mutation: an edge has a new random weight", 0, 1e6)
    shift_weight: float = setting(1.0, "weight of the mutation: an edge's weight shifts by ± shift · rand²", 0, 1e6)
    set_bias: float = setting(1.0, "weight of the mutation: a node has a new random bias", 0, 1e6)
    shift_bias: float = setting(1.0, "weight of the mutation: a node's bias shifts by ± shift · rand²", 0, 1e6)
    add_edge: float = setting(1.0, "weight of the mutation: two nodes are connected", 0, 1e6)
    add_node: float = setting(1.0, "weight of the mutation: a node is inserted into an edge", 0, 1e6)
    remove_edge: float = setting(
        0.0, "weight of the mutation: an edge is removed, unless that cuts off an input", 0, 1e6
    )
    remove_node: float = setting(
        0.0, "weight of the mutation: a hidden node is removed, unless that cuts off an input", 0, 1e6
    )
    switch_edge: float = setting(0.0, "weight of the mutation: an edge is switched off or on again", 0, 1e6)
    set_activation: float = setting(0.0, "weight of the mutation: a hidden node has a new random activation", 0, 1e6)
    shift: float = setting(1.0, "the largest shift of a weight or a bias", 0, 1000)
    split: str = choice(REMOVED, OFF, help="what happens to the edge that a node is inserted into")
    split_weights: str = choice(
        RANDOM, KEPT, help="weights of the two edges of a new node: random, or 1 and the old weight"
    )
    activations: str = setting("elu", f"activation functions of hidden nodes, some of: {' '.join(ACTIVATIONS)}")
    crossover: float = setting(0.0, "share of children that have two parents", 0, 1)
    species: float = setting(0.0, "distance from which two genomes are of different species; 0: no species", 0, 1e6)
    gene_distance: float = setting(1.0, "weight of the share of genes that only one of two genomes has", 0, 1e6)
    weight_distance: float = setting(0.4, "weight of the mean difference of the genes that both have", 0, 1e6)
    output: str = setting(
        AFTERSTATE,
        "scores of the positions after each move, or a way of the game itself, such as nim's direct or onehot",
    )
    illegal: str = choice(STRICT, SAFE, help="an illegal output loses, or becomes the nearest legal move")
    inputs: str = choice(
        AUTO,
        CELLS,
        BITS,
        ONEHOT,
        OBSERVE,
        help="what networks see: numbers of cells, their bits, a node for each value",
    )
    hidden: int = setting(0, "hidden nodes of a new genome, in one layer", 0, 1000)
    most_hidden: int = setting(30, "hidden nodes at most", 0, 10_000)
    most_edges: int = setting(0, "edges at most; 0: those of a new genome and ten for each hidden node", 0, 10**6)
    champion_games: int = setting(50, "earlier champions that the best genome plays, to be compared", 1, 128)
    decisions: int = setting(
        1000, "positions that are graded; if there are more, from random games or a public set", 1, 100_000
    )
    longest: int = setting(0, "actions after which a game is a draw; 0: the game's own bound, or 4000", 0, 10**6)

    def __post_init__(self) -> None:
        if self.best + self.old + self.new > 1 + 1e-9:
            shares = " + ".join(f"{share:g}" for share in (self.best, self.old, self.new))
            raise BadInput(f"evolution: the shares best, old and new sum to more than 1: {shares}.")
        if self.opponents > self.population // 2:
            raise BadInput(
                f"evolution: opponents={self.opponents} need a population of {2 * self.opponents} or more, "
                f"not of {self.population}: each genome meets one opponent on either side at every distance."
            )
        if self.mutations_min > self.mutations_max:
            raise BadInput(
                f"evolution: mutations_min={self.mutations_min} is more than mutations_max={self.mutations_max}."
            )
        if self.mutations_max and not sum(self.mutation_weights):
            raise BadInput("evolution: all mutations have weight 0; with mutations_max=0 nothing mutates.")
        if self.hidden > self.most_hidden:
            raise BadInput(f"evolution: hidden={self.hidden} is more than most_hidden={self.most_hidden}.")
        self._check_activations()
        for name, needed in self._idle():
            if getattr(self, name) != getattr(Settings, name):
                raise BadInput(f"evolution: {name} has no effect without {needed}.")

    @property
    def distances(self) -> int:
        """How many distances of the circle are played."""
        return self.opponents or min(USUAL_OPPONENTS, self.population // 2)

    @property
    def mutation_weights(self) -> tuple[float, ...]:
        """The weights of the mutations, in the order of `MUTATIONS`."""
        return tuple(getattr(self, name) for name in MUTATIONS)

    @property
    def activation_numbers(self) -> tuple[int, ...]:
        """The activations that hidden nodes may have."""
        return tuple(ACTIVATIONS.index(name) for name in self._named)

    @property
    def _named(self) -> list[str]:
        """The activations, which may be separated by commas or spaces."""
        return self.activations.replace(",", " ").split()

    def _check_activations(self) -> None:
        named = self._named
        for name in named:
            if name not in ACTIVATIONS:
                raise unknown("evolution: there is no activation", name, ACTIVATIONS, "Activations")
        if not named or len(set(named)) < len(named):
            raise BadInput(f'evolution: activations cannot be "{self.activations}"; name each once, such as elu tanh.')

    def _idle(self) -> Iterator[tuple[str, str]]:
        """The settings that mean nothing beside the others, and what each would need."""
        if self.fitness != WINS:
            yield from ((name, "fitness=wins") for name in ("opponents", "hall"))
        else:
            yield from ((name, "fitness=grade") for name in ("rarity", "patience"))
        if not self.best:
            yield "best_from", "a share of the best"
        if not self.species:
            yield from ((name, "species") for name in ("gene_distance", "weight_distance"))
        if self.output == AFTERSTATE:
            yield "illegal", "an output that means a move, such as nim's output=direct"
        if len(self._named) < 2:
            yield "set_activation", "two activations"

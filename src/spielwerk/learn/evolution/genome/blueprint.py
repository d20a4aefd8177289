"""Blueprint: what all genomes of a training have in common: the game, inputs and outputs, and how large they grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.outputs import outputs as outputs_of
from spielwerk.learn.afterstates import steps_for
from spielwerk.learn.evolution.exams.known_positions import known_positions
from spielwerk.learn.evolution.genome import outputs
from spielwerk.learn.evolution.genome.activations import ELU, IDENTITY
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.genome.inputs import inputs_of
from spielwerk.learn.evolution.genome.outputs import UNKNOWN, Scratch
from spielwerk.learn.evolution.settings import AFTERSTATE, SAFE, Settings
from spielwerk.names import BadInput, unknown
from spielwerk.solvers.tables import available_memory, size_text

EDGES_PER_NODE = 10  # that may be added for each hidden node
MOST_EDGES = 1_000_000
LONGEST = 4000  # actions of a game that has no bound of its own


class Blueprint:
    """The frame of all genomes of a training."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings = game, settings
        seen = inputs_of(game, settings.inputs)
        self.input_kind = seen.kind
        self.input_names = seen.names
        self.output_names, decision = _outputs(game, settings.output)
        self._cells, self._observed = seen.cells, seen.observed
        bindings = {"SIDES": game.sides, "SAFE_MOVES": settings.illegal == SAFE, **decision}
        self.bindings: dict[str, Any] = {**seen.bindings, "INPUTS_SEEN": self.inputs, **bindings}
        self.most_edges = settings.most_edges or self._first_edges + EDGES_PER_NODE * settings.most_hidden
        self._check_edges()

    @property
    def inputs(self) -> int:
        """How many."""
        return len(self.input_names)

    @property
    def outputs(self) -> int:
        """How many."""
        return len(self.output_names)

    @property
    def most_nodes(self) -> int:
        """Of a genome."""
        return self.inputs + self.outputs + self.settings.most_hidden

    @property
    def output_activation(self) -> int:
        """That of the source, which keeps the order of outputs; a score has no bounds."""
        return IDENTITY if self.settings.output == AFTERSTATE else ELU

    @property
    def longest(self) -> np.ndarray:
        """After how many actions a game is a draw; [1]."""
        return np.array([self.settings.longest or self.game.constants["LONGEST"] or LONGEST])

    def scratch(self, rows: int, nodes: int = 0, known: np.ndarray | None = None, genomes: int = 1) -> Scratch:
        """Scratch space for so many rows, for genomes of so many nodes, or of any size.

        Of `known` positions [n, WORDS] the answers of so many genomes are remembered.
        """
        states = np.zeros((0, self.game.constants["WORDS"]), np.int64) if known is None else known
        return Scratch(
            values=np.zeros((rows, nodes or self.most_nodes)),
            seen=np.zeros((rows, self._cells), np.int64),
            observed=np.zeros((rows, self._observed), np.float32),
            steps=steps_for(self.game, rows),
            scored=np.zeros((rows, self.game.players)),
            known=known_positions(self.game, states),
            answers=np.full((genomes, len(states)), UNKNOWN, np.int32),
        )

    def need_memory(self) -> None:
        """Refuses a population for which the memory does not suffice."""
        rows = 2 * self.settings.population + self.settings.hall  # parents and children
        size = 8 * rows * (6 * self.most_nodes + 7 * self.most_edges)  # genes, and the wires of parents
        available = available_memory()
        if available is not None and size > available:
            raise BadInput(
                f"evolution: genomes of up to {self.most_nodes:,} nodes and {self.most_edges:,} edges need "
                f"{size_text(size)} of memory; {size_text(available)} are available. Take a smaller population, "
                "most_hidden or most_edges."
            )

    def check(self, genome: Genome) -> None:
        """Refuses a genome that is none of this network."""
        genome.check()
        if (genome.inputs, genome.outputs) != (self.inputs, self.outputs):
            raise BadInput(
                f"This genome has {genome.inputs} inputs and {genome.outputs} outputs; {self.game.name} needs "
                f"{self.inputs} and {self.outputs}."
            )

    @property
    def _first_edges(self) -> int:
        """The edges of a new genome."""
        hidden = self.settings.hidden
        return hidden * (self.inputs + self.outputs) if hidden else self.inputs * self.outputs

    def _check_edges(self) -> None:
        if self.most_edges < self._first_edges:
            raise BadInput(
                f"evolution: most_edges={self.most_edges} is less than the {self._first_edges} of a new genome."
            )
        if self.most_edges > MOST_EDGES:
            raise BadInput(
                f"evolution: a genome would have up to {self.most_edges:,} edges; {MOST_EDGES:,} are possible."
            )


def _outputs(game: Game, output: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """What the outputs are called, and how a decision is read from them: as kernels to be bound."""
    if output == AFTERSTATE:
        return ("score",), {"decision": outputs.by_afterstate, **outputs.BINDINGS}
    known = outputs_of(game)
    if output not in known:
        raise unknown(f"evolution: {game.kind} has no output", output, [AFTERSTATE, *known], "Outputs")
    return known[output].names, {"decision": outputs.by_outputs, "meant": known[output].meant}

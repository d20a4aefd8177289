"""EvolutionPlayer: an agent that plays by a genome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.arena.compiled import Compiled
from spielwerk.games.game import Game
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome, alone
from spielwerk.learn.evolution.genome.outputs import answer
from spielwerk.learn.evolution.genome.wiring import wire_rows, wires_for


def by_genome(state, rng, scratch, memory):
    """The agent (see `arena/playing/kernels.py`)."""
    genomes, wires, room = memory
    return answer(0, state, 0, genomes, wires, room)


class EvolutionPlayer(Compiled):
    """Plays by a network; where its output is no legal move, the nearest one, since an agent has to move."""

    decide = by_genome

    def __init__(self, game: Game, network: Blueprint, genome: Genome) -> None:
        super().__init__(game, self.Settings())
        network.check(genome)
        self.network, self.genome = network, genome

    def new_memory(self) -> tuple[Any, ...]:
        """The genome, its wires, and room to work in."""
        genomes = alone(self.genome)
        wires = wires_for(genomes)
        self.game.kernel(wire_rows)(0, 1, genomes, wires)
        return genomes, wires, self.network.room(1, len(self.genome.nodes))

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    @property
    def bindings(self) -> Mapping[str, Any]:
        """How the network sees a position and answers."""
        return {**self.network.bindings, "SAFE_MOVES": True}

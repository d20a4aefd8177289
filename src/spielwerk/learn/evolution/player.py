"""EvolutionPlayer: an agent that plays by a genome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.arena.compiled import Compiled
from spielwerk.games.game import Game
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.genome.outputs import Judge, answer, of_row
from spielwerk.learn.evolution.genome.wiring import wired


def by_genome(state, rng, scratch, judge):
    """The agent (see `arena/playing/kernels.py`)."""
    return answer(state, judge)


class EvolutionPlayer(Compiled):
    """Plays by a network; where its output is no legal move, the nearest one, since an agent has to move."""

    decide = by_genome

    def __init__(self, game: Game, blueprint: Blueprint, genome: Genome) -> None:
        super().__init__(game, self.Settings())
        blueprint.check(genome)
        self.blueprint, self.genome = blueprint, genome

    def new_memory(self) -> Judge:
        """The genome, wired, and scratch space."""
        return Judge(0, wired(self.genome), of_row(0, self.blueprint.scratch(1, len(self.genome.nodes))))

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    @property
    def bindings(self) -> Mapping[str, Any]:
        """How the network sees a position and answers."""
        return {**self.blueprint.bindings, "SAFE_MOVES": True}

"""An evolved network as an evaluation of searches (see `games/evaluation/__init__.py`).

A network that scores the ends of turns has no bounds and expects nothing: the higher the better is all that it says.
As a value, a score x counts as x / (1 + |x|) of the best that can be reached, which keeps the order of all scores. As
with n-tuple networks, the player before the one who acts next is taken to have just ended its turn; its team expects
the same, and the other sides share what it loses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.evaluation import Evaluation, nothing
from spielwerk.games.game import Game
from spielwerk.games.rules import BEST, PLAYERS, TEAM
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome, alone
from spielwerk.learn.evolution.genome.inputs import INPUTS_SEEN, see
from spielwerk.learn.evolution.genome.wiring import think, wire_rows, wires_for
from spielwerk.learn.evolution.settings import AFTERSTATE
from spielwerk.names import BadInput
from spielwerk.search.estimate import SIDES


class Data(NamedTuple):
    """What the evaluation reads, with scratch space."""

    genomes: Any  # the one that plays, see `genome/genome.py`
    wires: Any  # see `genome/wiring.py`
    values: np.ndarray  # [nodes], scratch
    seen: np.ndarray  # [cells], scratch
    observed: np.ndarray  # [numbers], scratch


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    viewer = before_next(state)
    see(state, viewer, data.values, data.seen, data.observed)
    think(0, data.values, data.genomes, data.wires)
    value = bounded(data.values[INPUTS_SEEN]) * BEST
    return value if TEAM[player] == TEAM[viewer] else -value / (SIDES - 1)


def before_next(state):
    """The player before the one who acts next."""
    return (next_actor(state) + PLAYERS - 1) % PLAYERS


def bounded(score):
    """A score of any size as one between -1 and 1."""
    return score / (1.0 + abs(score))


def evaluation(game: Game, network: Blueprint, genome: Genome, name: str) -> Evaluation:
    """The evaluation by a genome; BadInput where its outputs are a move."""
    if network.settings.output != AFTERSTATE:
        raise BadInput(
            f"{name} names moves (output={network.settings.output}) and no value of a position; a search cannot use it."
        )
    genomes = alone(genome)
    wires = wires_for(genomes)
    game.kernel(wire_rows)(0, 1, genomes, wires)

    def data() -> Data:
        values, seen, observed, *_ = network.room(1, len(genome.nodes))
        return Data(genomes, wires, values[0], seen[0], observed[0])

    bindings = {key: value for key, value in network.bindings.items() if key not in ("SAFE_MOVES", "decision")}
    return Evaluation(name, evaluate, nothing, data(), bindings, data)

"""An evolved network as an evaluation of searches (see `games/evaluation/__init__.py`).

A network that scores the ends of turns has no bounds and expects nothing: the higher the better is all that it says.
As a value, a score x counts as x / (1 + |x|) of the best that can be reached, which keeps the order of all scores. As
with n-tuple networks, the player before the one who acts next is taken to have just ended its turn; its team expects
the same, and the other sides share what it loses.
"""

from __future__ import annotations

from spielwerk.games.evaluation import Evaluation, nothing
from spielwerk.games.game import Game
from spielwerk.games.rules import BEST, PLAYERS, TEAM
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.genome.outputs import INPUTS_SEEN, Judge, compute, of_row
from spielwerk.learn.evolution.genome.wiring import wired
from spielwerk.learn.evolution.settings import AFTERSTATE
from spielwerk.names import BadInput
from spielwerk.search.estimate import SIDES


def evaluate(state, player, judge):
    """See `games/evaluation/__init__.py`."""
    viewer = before_next(state)
    compute(state, viewer, judge)
    value = bounded(judge.scratch.values[INPUTS_SEEN]) * BEST
    return value if TEAM[player] == TEAM[viewer] else -value / (SIDES - 1)


def before_next(state):
    """The player before the one who acts next."""
    return (next_actor(state) + PLAYERS - 1) % PLAYERS


def bounded(score):
    """A score of any size as one between -1 and 1."""
    return score / (1.0 + abs(score))


def evaluation(game: Game, blueprint: Blueprint, genome: Genome, name: str) -> Evaluation:
    """The evaluation by a genome; BadInput where its outputs are a move."""
    output = blueprint.settings.output
    if output != AFTERSTATE:
        raise BadInput(
            f"{name} chooses moves (output={output}) and does not value positions, so a search cannot use it."
        )

    def data() -> Judge:
        return Judge(0, wired(genome), of_row(0, blueprint.scratch(1, len(genome.nodes))))

    used = {key: value for key, value in blueprint.bindings.items() if key not in ("SAFE_MOVES", "decision")}
    return Evaluation(name, evaluate, nothing, data(), used, data)

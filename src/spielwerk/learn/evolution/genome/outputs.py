"""From the outputs of a network to an action.

A network scores the position after each legal move, in any game; or its outputs mean the move itself, in games that
say how (`games/outputs/`).
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.outputs import meant
from spielwerk.games.rules import OVER, mover, scores
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.learn.afterstates import Steps, best_action
from spielwerk.learn.evolution.exams.known_positions import MISSING, KnownPositions, found
from spielwerk.learn.evolution.genome.inputs import see
from spielwerk.learn.evolution.genome.wiring import Networks, think

UNKNOWN = -2  # what nobody has asked yet
WON = 1e20  # beyond every output of a network

INPUTS_SEEN: int = unbound("INPUTS_SEEN")


class Scratch(NamedTuple):
    """Scratch space of one row of a kernel; that of many rows has their number in front of all but the last two."""

    values: np.ndarray  # float64 [nodes]
    seen: np.ndarray  # int64 [cells]
    observed: np.ndarray  # float32 [numbers]
    steps: Steps
    scored: np.ndarray  # float64 [PLAYERS]
    known: KnownPositions  # those whose answers are remembered
    answers: np.ndarray  # int32 [genomes, known positions]; threads may write the same answer at once, without harm


class Judge(NamedTuple):
    """The genome that decides (see `learn/afterstates.py`)."""

    g: int  # its row
    networks: Networks
    scratch: Scratch  # of one row


@interface
def decision(state, judge):
    """The action that a genome takes for the mover, computed; ILLEGAL where its outputs mean none."""
    raise NotImplementedError


def of_row(r, scratch):
    """The scratch space of one row."""
    steps = Steps(scratch.steps.states[r], scratch.steps.options[r])
    values, seen, observed = scratch.values[r], scratch.seen[r], scratch.observed[r]
    return Scratch(values, seen, observed, steps, scratch.scored[r], scratch.known, scratch.answers)


def answer(state, judge):
    """The action of a genome, remembered where that is possible.

    `decision` is called in one place only, so that the compiler can put this into the loop of a game: twice as fast.
    """
    answers = judge.scratch.answers
    number = found(state, judge.scratch.known)
    if number != MISSING and answers[judge.g, number] != UNKNOWN:
        return answers[judge.g, number]
    action = decision(state, judge)
    if number != MISSING:
        answers[judge.g, number] = action
    return action


def by_afterstate(state, judge):
    """The first action with the best position after it."""
    return best_action(state, judge.scratch.steps, judge)


def by_outputs(state, judge):
    """The action that the outputs mean."""
    compute(state, mover(state), judge)
    return meant(state, judge.scratch.values, INPUTS_SEEN)


def worth(state, player, judge):
    """What a network says of the end of a turn; of the end of the game, its result."""
    scratch = judge.scratch
    if mover(state) == OVER:
        scores(state, scratch.scored)
        return scratch.scored[player] * WON
    compute(state, player, judge)
    return scratch.values[INPUTS_SEEN]


def compute(state, player, judge):
    """Writes the values of all nodes, as `player` sees the position."""
    scratch = judge.scratch
    see(state, player, scratch.values, scratch.seen, scratch.observed)
    think(judge.g, scratch.values, judge.networks)


def prefer(equal, judge):
    """Takes the first of the best."""
    return equal == 1


BINDINGS = {"worth": worth, "prefer": prefer}  # for the search of `learn/afterstates.py`

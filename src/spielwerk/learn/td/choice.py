"""The move that leads to the best afterstate, by an n-tuple network."""

from typing import NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import BEST, OVER, mover, scores
from spielwerk.kernel.random import below
from spielwerk.learn.afterstates import Steps, best_action, steps_for
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.value import Net, Sight, add_up, relocate, value_at


class Scratch(NamedTuple):
    """Scratch space for a choice."""

    steps: Steps
    scored: np.ndarray  # float64 [PLAYERS]
    tried: np.ndarray  # int64 [places]: the indices of the afterstate that was judged last
    kept: np.ndarray  # int64 [places]: those of the best one so far
    before: Sight  # what is seen before the move, from which afterstates differ little (see `value.py`)


class Policy(NamedTuple):
    """What choices are made by."""

    gamma: float
    net: Net
    scratch: Scratch


class Judge(NamedTuple):
    """What one choice is made by (see `learn/afterstates.py`)."""

    policy: Policy
    rng: np.ndarray  # uint64 [1]
    drawn: bool  # whether one of equal actions is drawn, or the first one taken


def decide(state, rng, scratch, policy):
    """The agent (see `arena/playing/kernels.py`): the first of the best actions."""
    return choose(state, rng, False, policy)


def choose(state, rng, drawn, policy):
    """The best action of the mover; of equal ones one drawn, or the first. Its indices are kept if it ends the turn."""
    add_up(state, mover(state), policy.scratch.before, policy.net.lookup)
    return best_action(state, policy.scratch.steps, Judge(policy, rng, drawn))


def worth(state, player, judge):
    """The score of a position that is over, or else its value."""
    policy = judge.policy
    scratch = policy.scratch
    if mover(state) == OVER:
        scores(state, scratch.scored)
        return scratch.scored[player] / BEST
    relocate(state, player, scratch.tried, scratch.before, policy.net)
    return policy.gamma * value_at(scratch.tried, policy.net)


def prefer(equal, judge):
    """Takes the first of the best, or each with the same probability; keeps the indices of what is taken."""
    if equal > 1 and not (judge.drawn and below(judge.rng, equal) == 0):
        return False
    scratch = judge.policy.scratch
    for k in range(scratch.kept.shape[0]):
        scratch.kept[k] = scratch.tried[k]
    return True


BINDINGS = {"worth": worth, "prefer": prefer}  # for the search of `learn/afterstates.py`


def policy_of(game: Game, network: NTupleNetwork) -> Policy:
    """The policy of a network, which may go on learning, with scratch space of its own."""
    places = len(network.shape.places)
    tried, kept, before = (np.zeros(places, np.int64) for _ in range(3))
    sight = Sight(np.zeros(len(network.layout.values), np.int64), before)
    scratch = Scratch(steps_for(game), np.zeros(game.players), tried, kept, sight)
    return Policy(float(network.settings.gamma), network.view(), scratch)

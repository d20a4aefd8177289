"""Afterstates: positions in which a turn has ended, of which several ways of learning know the value.

The search for the best of them is the same for all: a way of learning binds `worth` and `preferred`, and passes on in
`policy` whatever these need.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import OVER, mover, moves, play, roller
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface
from spielwerk.search.state import copy_state

WORST = -1e30  # below every worth


class Steps(NamedTuple):
    """Scratch space for a turn: row 0 for an action, row 1 for what the same player may do after it."""

    states: np.ndarray  # int64 [2, WORDS]
    options: np.ndarray  # int64 [2, MOST_MOVES]


@interface
def worth(state, player, policy):
    """What a position in which `player` has ended its turn is worth to it."""
    raise NotImplementedError


@interface
def preferred(policy):
    """Called where the afterstate that was judged last is the best so far."""
    raise NotImplementedError


def next_actor(state):
    """Who acts next, perhaps after a roll; OVER at the end."""
    who = mover(state)
    return who if who >= 0 or who == OVER else roller(state)


def best_action(state, rng, drawn, steps, policy):
    """The action of the mover that leads to the best afterstate; of equal ones a drawn one, or the first."""
    me = mover(state)
    best = WORST
    chosen = 0
    equal = 0
    for i in range(moves(state, steps.options[0])):
        copy_state(state, steps.states[0])
        play(steps.states[0], steps.options[0, i])
        value = worth_of_action(me, steps, policy)
        if value > best:
            equal = 1
        elif value == best:
            equal += 1
        if value > best or (drawn and value == best and below(rng, equal) == 0):
            best = value
            chosen = steps.options[0, i]
            preferred(policy)
    return chosen


def worth_of_action(me, steps, policy):
    """What the position after an action is worth to the player: if its turn goes on, the best that it can become."""
    state = steps.states[0]
    if next_actor(state) != me:
        return worth(state, me, policy)
    best = WORST
    for i in range(moves(state, steps.options[1])):
        copy_state(state, steps.states[1])
        play(steps.states[1], steps.options[1, i])
        best = max(best, worth(steps.states[1], me, policy))
    return best


def steps_for(game: Game, *rows: int) -> Steps:
    """Scratch space for one turn, or for each of so many rows."""
    words, most = game.constants["WORDS"], game.constants["MOST_MOVES"]
    return Steps(np.zeros((*rows, 2, words), np.int64), np.zeros((*rows, 2, most), np.int64))

"""Afterstates: positions in which a turn has ended, of which several learners know the value.

The search for the best of them is the same for all: a learner binds `worth` and `prefer`, and passes on in
`judge` whatever these need.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import OVER, mover, moves, play, roller
from spielwerk.games.words import copy_state
from spielwerk.kernel.specialise import interface

WORST = -1e30  # below every worth


class Steps(NamedTuple):
    """Scratch space for a turn: row 0 for an action, row 1 for what the same player may do after it."""

    states: np.ndarray  # int64 [2, WORDS]
    options: np.ndarray  # int64 [2, MOST_MOVES]


@interface
def worth(state, player, judge):
    """What a position in which `player` has ended its turn is worth to it."""
    raise NotImplementedError


@interface
def prefer(equal, judge):
    """Whether the action that leads to the afterstate judged last is taken: of the best so far, it is the `equal`-th.

    Law: the first is taken.
    """
    raise NotImplementedError


def next_actor(state):
    """Who acts next, perhaps after a roll; OVER at the end."""
    who = mover(state)
    return who if who >= 0 or who == OVER else roller(state)


def best_action(state, steps, judge):
    """The action of the mover that leads to the best afterstate; of equal ones the one that `prefer` has taken last."""
    me = mover(state)
    best = WORST
    chosen = 0
    equal = 0
    for i in range(moves(state, steps.options[0])):
        copy_state(state, steps.states[0])
        play(steps.states[0], steps.options[0, i])
        value = worth_of_action(me, steps, judge)
        if value > best:
            best = value
            equal = 0
        if value == best:
            equal += 1
            if prefer(equal, judge):
                chosen = steps.options[0, i]
    return chosen


def worth_of_action(me, steps, judge):
    """What the position after an action is worth to the player: if its turn goes on, the best that it can become."""
    state = steps.states[0]
    if next_actor(state) != me:
        return worth(state, me, judge)
    best = WORST
    for i in range(moves(state, steps.options[1])):
        copy_state(state, steps.states[1])
        play(steps.states[1], steps.options[1, i])
        best = max(best, worth(steps.states[1], me, judge))
    return best


def steps_for(game: Game, *rows: int) -> Steps:
    """Scratch space for one turn, or for each of so many rows."""
    words, most = game.constants["WORDS"], game.constants["MOST_MOVES"]
    return Steps(np.zeros((*rows, 2, words), np.int64), np.zeros((*rows, 2, most), np.int64))

"""What all boards of a batch share, compiled: playing on, and counting the result.

`decide` is the agent's part: the only thing that differs from one compiled agent to another.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.batch_rows import score_rows
from spielwerk.games.chance import random_action, random_outcome
from spielwerk.games.rules import CHANCE, OVER, mover, play, roll
from spielwerk.games.words import copy_state
from spielwerk.kernel.rows import Scratch
from spielwerk.kernel.specialise import interface


class BoardArrays(NamedTuple):
    """What the kernels know of many games in progress."""

    states: np.ndarray  # [n, WORDS]
    dice: np.ndarray  # [n, 1]: the streams of set-ups and rolls
    rngs: np.ndarray  # [n, 1]: the streams of agents
    seats: np.ndarray  # [n, PLAYERS]: the agent of each player
    stopped: np.ndarray  # [n]: 1 where a game was cut or forfeited
    trace: np.ndarray  # [n, actions and rolls], int32; [n, 0] if nothing is to be kept
    lengths: np.ndarray  # [n]: how many actions and rolls there were
    capacity: np.ndarray  # [1]: how many there may be before the trace has to grow


@interface
def decide(state, rng, scratch, memory):
    """An action for the mover of `state`, which stays as it is.

    `scratch` (see `kernel/rows.py`) is free to be used: a position, actions, weights, scores. `memory` is a tuple of
    the agent's own: its settings, its tables, its trees.
    """
    raise NotImplementedError


def advance(i, work, actions, weights, results, arrays):
    """Row kernel: rolls and plays on board `i` until agent `me[0]` is not to act there, or the capacity is used up."""
    me, boards, memory = arrays
    scratch = Scratch(work, actions, weights, results)
    state = boards.states[i]
    length = boards.lengths[i]
    most = boards.capacity[0] if boards.stopped[i] == 0 else 0
    kept = boards.trace.shape[1]
    who = mover(state)
    while who != OVER and length < most:
        if who == CHANCE:
            number = random_outcome(state, boards.dice[i], actions, weights)
            roll(state, number)
        elif boards.seats[i, who] == me[0]:
            number = decide(state, boards.rngs[i], scratch, memory)
            play(state, number)
        else:
            break
        if length < kept:
            boards.trace[i, length] = number
        length += 1
        who = mover(state)
    boards.lengths[i] = length


def random_turn(i, work, actions, weights, results, arrays):
    """Row kernel: the rolls that are due on board `i` and a random turn; one that would end the game is taken back."""
    rngs, boards = arrays  # [n, 1]
    state = boards.states[i]
    trace = boards.trace
    kept = trace.shape[1]
    length = boards.lengths[i]
    while mover(state) == CHANCE:
        number = random_outcome(state, boards.dice[i], actions, weights)
        roll(state, number)
        if kept > 0:
            trace[i, length] = number
        length += 1
    boards.lengths[i] = length
    copy_state(state, work)
    who = mover(state)
    while mover(state) == who:
        number = random_action(state, rngs[i], actions)
        play(state, number)
        if kept > 0:
            trace[i, length] = number
        length += 1
    if mover(state) == OVER:
        copy_state(work, state)
    else:
        boards.lengths[i] = length


def tally(i, work, actions, weights, results, arrays):
    """Row kernel: whether board `i` is over, and each player's score if so."""
    states, over, scored = arrays  # [n, WORDS], [n], [n, PLAYERS]
    over[i] = mover(states[i]) == OVER
    score_rows(i, work, actions, weights, results, (states, scored))

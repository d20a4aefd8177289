"""Depth-first search over turns: each player takes what is best for its team, and dice count by their weights.

With two sides and dice that is expectimax; with more sides, max-n. `left` counts turns: it falls when a turn ends, so
that what is due right after the last turn, such as a roll, is not looked at: that position is evaluated as it stands.
"""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.evaluation import before
from spielwerk.games.rules import BEST, CHANCE, OVER, PLAYERS, mover, moves, outcomes, play, roll, scores
from spielwerk.games.words import copy_state
from spielwerk.search.estimate import SIDES, estimate

# Words of a frame: who acts; the options there are, those tried, the best one; the weight of all; the turns left.
ACTOR, COUNT, TRIED, CHOICE, TOTAL, LEFT = 0, 1, 2, 3, 4, 5
FRAME = 6


class Memory(NamedTuple):
    """What the search works on: one row a level, from the position in row 0 on."""

    depth: int  # turns to look ahead
    stop: np.ndarray  # [1]: another thread may set it to end the search
    states: np.ndarray  # [levels, WORDS]
    frames: np.ndarray  # [levels, FRAME]
    options: np.ndarray  # [levels, most]: the actions, or the outcomes
    weights: np.ndarray  # [levels, most]: of the outcomes
    values: np.ndarray  # [levels, PLAYERS]
    data: Any  # of the evaluation


def best_action(state, rng, scratch, memory):
    """The kernel `decide` of an agent: the first of the best actions; for two sides, of sure wins the shortest."""
    if moves(state, scratch.actions) == 1:
        return scratch.actions[0]
    before(state, memory.data)
    copy_state(state, memory.states[0])
    memory.frames[0, CHOICE] = 0
    # Between two sides a win found at less depth is sure and shorter; and to look for it first costs little.
    for left in range(1 if SIDES == 2 else memory.depth, memory.depth + 1):
        search(left, memory)
        if memory.values[0, mover(state)] >= BEST or memory.stop[0] != 0:
            break
    return memory.options[0, memory.frames[0, CHOICE]]


def worth(start, state, left, memory):
    """Values `state` for each player in `values[0]`, looking `left` turns ahead, as one who decides in `start`."""
    before(start, memory.data)
    copy_state(state, memory.states[0])
    if not settled(0, left, memory):
        search(left, memory)


def search(left, memory):
    """Values the position of row 0 in `values[0]`; its frame then knows the best action, so far if it is stopped."""
    frames = memory.frames
    level = 0
    enter(level, left, memory)
    while level >= 0 and memory.stop[0] == 0:
        if frames[level, TRIED] < frames[level, COUNT]:
            left = follow(level, memory)
            if settled(level + 1, left, memory):
                fold(level, memory)
            else:
                level += 1
                enter(level, left, memory)
        else:
            level -= 1
            if level >= 0:
                fold(level, memory)


def enter(level, left, memory):
    """Begins a node: lists its actions, or its outcomes."""
    states, frames, options, weights = memory.states, memory.frames, memory.options, memory.weights
    actor = mover(states[level])
    total = 0
    if actor == CHANCE:
        n = outcomes(states[level], options[level], weights[level])
        for i in range(n):
            total += weights[level, i]
        for player in range(PLAYERS):
            memory.values[level, player] = 0.0
    else:
        n = moves(states[level], options[level])
    frames[level, ACTOR] = actor
    frames[level, COUNT] = n
    frames[level, TRIED] = 0
    frames[level, TOTAL] = total
    frames[level, LEFT] = left


def follow(level, memory):
    """Takes the next option of a node, to the row after it; returns the turns left from there."""
    states, frames, options = memory.states, memory.frames, memory.options
    tried = frames[level, TRIED]
    frames[level, TRIED] = tried + 1
    child = states[level + 1]
    copy_state(states[level], child)
    if frames[level, ACTOR] == CHANCE:
        roll(child, options[level, tried])
        return frames[level, LEFT]
    play(child, options[level, tried])
    return frames[level, LEFT] - (1 if mover(child) != frames[level, ACTOR] else 0)


def settled(level, left, memory):
    """Whether nothing is to be searched below a row, which is then valued: by its score, or at the depth by estimate.

    A turn of more actions than there are rows for is estimated before its end.
    """
    states, values = memory.states, memory.values
    if mover(states[level]) == OVER:
        scores(states[level], values[level])
        return True
    if left > 0 and level + 1 < states.shape[0]:
        return False
    estimate(states[level], values[level], memory.data)
    return True


def fold(level, memory):
    """Lets a node take in the values of the option just tried, which stand in the row after it."""
    frames, values = memory.frames, memory.values
    actor = frames[level, ACTOR]
    tried = frames[level, TRIED] - 1
    if actor == CHANCE:
        share = memory.weights[level, tried] / frames[level, TOTAL]
        for player in range(PLAYERS):
            values[level, player] += share * values[level + 1, player]
    elif tried == 0 or values[level + 1, actor] > values[level, actor]:
        frames[level, CHOICE] = tried
        for player in range(PLAYERS):
            values[level, player] = values[level + 1, player]
        if values[level, actor] >= BEST:  # nothing that is left can be better
            frames[level, TRIED] = frames[level, COUNT]

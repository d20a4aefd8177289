"""Depth-first search over turns: each player takes what is best for its team, and dice count by their weights.

With two sides and dice that is expectimax; with more sides, max-n. `left` counts turns: it falls when a turn ends, so
that what is due right after the last turn, such as a roll, is not looked at: that position is evaluated as it stands.

`memory = (settings, states, frames, options, weights, values, data)`, one row a level of the search, from the position
in row 0 on: settings [1] the depth in turns; states [levels, WORDS]; frames [levels, FRAME]; options and weights
[levels, room] the actions, or the outcomes and their weights; values [levels, PLAYERS]; data of the evaluation.
"""

from spielwerk.games.evaluation import before
from spielwerk.games.rules import BEST, CHANCE, OVER, PLAYERS, mover, moves, outcomes, play, roll, scores
from spielwerk.games.words import copy_state
from spielwerk.search.estimate import SIDES, estimate

# Words of a frame: who acts; the options there are, those tried, the best one; the weight of all; the turns left.
ACTOR, COUNT, TRIED, CHOICE, TOTAL, LEFT = 0, 1, 2, 3, 4, 5
FRAME = 6


def best_action(state, work, rng, actions, weights, results, memory):
    """The kernel `decide` of an agent: the first of the best actions; for two sides, of sure wins the shortest."""
    settings, states, frames, options, _, values, data = memory
    if moves(state, actions) == 1:
        return actions[0]
    before(state, data)
    copy_state(state, states[0])
    # Between two sides a win found at less depth is sure and shorter; and to look for it first costs little.
    for left in range(1 if SIDES == 2 else settings[0], settings[0] + 1):
        search(left, memory)
        if values[0, mover(state)] >= BEST:
            break
    return options[0, frames[0, CHOICE]]


def worth(start, state, left, memory):
    """Values `state` for each player in `values[0]`, looking `left` turns ahead, as one who decides in `start`."""
    _, states, _, _, _, _, data = memory
    before(start, data)
    copy_state(state, states[0])
    if not settled(0, left, memory):
        search(left, memory)


def search(left, memory):
    """Values the position of row 0 in `values[0]`; its frame then knows the best action."""
    _, _, frames, _, _, _, _ = memory
    level = 0
    enter(level, left, memory)
    while level >= 0:
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
    _, states, frames, options, weights, values, _ = memory
    actor = mover(states[level])
    total = 0
    if actor == CHANCE:
        n = outcomes(states[level], options[level], weights[level])
        for i in range(n):
            total += weights[level, i]
        for player in range(PLAYERS):
            values[level, player] = 0.0
    else:
        n = moves(states[level], options[level])
    frames[level, ACTOR] = actor
    frames[level, COUNT] = n
    frames[level, TRIED] = 0
    frames[level, TOTAL] = total
    frames[level, LEFT] = left


def follow(level, memory):
    """Takes the next option of a node, to the row after it; returns the turns left from there."""
    _, states, frames, options, _, _, _ = memory
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
    _, states, _, _, _, values, data = memory
    if mover(states[level]) == OVER:
        scores(states[level], values[level])
        return True
    if left > 0 and level + 1 < states.shape[0]:
        return False
    estimate(states[level], values[level], data)
    return True


def fold(level, memory):
    """Lets a node take in the values of the option just tried, which stand in the row after it."""
    _, _, frames, _, weights, values, _ = memory
    actor = frames[level, ACTOR]
    tried = frames[level, TRIED] - 1
    if actor == CHANCE:
        share = weights[level, tried] / frames[level, TOTAL]
        for player in range(PLAYERS):
            values[level, player] += share * values[level + 1, player]
    elif tried == 0 or values[level + 1, actor] > values[level, actor]:
        frames[level, CHOICE] = tried
        for player in range(PLAYERS):
            values[level, player] = values[level + 1, player]
        if values[level, actor] >= BEST:  # nothing that is left can be better
            frames[level, TRIED] = frames[level, COUNT]

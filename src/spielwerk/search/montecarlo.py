"""Flat Monte Carlo: the same number of random playouts after each legal action; the best mean is played."""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.chance import playout_turns
from spielwerk.games.evaluation import before, evaluate
from spielwerk.games.rules import OVER, mover, moves, play, scores
from spielwerk.games.words import copy_state


class Memory(NamedTuple):
    """What the search works on."""

    playouts: int  # for each action
    rollout: int  # most turns of a playout
    stop: np.ndarray  # [1]: another thread may set it to end the search
    data: Any  # of the evaluation
    legal: np.ndarray  # [MOST_MOVES]: the actions
    after: np.ndarray  # [WORDS]: the position after one of them


def mc_choice(state, rng, scratch, memory):
    """The action whose playouts went best for the mover; the only one there is needs none."""
    legal = memory.legal
    n = moves(state, legal)
    if n == 1:
        return legal[0]
    before(state, memory.data)
    who = mover(state)
    best = legal[0]
    best_mean = 0.0
    for i in range(n):
        copy_state(state, memory.after)
        play(memory.after, legal[i])
        mean = mean_score(memory.after, who, rng, scratch, memory)
        if i == 0 or mean > best_mean:
            best = legal[i]
            best_mean = mean
        if memory.stop[0] != 0:
            break
    return best


def mean_score(state, who, rng, scratch, memory):
    """The mean score of player `who` in playouts from `state`, fewer where they are stopped."""
    total = 0.0
    done = 0
    while done < memory.playouts:
        copy_state(state, scratch.state)
        total += playout_score(scratch.state, who, rng, scratch, memory)
        done += 1
        if memory.stop[0] != 0:
            break
    return total / done


def playout_ends(state, rollout, rng, scratch, stop, ends):
    """Writes where playouts from `state` end, one in each row of `ends`; how many there are, fewer if stopped."""
    done = 0
    while done < ends.shape[0]:
        copy_state(state, ends[done])
        playout_turns(ends[done], rng, scratch.actions, scratch.weights, rollout)
        done += 1
        if stop[0] != 0:
            break
    return done


def playout_score(state, who, rng, scratch, memory):
    """The score of player `who` after one playout; where it is cut, what the evaluation says."""
    playout_turns(state, rng, scratch.actions, scratch.weights, memory.rollout)
    if mover(state) != OVER:
        return evaluate(state, who, memory.data)
    scores(state, scratch.scores)
    return scratch.scores[who]

"""Flat Monte Carlo: the same number of random playouts after each legal action; the best mean is played.

Numbers that steer it, in `numbers`: [playouts for each action, most turns of a playout].
"""

from spielwerk.games.evaluation import before, evaluate
from spielwerk.games.rules import OVER, mover, moves, play, scores
from spielwerk.games.words import copy_state
from spielwerk.search.playout import playout_turns

PLAYOUTS, ROLLOUT = 0, 1


def mc_choice(state, work, rng, actions, weights, results, memory):
    """The action whose playouts went best for the mover; the only one there is needs none."""
    numbers, data, legal, after = memory
    n = moves(state, legal)
    if n == 1:
        return legal[0]
    before(state, data)
    who = mover(state)
    best = legal[0]
    best_mean = 0.0
    for i in range(n):
        copy_state(state, after)
        play(after, legal[i])
        mean = mean_score(after, who, work, rng, actions, weights, results, numbers, data)
        if i == 0 or mean > best_mean:
            best = legal[i]
            best_mean = mean
    return best


def mean_score(state, who, work, rng, actions, weights, results, numbers, data):
    """The mean score of player `who` in playouts from `state`."""
    total = 0.0
    for _ in range(numbers[PLAYOUTS]):
        copy_state(state, work)
        total += playout_score(work, who, rng, actions, weights, results, numbers[ROLLOUT], data)
    return total / numbers[PLAYOUTS]


def playout_score(state, who, rng, actions, weights, results, most, data):
    """The score of player `who` after one playout; where it is cut, what the evaluation says."""
    playout_turns(state, rng, actions, weights, most)
    if mover(state) != OVER:
        return evaluate(state, who, data)
    scores(state, results)
    return results[who]

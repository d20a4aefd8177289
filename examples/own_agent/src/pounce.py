"""pounce: takes a win that one action gives, and otherwise plays at random; in compiled code."""

from spielwerk.arena.compiled import Compiled
from spielwerk.games.rules import OVER, WORDS, mover, moves, play, scores
from spielwerk.kernel.random import below


def pounce(state, work, rng, actions, weights, results, memory):
    """The kernel: an action for the mover; `actions`, `work` and `results` are room for moves, a position, scores."""
    n = moves(state, actions)
    for i in range(n):
        for word in range(WORDS):
            work[word] = state[word]
        play(work, actions[i])
        if mover(work) == OVER:
            scores(work, results)
            if results[mover(state)] > 0:
                return actions[i]
    return actions[below(rng, n)]


class Pounce(Compiled):
    """Takes a win that one action gives, and otherwise plays at random."""

    decide = pounce

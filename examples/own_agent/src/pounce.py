"""pounce: takes a win that one action gives, and otherwise plays at random; in compiled code."""

from spielwerk.arena.compiled import Compiled
from spielwerk.games.rules import OVER, mover, moves, play, scores
from spielwerk.games.words import copy_state
from spielwerk.kernel.random import below


def pounce(state, rng, scratch, memory):
    """The kernel: an action for the mover, in which `scratch` holds moves, a position and scores."""
    n = moves(state, scratch.actions)
    for i in range(n):
        copy_state(state, scratch.state)
        play(scratch.state, scratch.actions[i])
        if mover(scratch.state) == OVER:
            scores(scratch.state, scratch.scores)
            if scratch.scores[mover(state)] > 0:
                return scratch.actions[i]
    return scratch.actions[below(rng, n)]


class Pounce(Compiled):
    """Takes a win that one action gives, and otherwise plays at random."""

    decide = pounce

"""Outcomes, actions and turns drawn at random."""

from spielwerk.games.rules import CHANCE, FAIR, OVER, mover, moves, outcomes, play, roll
from spielwerk.kernel.random import below


def random_outcome(state, rng, out, weights):
    """An outcome of the chance node, drawn by its weight."""
    n = outcomes(state, out, weights)
    if FAIR:
        return out[below(rng, n)]
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(rng, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return out[i]


def random_action(state, rng, out):
    """A legal action, each with the same probability."""
    return out[below(rng, moves(state, out))]


def playout_turns(state, rng, out, weights, most):
    """Plays random actions to the end, or to the end of `most` turns."""
    turns = 0
    before = CHANCE
    who = mover(state)
    while who != OVER:
        if who == CHANCE:
            before = CHANCE
            roll(state, random_outcome(state, rng, out, weights))
        else:
            if who != before:
                if turns >= most:
                    return
                turns += 1
                before = who
            play(state, random_action(state, rng, out))
        who = mover(state)

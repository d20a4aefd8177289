"""Row kernels that draw positions in which a player is to move."""

from spielwerk.games.chance import random_action, random_outcome
from spielwerk.games.rules import CHANCE, OVER, mover, play, roll, start
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface


@interface
def scatter(state, rng):
    """Writes a random position, in which the game may be over."""
    raise NotImplementedError


def begin_rows(i, state, actions, weights, results, arrays):
    """A position as the game draws it, again and again until a player is to move."""
    states, rngs = arrays  # [n, WORDS], [n, 1]
    scatter(states[i], rngs[i])
    while mover(states[i]) < 0:
        scatter(states[i], rngs[i])


def reach_rows(i, state, actions, weights, results, arrays):
    """A position after a random number of random turns, anew where the game ends before it."""
    states, rngs, longest = arrays  # [n, WORDS], [n, 1], [1]
    reach(states[i], rngs[i], actions, weights, below(rngs[i], longest[0]))
    while mover(states[i]) == OVER:
        reach(states[i], rngs[i], actions, weights, below(rngs[i], longest[0]))


def reach(state, rng, actions, weights, turns):
    """Plays so many whole turns, and the roll that is due then; fewer where the game ends."""
    start(state, rng)
    before = CHANCE
    who = mover(state)
    while who != OVER:
        if who == CHANCE:
            before = CHANCE
            roll(state, random_outcome(state, rng, actions, weights))
        else:
            if who != before:
                if turns == 0:
                    return
                turns -= 1
                before = who
            play(state, random_action(state, rng, actions))
        who = mover(state)

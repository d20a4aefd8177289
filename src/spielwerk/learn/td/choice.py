"""The move that leads to the best afterstate: a position in which the turn has ended.

`room = (states, options, scored, spots, base)`: states [2, WORDS] and options [2, most] are for an action and for what
the same player may do after it; scored [PLAYERS]; spots [2, places]: row 0 keeps those of the best afterstate; base
([cells], [places]) is what is seen before the move, from which afterstates differ little (see `value.py`).
"""

from spielwerk.games.rules import BEST, OVER, mover, moves, play, scores
from spielwerk.kernel.random import below
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.td.value import add_up, relocate, value_at
from spielwerk.search.state import copy_state

WORST = -1e9  # below every value
KEPT, TRIED = 0, 1  # the rows of spots


def best_action(state, rng, scratch, memory):
    """The agent (see `arena/playing/kernels.py`): the first of the best actions."""
    gamma, room, net = memory
    return choose(state, rng, False, gamma[0], room, net)


def choose(state, rng, drawn, gamma, room, net):
    """The best action of the mover; of equal ones a drawn one, or the first. Its spots are kept if it ends the turn."""
    states, options, _, spots, base = room
    seen_before, spots_before = base
    me = mover(state)
    add_up(state, me, seen_before, spots_before, net)
    best = WORST
    chosen = 0
    equal = 0
    for i in range(moves(state, options[0])):
        copy_state(state, states[0])
        play(states[0], options[0, i])
        value = worth(states[0], me, gamma, room, net)
        if value > best:
            equal = 1
        elif value == best:
            equal += 1
        if value > best or (drawn and value == best and below(rng, equal) == 0):
            best = value
            chosen = options[0, i]
            for k in range(spots.shape[1]):
                spots[KEPT, k] = spots[TRIED, k]
    return chosen


def worth(state, me, gamma, room, net):
    """What a position is worth to the player who has just acted: if the turn goes on, the best that it can become."""
    states, options, _, _, _ = room
    if next_actor(state) != me:
        return settled(state, me, gamma, room, net)
    best = WORST
    for i in range(moves(state, options[1])):
        copy_state(state, states[1])
        play(states[1], options[1, i])
        best = max(best, settled(states[1], me, gamma, room, net))
    return best


def settled(state, me, gamma, room, net):
    """The score of a position that is over, or else its value."""
    _, _, scored, spots, base = room
    if mover(state) == OVER:
        scores(state, scored)
        return scored[me] / BEST
    relocate(state, me, spots[TRIED], base, net)
    return gamma * value_at(spots[TRIED], net)

"""From the outputs of a network to an action.

`afterstate` scores the position after each legal move, in any game; `direct` and `onehot` are the published ways for
nim: the stack and the number of matches as two numbers, or as the largest output of two groups.

`room = (values, seen, observed, states, options, scored, slots, known, answers)` has a row of room for each row of a
kernel: values [n, nodes], seen [n, cells], observed [n, numbers], states [n, 2, WORDS], options [n, 2, MOST_MOVES],
scored [n, PLAYERS]; `r` is the row. The last three remember what genomes answered: answers [genomes, positions] for the
positions of `known.py`. Threads may write the same answer at once, which does no harm.
"""

from math import floor

from spielwerk.games.nim import LARGEST, STACKS
from spielwerk.games.rules import OVER, mover, moves, play, scores
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.evolution.exams.known_positions import MISSING, found
from spielwerk.learn.evolution.genome.inputs import see
from spielwerk.learn.evolution.genome.wiring import think
from spielwerk.search.state import copy_state

ILLEGAL = -1
UNKNOWN = -2  # what nobody has asked yet
WORST = -1e30  # below every value
WON = 1e20  # beyond every output of a network
FARTHEST_PLACE = 1000  # that a rounded output can mean

SAFE_MOVES: bool = unbound("SAFE_MOVES")  # whether an illegal output becomes the nearest legal move
INPUTS_SEEN: int = unbound("INPUTS_SEEN")


@interface
def decision(g, state, r, genomes, wires, room):
    """The action that genome `g` takes for the mover, computed; ILLEGAL where its outputs mean none."""
    raise NotImplementedError


def answer(g, state, r, genomes, wires, room):
    """The same, remembered where that is possible."""
    _, _, _, _, _, _, slots, known, answers = room
    number = found(state, slots, known)
    if number == MISSING:
        return decision(g, state, r, genomes, wires, room)
    if answers[g, number] == UNKNOWN:
        answers[g, number] = decision(g, state, r, genomes, wires, room)
    return answers[g, number]


def by_afterstate(g, state, r, genomes, wires, room):
    """The first action with the best position after it."""
    _, _, _, states, options, _, _, _, _ = room
    me = mover(state)
    best = WORST
    chosen = 0
    for i in range(moves(state, options[r, 0])):
        copy_state(state, states[r, 0])
        play(states[r, 0], options[r, 0, i])
        value = worth(g, states[r, 0], me, r, genomes, wires, room)
        if value > best:
            best = value
            chosen = options[r, 0, i]
    return chosen


def worth(g, state, me, r, genomes, wires, room):
    """What a position is worth to the player who has just acted: if the turn goes on, the best that it can become."""
    _, _, _, states, options, _, _, _, _ = room
    if next_actor(state) != me:
        return settled(g, state, me, r, genomes, wires, room)
    best = WORST
    for i in range(moves(state, options[r, 1])):
        copy_state(state, states[r, 1])
        play(states[r, 1], options[r, 1, i])
        best = max(best, settled(g, states[r, 1], me, r, genomes, wires, room))
    return best


def settled(g, state, me, r, genomes, wires, room):
    """What a network says of the end of a turn; of the end of the game, its result."""
    values, seen, observed, _, _, scored, _, _, _ = room
    if mover(state) == OVER:
        scores(state, scored[r])
        return scored[r, me] * WON
    see(state, me, values[r], seen[r], observed[r])
    think(g, values[r], genomes, wires)
    return values[r, INPUTS_SEEN]


def by_numbers(g, state, r, genomes, wires, room):
    """Nim: the stack and the number of matches, rounded."""
    values, seen, observed, _, _, _, _, _, _ = room
    see(state, mover(state), values[r], seen[r], observed[r])
    think(g, values[r], genomes, wires)
    return taken(state, rounded(values[r, INPUTS_SEEN]), rounded(values[r, INPUTS_SEEN + 1]))


def by_largest(g, state, r, genomes, wires, room):
    """Nim: a node for each stack, and one for each number of matches; the first of the largest counts."""
    values, seen, observed, _, _, _, _, _, _ = room
    see(state, mover(state), values[r], seen[r], observed[r])
    think(g, values[r], genomes, wires)
    stack = largest(values[r], INPUTS_SEEN, STACKS)
    return taken(state, stack, 1 + largest(values[r], INPUTS_SEEN + STACKS, LARGEST))


def rounded(x):
    """The nearest whole number, not beyond what could mean anything."""
    return floor(min(max(x, -FARTHEST_PLACE), FARTHEST_PLACE) + 0.5)


def largest(values, first, count):
    """Which of so many values is the largest."""
    best = 0
    for k in range(1, count):
        if values[first + k] > values[first + best]:
            best = k
    return best


def taken(state, stack, matches):
    """The action that takes so many matches from a stack; where that is illegal, none or the nearest."""
    legal = 0 <= stack < STACKS
    if legal:
        legal = 1 <= matches <= state[1 + stack]
    if not legal:
        if not SAFE_MOVES:
            return ILLEGAL
        stack = nearest_stack(state, stack)
        matches = min(max(matches, 1), state[1 + stack])
    return (matches - 1) * STACKS + stack


def nearest_stack(state, stack):
    """The stack with matches that is nearest to a number; of two the first."""
    best = -1
    for k in range(STACKS):
        if state[1 + k] > 0 and (best < 0 or abs(k - stack) < abs(best - stack)):
            best = k
    return best

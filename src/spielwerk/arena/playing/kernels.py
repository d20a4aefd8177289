"""What all boards of a batch share, compiled: setting up, playing on, and counting the result.

`decide` is the agent's part: the only thing that differs from one compiled agent to another. The rows work on
`boards = (states, dice, rngs, seats, stopped, trace, lengths, room)`; see `arena/playing/boards.py` for their shapes.
"""

from spielwerk.games.rules import CHANCE, OVER, PLAYERS, WORDS, mover, play, roll, scores, start
from spielwerk.kernel.specialise import interface
from spielwerk.search.playout import random_action, random_outcome


@interface
def decide(state, work, rng, actions, weights, results, memory):
    """An action for the mover of `state`, which stays as it is.

    `work` (a position), `actions`, `weights` and `results` are room to work in; `memory` is a tuple of the agent's
    own arrays: its settings, its tables, its trees.
    """
    raise NotImplementedError


def set_up(i, work, actions, weights, results, arrays):
    """Row kernel: a starting position on board `i`."""
    states, dice = arrays  # [n, WORDS], [n, 1]
    start(states[i], dice[i])


def advance(i, work, actions, weights, results, arrays):
    """Row kernel: rolls and plays on board `i` until agent `me[0]` is not to act there, or the room is used up."""
    me, boards, memory = arrays
    states, dice, rngs, seats, stopped, trace, lengths, room = boards
    state = states[i]
    rng = rngs[i]
    length = lengths[i]
    most = room[0] if stopped[i] == 0 else 0
    kept = trace.shape[1]
    who = mover(state)
    while who != OVER and length < most:
        if who == CHANCE:
            number = random_outcome(state, dice[i], actions, weights)
            roll(state, number)
        elif seats[i, who] == me[0]:
            number = decide(state, work, rng, actions, weights, results, memory)
            play(state, number)
        else:
            break
        if length < kept:
            trace[i, length] = number
        length += 1
        who = mover(state)
    lengths[i] = length


def random_turn(i, work, actions, weights, results, arrays):
    """Row kernel: the rolls that are due on board `i` and a random turn; one that would end the game is taken back."""
    rngs, boards = arrays  # [n, 1]
    states, dice, _, _, _, trace, lengths, _ = boards
    state = states[i]
    kept = trace.shape[1]
    length = lengths[i]
    while mover(state) == CHANCE:
        number = random_outcome(state, dice[i], actions, weights)
        roll(state, number)
        if kept > 0:
            trace[i, length] = number
        length += 1
    lengths[i] = length
    for word in range(WORDS):
        work[word] = state[word]
    who = mover(state)
    while mover(state) == who:
        number = random_action(state, rngs[i], actions)
        play(state, number)
        if kept > 0:
            trace[i, length] = number
        length += 1
    if mover(state) == OVER:
        for word in range(WORDS):
            state[word] = work[word]
    else:
        lengths[i] = length


def tally(i, work, actions, weights, results, arrays):
    """Row kernel: whether board `i` is over, and each player's score if so."""
    states, over, scored = arrays  # [n, WORDS], [n], [n, PLAYERS]
    if mover(states[i]) == OVER:
        over[i] = 1
        scores(states[i], results)
        for player in range(PLAYERS):
            scored[i, player] = results[player]

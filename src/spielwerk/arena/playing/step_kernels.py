"""One action on many boards at once, compiled: for agents that are asked about all boards that wait for them."""

from spielwerk.arena.playing.kernels import decide
from spielwerk.games.chance import random_outcome
from spielwerk.games.rules import CHANCE, mover, moves, play, roll
from spielwerk.kernel.rows import Scratch


def wait_rows(i, work, actions, weights, results, arrays):
    """Row kernel: rolls what is due on board `i`, and says whether agent `me[0]` is to act there."""
    me, waits, boards = arrays  # [1], [n]
    state = boards.states[i]
    most = boards.capacity[0] if boards.stopped[i] == 0 else 0
    while boards.lengths[i] < most and mover(state) == CHANCE:
        number = random_outcome(state, boards.dice[i], actions, weights)
        roll(state, number)
        note(i, number, boards)
    who = mover(state)
    waits[i] = boards.lengths[i] < most and who >= 0
    if waits[i]:
        waits[i] = boards.seats[i, who] == me[0]


def play_rows(k, work, actions, weights, results, arrays):
    """Row kernel: plays the k-th action chosen on its board, if it is legal, and says so."""
    numbers, chosen, legal, boards = arrays  # [k], [k], [k]
    i = numbers[k]
    for option in range(moves(boards.states[i], actions)):
        if actions[option] == chosen[k]:
            legal[k] = 1
    if legal[k]:
        play(boards.states[i], chosen[k])
        note(i, chosen[k], boards)


def note(i, number, boards):
    """Writes an action or a roll into the trace of board `i`, where traces are kept, and counts it."""
    length = boards.lengths[i]
    if length < boards.trace.shape[1]:
        boards.trace[i, length] = number
    boards.lengths[i] = length + 1


def choose_rows(i, work, actions, weights, results, arrays):
    """Row kernel: the action that a compiled agent takes on board `i`, where somebody is to act."""
    states, rngs, chosen, memory = arrays  # [n, WORDS], [n, 1], [n]
    if mover(states[i]) >= 0:
        chosen[i] = decide(states[i], rngs[i], Scratch(work, actions, weights, results), memory)

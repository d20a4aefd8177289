"""One action on many boards at once, compiled: for agents that are asked about all boards that wait for them."""

from spielwerk.arena.playing.kernels import decide
from spielwerk.games.rules import CHANCE, mover, moves, play, roll
from spielwerk.search.playout import random_outcome


def wait_rows(i, work, actions, weights, results, arrays):
    """Row kernel: rolls what is due on board `i`, and says whether agent `me[0]` is to act there."""
    me, waits, boards = arrays  # [1], [n]
    states, dice, _, seats, stopped, trace, lengths, room = boards
    state = states[i]
    while stopped[i] == 0 and lengths[i] < room[0] and mover(state) == CHANCE:
        number = random_outcome(state, dice[i], actions, weights)
        roll(state, number)
        note(i, number, trace, lengths)
    who = mover(state)
    waits[i] = stopped[i] == 0 and lengths[i] < room[0] and who >= 0
    if waits[i]:
        waits[i] = seats[i, who] == me[0]


def play_rows(k, work, actions, weights, results, arrays):
    """Row kernel: plays the k-th action chosen on its board, if it is legal, and says so."""
    numbers, chosen, legal, boards = arrays  # [k], [k], [k]
    states, _, _, _, _, trace, lengths, _ = boards
    i = numbers[k]
    for option in range(moves(states[i], actions)):
        if actions[option] == chosen[k]:
            legal[k] = 1
    if legal[k]:
        play(states[i], chosen[k])
        note(i, chosen[k], trace, lengths)


def note(i, number, trace, lengths):
    """Writes an action or a roll into the trace of board `i`, where traces are kept, and counts it."""
    if lengths[i] < trace.shape[1]:
        trace[i, lengths[i]] = number
    lengths[i] += 1


def choose_rows(i, work, actions, weights, results, arrays):
    """Row kernel: the action that a compiled agent takes on board `i`, where somebody is to act."""
    states, rngs, chosen, memory = arrays  # [n, WORDS], [n, 1], [n]
    if mover(states[i]) >= 0:
        chosen[i] = decide(states[i], work, rngs[i], actions, weights, results, memory)

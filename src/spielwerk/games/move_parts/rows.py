"""Row kernels: the legal moves of many boards in parts, the rules that illegal ones break, and phases."""

import numpy as np

from spielwerk.games.move_parts import broken, phase_of, write_parts
from spielwerk.games.rules import mover, moves, play
from spielwerk.games.words import copy_state
from spielwerk.kernel.specialise import unbound

ACTIONS_A_MOVE: int = unbound("ACTIONS_A_MOVE")
NONE: np.ndarray = unbound("NONE")  # [parts]: the value that means none


def move_rows(i, state, actions, weights, results, arrays):
    """Counts the legal moves of each board, and where they are asked for, lists them."""
    states, room, offsets, counts, wanted, parts, played = arrays
    # [n, WORDS], [n, MOST_MOVES], [n + 1], [n], [1], [m, parts], [m, ACTIONS_A_MOVE]
    origin, found = states[i], 0
    listing = wanted[0] != 0
    who = mover(origin)
    if who >= 0:
        for k in range(moves(origin, room[i])):
            first = room[i, k]
            copy_state(origin, state)
            play(state, first)
            goes_on = ACTIONS_A_MOVE > 1 and mover(state) == who
            for j in range(moves(state, actions) if goes_on else 1):
                if listing:
                    at = offsets[i] + found
                    begin(parts[at], played[at])
                    note(origin, first, parts[at], played[at], 0)
                    if goes_on:
                        note(state, actions[j], parts[at], played[at], 1)
                found += 1
    counts[i] = found


def begin(values, played):
    """No part is decided, and nothing is played."""
    for part in range(NONE.shape[0]):
        values[part] = NONE[part]
    for step in range(ACTIONS_A_MOVE):
        played[step] = -1


def note(state, action, values, played, step):
    """One action of a move."""
    write_parts(state, action, values)
    played[step] = action


def rule_rows(i, state, actions, weights, results, arrays):
    """The first rule that a move breaks on each board."""
    states, parts, rules = arrays  # [n, WORDS], [n, parts], [n]
    rules[i] = broken(states[i], parts[i])


def phase_rows(i, state, actions, weights, results, arrays):
    """The phase of each board's mover."""
    states, phases = arrays  # [n, WORDS], [n]
    phases[i] = phase_of(states[i])


def part_rows(i, state, actions, weights, results, arrays):
    """The parts of a move on each board, of which the actions are known."""
    states, played, parts = arrays  # [n, WORDS], [n, ACTIONS_A_MOVE], [n, parts]
    for part in range(NONE.shape[0]):
        parts[i, part] = NONE[part]
    copy_state(states[i], state)
    for step in range(ACTIONS_A_MOVE):
        if played[i, step] >= 0:
            write_parts(state, played[i, step], parts[i])
            play(state, played[i, step])

"""The value of every EinStein position, backwards: stones only go forward, so no position comes again.

A value is the score that the player who rolls can expect. The slots of an index (`index.py`) are worked off by
the stones on the board, then by the steps that both sides have left: a move leads to fewer stones or fewer steps.

`values` = (exact, rounded): float64 for the first slots, and for those after them int16, in parts of 1 / FINE.
`tables` = (maps, values).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.games.einstein import BITS, GONE, STONES, TURNED, cell_of
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER, mover, moves, play, roll
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.solvers.einstein.index import EinsteinIndex, slot_of, slot_of_state
from spielwerk.solvers.oracle import SolveProgress

FINE = 32767
WON = -1  # instead of a slot

BEST: bool = unbound("BEST")  # whether the player who rolls plays as well as possible, and not by the policy


@interface
def policy(state, actions, n, i, memory):
    """The probability that a player chooses the `i`-th of the `n` legal actions; the arrays stay as they are.

    `memory` is a tuple of arrays of its own.
    """
    raise NotImplementedError


def probe(state, tables):
    """What the player who rolls can expect in a position before the roll."""
    return read(slot_of_state(state, tables[0]), tables[1])


def read(slot, values):
    """The value in a slot."""
    exact, rounded = values
    return exact[slot] if slot < len(exact) else rounded[slot - len(exact)] / FINE


def write(slot, value, values):
    """Puts a value into a slot."""
    exact, rounded = values
    if slot < len(exact):
        exact[slot] = value
    else:
        rounded[slot - len(exact)] = int(np.floor(value * FINE + 0.5))


def slot_after(state, action, maps):
    """The slot of the position that an action leads to, or WON; the state stays as it is."""
    player, die, first, second = state[0], state[1], state[2], state[3]
    play(state, action)
    # Only the other player can be without stones now, and only the mover on its goal: an end is a win.
    slot = WON if mover(state) == OVER else slot_of_state(state, maps)
    state[0] = player
    state[1] = die
    state[2] = first
    state[3] = second
    return slot


def value_after(state, action, tables):
    """What the mover can expect after an action."""
    slot = slot_after(state, action, tables[0])
    return 1.0 if slot == WON else -read(slot, tables[1])


def slots_after(state, actions, slots, maps):
    """Writes the slots, or WON, that the legal actions lead to, and returns how many there are."""
    n = moves(state, actions)
    for i in range(n):
        slots[i] = slot_after(state, actions[i], maps)
    return n


def best_value(state, actions, n, tables):
    """What the mover can expect from the best of its `n` actions."""
    best = -1.0
    for i in range(n):
        best = max(best, value_after(state, actions[i], tables))
    return best


def policy_value(state, actions, n, tables, memory):
    """What the mover can expect if it chooses by the policy."""
    total = 0.0
    for i in range(n):
        share = policy(state, actions, n, i, memory)
        if share > 0.0:
            total += share * value_after(state, actions[i], tables)
    return total


def rolled_value(state, actions, tables, memory):
    """What the player who rolls can expect."""
    total = 0.0
    value = 0.0
    first = -1
    last = -1
    for face in range(1, STONES + 1):
        roll(state, face)
        n = moves(state, actions)
        if not BEST:
            value = policy_value(state, actions, n, tables, memory)
        elif actions[0] != first or actions[n - 1] != last:  # otherwise the actions are those of the face before
            value = best_value(state, actions, n, tables)
            first = actions[0]
            last = actions[n - 1]
        total += value
    return total / STONES


def as_player(stones, player):
    """Player 0's stones, turned to the corner of a player."""
    turned = 0
    for stone in range(STONES):
        turned |= TURNED[player, cell_of(stones, stone)] << BITS * stone
    return turned


def work_off(i, state, actions, weights, results, arrays):
    """Row kernel: the values of row `i` where the board has now[0] stones and the sides now[1] steps left.

    Player now[2] rolls; what follows is looked up in `tables`.
    """
    now, values, tables, sides, memory = arrays
    words, cells, facing, owners, steps, levels = sides
    maps = tables[0]
    own = owners[i]
    others = now[0] - maps[3][own]
    left = now[1] - steps[own]
    if others < 1 or others >= levels.shape[0] or left < 0 or left + 1 >= levels.shape[1]:
        return
    player = now[2]
    mine = as_player(words[own], player)
    for other in range(levels[others, left], levels[others, left + 1]):
        if cells[own] & facing[other] == 0:
            state[0] = player
            state[2 + player] = mine
            state[3 - player] = as_player(words[other], 1 - player)
            write(slot_of(own, other, maps), rolled_value(state, actions, tables, memory), values)


def uniform(state, actions, n, i, memory):
    """The policy of the random mover."""
    return 1.0 / n


class EinsteinSolver:
    """Works off the slots of an index."""

    def __init__(self, game: Game, index: EinsteinIndex) -> None:
        self.game, self.index = game, index
        sides = index.sides
        cells = [_cells(game, sides.words, player) for player in range(2)]
        self.sides = (sides.words, *cells, sides.owners, sides.steps, sides.begins())

    def solve(self, stones: range, values: Any, callback: SolveProgress) -> None:
        """The values under best play, for so many stones on the board."""
        self.over_levels(stones, lambda now: self.work_off(now, values, values), callback)

    def over_levels(self, stones: range, work: Callable[[tuple[int, int]], None], callback: SolveProgress) -> None:
        """Calls `work` with each number of stones and steps that occurs, in order."""
        sizes = {number: self.index.level_sizes(number) for number in stones}
        done, total = 0, int(sum(size.sum() for size in sizes.values()))
        for number, of_levels in sizes.items():
            for level in np.flatnonzero(of_levels).tolist():
                work((number, level))
                done += int(of_levels[level])
                callback(done, total)

    def work_off(
        self, now: tuple[int, int], values: Any, following: Any, player: int = 0, memory: Any = (), **bound: Any
    ) -> None:
        """One level: writes to `values` what `following` leads to; by default under best play."""
        bound = {"BEST": True, "policy": uniform} | bound
        run = self.game.rows(work_off, threads=os.cpu_count() or 1, **bound)
        tables = (self.index.maps, following)
        run(len(self.index.sides.owners), np.array([*now, player]), values, tables, self.sides, memory)


def _cells(game: Game, words: np.ndarray, player: int) -> np.ndarray:
    """The cells on which sides stand if they are the player's, a bit each; [sides]."""
    taken = np.zeros(len(words), np.int64)
    for stone in range(game.constants["STONES"]):
        cell = words >> BITS * stone & GONE
        taken |= np.where(cell == GONE, 0, 1 << game.constants["TURNED"][player][cell])
    return taken

"""Positions and what is known of them: a hash table from words to numbers, and arrays by these numbers.

Positions are numbered in the order in which they are met. The arrays are as long as the most positions allow; memory
that is not touched is not taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import CHANCE, OVER, WORDS, mover, moves, outcomes, play, roll, scores
from spielwerk.games.words import copy_state, key_of
from spielwerk.kernel.specialise import unbound

NEW, OPEN, DONE = 0, 1, 2  # how far a position is: met; being worked on; its value is known
NONE = -1  # no position, no room for one more, or no distance

VALUE_COLUMNS: int = unbound("VALUE_COLUMNS")  # numbers that make up a value: 1 between two sides, otherwise one a side
SIDE_PLAYERS: tuple[int, ...] = unbound("SIDE_PLAYERS")  # the first player of each of these sides


class PositionStore(NamedTuple):
    """All positions met so far."""

    states: Any  # [most, WORDS]
    slots: Any  # int32 [a power of two]: 1 + the number of the position whose words lead here; 0: nobody's
    who: Any  # int8 [most]: what `mover` says
    status: Any  # int8 [most]: NEW, OPEN or DONE
    values: Any  # [most, VALUE_COLUMNS]: the score that the first side, or each side, can expect
    turns: Any  # int32 [most]: to the end; NONE in draws and where it cannot be said
    count: Any  # [1]: positions met


class SolverScratch(NamedTuple):
    """Scratch arrays of one thread."""

    state: Any
    child: Any
    numbers: Any  # actions or outcomes
    weights: Any
    scores: Any


def slot_of(state, states, slots):
    """The slot of a position, or the free one in which it belongs."""
    mask = slots.shape[0] - 1
    slot = key_of(state) & mask
    while slots[slot] != 0 and not same(state, states, slots[slot] - 1):
        slot = (slot + 1) & mask
    return slot


def same(state, states, index):
    """Whether a position has these words."""
    for word in range(WORDS):
        if state[word] != states[index, word]:
            return False
    return True


def added(state, store, results):
    """The number of a position, which is taken in if it is new; NONE where there is no room."""
    slot = slot_of(state, store.states, store.slots)
    if store.slots[slot] != 0:
        return store.slots[slot] - 1
    index = store.count[0]
    if index == store.states.shape[0]:
        return NONE
    store.slots[slot] = index + 1
    store.count[0] = index + 1
    copy_state(state, store.states[index])
    who = mover(state)
    store.who[index] = who
    store.status[index] = DONE if who == OVER else NEW
    store.turns[index] = 0 if who == OVER else NONE
    if who == OVER:
        scores(state, results)
    for i in range(VALUE_COLUMNS):
        store.values[index, i] = results[SIDE_PLAYERS[i]] if who == OVER else 0.0
    return index


def expanded(index, store, scratch, edges, at):
    """Writes the positions that follow one from `edges[at]` on, and returns how many; NONE where there is no room."""
    copy_state(store.states[index], scratch.state)
    chance = store.who[index] == CHANCE
    n = outcomes(scratch.state, scratch.numbers, scratch.weights) if chance else moves(scratch.state, scratch.numbers)
    for i in range(n):
        copy_state(scratch.state, scratch.child)
        if chance:
            roll(scratch.child, scratch.numbers[i])
        else:
            play(scratch.child, scratch.numbers[i])
        child = added(scratch.child, store, scratch.scores)
        if child == NONE:
            return NONE
        edges[at + i] = child
    return n


def hashed_again(store):
    """Fills empty slots with the positions that there are."""
    for index in range(store.count[0]):
        store.slots[slot_of(store.states[index], store.states, store.slots)] = index + 1


def bindings(game: Game) -> dict[str, Any]:
    """What the kernels of this folder need besides the rules."""
    teams = list(game.constants["TEAM"])
    values = 1 if game.sides <= 2 else game.sides
    chance = game.constants["MOST_OUTCOMES"] > 0
    firsts = tuple(teams.index(side) for side in range(values))
    return {"VALUE_COLUMNS": values, "SIDE_PLAYERS": firsts, "HAS_DISTANCES": values == 1 and not chance}


def store_for(game: Game, most: int) -> PositionStore:
    """An empty store for so many positions."""
    words, values = game.constants["WORDS"], bindings(game)["VALUE_COLUMNS"]
    return PositionStore(
        np.empty((most, words), np.int64),
        np.zeros(slots_for(most), np.int32),
        np.empty(most, np.int8),
        np.empty(most, np.int8),
        np.empty((most, values)),
        np.empty(most, np.int32),
        np.zeros(1, np.int64),
    )


def slots_for(most: int) -> int:
    """A power of two that leaves a third of the slots free."""
    return 1 << (most * 3 // 2).bit_length()


def bytes_a_position(game: Game) -> int:
    """What a position takes of memory, its slots included."""
    return 8 * (game.constants["WORDS"] + bindings(game)["VALUE_COLUMNS"]) + 4 * 3 + 4 + 2


def scratch_for(game: Game) -> SolverScratch:
    """Scratch arrays for one thread."""
    state, numbers, weights, results = game.workspace()
    return SolverScratch(state, game.blank(), numbers, weights, results)

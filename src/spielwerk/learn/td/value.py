"""The value of a position by an n-tuple network.

An n-tuple looked at in one place of the board is a *place*; `indices` [places] are those of the weights that a position
looks up, one for each place. Places that a symmetry maps onto each other look at the same table.
"""

from math import tanh
from typing import NamedTuple

import numpy as np

from spielwerk.games.cells import cells
from spielwerk.kernel.specialise import unbound

HASHED: bool = unbound("HASHED")


class Lookup(NamedTuple):
    """How indices are computed: each cell adds its value times a power to the index of each place that looks at it."""

    size: int  # the weights there are
    used: np.ndarray  # int64 [used cells]: those that some place looks at
    first: np.ndarray  # int64 [used cells + 1]: where the entries of each begin
    place: np.ndarray  # int64 [entries]
    power: np.ndarray  # int64 [entries]
    base: np.ndarray  # int64 [places]: where the table of each begins
    sets: np.ndarray  # int64 [PLAYERS]: where the weights of each player begin


class Net(NamedTuple):
    """A network as kernels take it."""

    weights: np.ndarray  # float32 [size]
    coherence: np.ndarray  # float32 [size, 2]: what coherence notes of each weight; [1, 2] without
    lookup: Lookup
    seen: np.ndarray  # int64 [cells], scratch


class Sight(NamedTuple):
    """What a player sees of a position."""

    seen: np.ndarray  # int64 [cells]
    indices: np.ndarray  # int64 [places], not folded


def locate(state, player, indices, net):
    """Writes the indices of the weights that the position looks up, as `player` sees it who has just ended a turn."""
    add_up(state, player, Sight(net.seen, indices), net.lookup)
    fold(indices, net.lookup)


def relocate(state, player, indices, before, net):
    """The same for a position that is not far from the one of which `add_up` has written what is seen `before`."""
    lookup = net.lookup
    cells(state, player, net.seen)
    for i in range(indices.shape[0]):
        indices[i] = before.indices[i]
    for i in range(lookup.used.shape[0]):
        change = net.seen[lookup.used[i]] - before.seen[lookup.used[i]]
        if change != 0:
            for k in range(lookup.first[i], lookup.first[i + 1]):
                indices[lookup.place[k]] += change * lookup.power[k]
    fold(indices, lookup)


def add_up(state, player, sight, lookup):
    """Writes what the player sees, and the number of the case of each place, counted through all tables."""
    seen, indices = sight
    cells(state, player, seen)
    for i in range(indices.shape[0]):
        indices[i] = lookup.base[i] + lookup.sets[player]
    for i in range(lookup.used.shape[0]):
        value = seen[lookup.used[i]]
        if value != 0:
            for k in range(lookup.first[i], lookup.first[i + 1]):
                indices[lookup.place[k]] += value * lookup.power[k]


def fold(indices, lookup):
    """From cases to weights, of which there are fewer where tables are hashed."""
    if HASHED:
        for i in range(indices.shape[0]):
            indices[i] %= lookup.size


def value_at(indices, net):
    """The value of the position that looks up these weights."""
    total = 0.0
    for i in range(indices.shape[0]):
        total += net.weights[indices[i]]
    return tanh(total)

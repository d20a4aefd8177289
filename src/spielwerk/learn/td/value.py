"""The value of a position by an n-tuple network.

`net = (weights, coherence, layout, seen)`: weights float32 [n]; coherence float32 [n, 2], or [1, 2] without;
layout = (numbers, used, first, place, power, base, sets), see `network.py`; seen [cells] is room to work in.

An n-tuple looked at in one place of the board is a *place*; `spots` [places] are the weights that a position meets,
one for each place. Places that a symmetry maps onto each other look at the same table.
"""

from math import tanh

from spielwerk.games.cells import cells
from spielwerk.kernel.specialise import unbound

HASHED: bool = unbound("HASHED")
SIZE = 0  # of `numbers`: the weights there are


def locate(state, player, spots, net):
    """Writes the weights that the position meets, as `player` sees it who has just ended a turn."""
    _, _, _, seen = net
    add_up(state, player, seen, spots, net)
    fold(spots, net)


def relocate(state, player, spots, base, net):
    """The same for a position that is not far from the one in `base = (seen, spots)`, which `add_up` has written."""
    _, _, layout, seen = net
    _, used, first, place, power, _, _ = layout
    seen_before, spots_before = base
    cells(state, player, seen)
    for i in range(spots.shape[0]):
        spots[i] = spots_before[i]
    for i in range(used.shape[0]):
        change = seen[used[i]] - seen_before[used[i]]
        if change != 0:
            for k in range(first[i], first[i + 1]):
                spots[place[k]] += change * power[k]
    fold(spots, net)


def add_up(state, player, seen, spots, net):
    """Writes what the player sees, and the number of the case of each place, counted through all tables."""
    _, _, layout, _ = net
    _, used, first, place, power, base, sets = layout
    cells(state, player, seen)
    for i in range(spots.shape[0]):
        spots[i] = base[i] + sets[player]
    for i in range(used.shape[0]):
        value = seen[used[i]]
        if value != 0:
            for k in range(first[i], first[i + 1]):
                spots[place[k]] += value * power[k]


def fold(spots, net):
    """From cases to weights, of which there are fewer where tables are hashed."""
    _, _, layout, _ = net
    numbers, _, _, _, _, _, _ = layout
    if HASHED:
        for i in range(spots.shape[0]):
            spots[i] %= numbers[SIZE]


def value_at(spots, net):
    """The value of the position that meets these weights."""
    weights, _, _, _ = net
    total = 0.0
    for i in range(spots.shape[0]):
        total += weights[spots[i]]
    return tanh(total)

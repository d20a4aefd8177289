"""The value of a position by an n-tuple network.

`net = (weights, coherence, layout, seen)`: weights float32 [n]; coherence float32 [n, 2], or [1, 2] without;
layout = (numbers, first, place, power, base, sets), see `network.py`; seen [cells] is room to work in.

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
    _, _, layout, seen = net
    numbers, first, place, power, base, sets = layout
    cells(state, player, seen)
    for i in range(base.shape[0]):
        spots[i] = base[i] + sets[player]
    for cell in range(first.shape[0] - 1):
        value = seen[cell]
        if value != 0:
            for k in range(first[cell], first[cell + 1]):
                spots[place[k]] += value * power[k]
    if HASHED:
        for i in range(base.shape[0]):
            spots[i] %= numbers[SIZE]


def value_at(spots, net):
    """The value of the position that meets these weights."""
    weights, _, _, _ = net
    total = 0.0
    for i in range(spots.shape[0]):
        total += weights[spots[i]]
    return tanh(total)

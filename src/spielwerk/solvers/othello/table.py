"""What a search for Othello endings remembers: bounds of the values of positions, which stay true for ever.

`table` is [entries, ENTRY], a power of two of them, in pairs: of two that share their places the one with more empty
cells stays, unless it is of an earlier age. An entry holds the position itself, so that none is taken for another.
"""

from spielwerk.games.words import ODD, OTHER_ODD, scattered
from spielwerk.search.table import NOT_FOUND

OWN, OTHER, BOUNDS, WEIGHT, ENTRY = range(5)  # where an entry's words are, and how many there are
SPAN = 256  # values, cells and numbers of empty cells are told apart below it
ZERO = 128  # how a value of 0 is written


def place_of(table, own, other):
    """The first of the two places for a position."""
    return scattered(scattered(own, ODD) ^ other, OTHER_ODD) & (table.shape[0] - 2)


def find(table, own, other):
    """The entry of a position, or NOT_FOUND."""
    first = place_of(table, own, other)
    for entry in range(first, first + 2):
        if table[entry, OWN] == own and table[entry, OTHER] == other:
            return entry
    return NOT_FOUND


def least(table, entry):
    """The value is not below it."""
    return table[entry, BOUNDS] % SPAN - ZERO


def most(table, entry):
    """The value is not above it."""
    return table[entry, BOUNDS] // SPAN % SPAN - ZERO


def cell_of(table, entry):
    """The best placement known."""
    return table[entry, BOUNDS] // (SPAN * SPAN)


def keep(table, own, other, weight, low, value, cell):
    """Remembers the answer `value` to the question `low`; `weight` is the age times SPAN, plus the empty cells."""
    floor = value if value > low else -ZERO
    ceiling = ZERO - 1 if value > low else value
    entry = find(table, own, other)
    if entry != NOT_FOUND:
        floor = max(floor, least(table, entry))
        ceiling = min(ceiling, most(table, entry))
    else:
        entry = place_of(table, own, other)
        entry += 1 if table[entry, WEIGHT] > weight else 0
    table[entry, OWN] = own
    table[entry, OTHER] = other
    table[entry, BOUNDS] = (cell * SPAN + ceiling + ZERO) * SPAN + floor + ZERO
    table[entry, WEIGHT] = weight

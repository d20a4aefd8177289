"""The transposition table: what a search found out about positions that it may meet again.

`table` is [entries, ENTRY], a power of two of them, in pairs: of two entries that share their places the deeper one
stays. An entry holds the position's key, its value, the best action known, and a note: the age, the depth, and what is
known. Entries of another age do not count, so that a decision depends on nothing but its position.
"""

KEY, VALUE, ACTION, NOTE, ENTRY = range(5)  # where an entry's words are, and how many there are
EXACT, AT_LEAST, AT_MOST = 0, 1, 2  # what is known of the value
BOUNDS, LEVELS = 8, 1024  # how many values a bound and a depth may have in a note
HORIZON = 4  # added to a bound if the search stopped somewhere before the end of the game
NOT_FOUND = -1


def found(table, key, age):
    """The entry of the position, or NOT_FOUND."""
    first = key & (table.shape[0] - 2)
    for entry in range(first, first + 2):
        if table[entry, KEY] == key and table[entry, NOTE] // (BOUNDS * LEVELS) == age:
            return entry
    return NOT_FOUND


def value_of(table, entry):
    """The position's value, or a bound of it, for the player to act."""
    return table[entry, VALUE]


def action_of(table, entry):
    """The best action known."""
    return table[entry, ACTION]


def depth_of(table, entry):
    """How many turns were searched."""
    return table[entry, NOTE] // BOUNDS % LEVELS


def horizon_of(table, entry):
    """1 if the search stopped somewhere before the end of the game, otherwise 0."""
    return table[entry, NOTE] % BOUNDS // HORIZON


def settles(table, entry, depth, low, high):
    """Whether the entry knows all that a search of this depth and window wants to know."""
    if depth_of(table, entry) != depth:
        return False
    bound = table[entry, NOTE] % HORIZON
    value = table[entry, VALUE]
    return bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low)


def store(table, key, age, depth, bound, value, action):
    """Writes an entry: over what is known of the same position, or of another age, or of less depth."""
    entry = key & (table.shape[0] - 2)
    old = table[entry, NOTE]
    if table[entry, KEY] != key and old // (BOUNDS * LEVELS) == age and depth_of(table, entry) > depth:
        entry += 1
    table[entry, KEY] = key
    table[entry, VALUE] = value
    table[entry, ACTION] = action
    table[entry, NOTE] = (age * LEVELS + depth) * BOUNDS + bound

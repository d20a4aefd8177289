"""Bit tricks on 64-bit words, as plain Python; each target replaces them by its own instructions.

A word is a signed 64-bit number everywhere, also here, where Python's integers have no end:
`wrap` brings a result back into range. Bit 63 is the sign.
"""

ALL = (1 << 64) - 1
SIGN = 1 << 63


def wrap(x):
    """The signed 64-bit word with the lowest 64 bits of `x`."""
    return ((int(x) + SIGN) & ALL) - SIGN


def narrow(x):
    """`x`, which must be from 0 to 2^32 - 1: a word of half the size, with which a GPU computes twice as fast."""
    return int(x)


def shift_left(x, n):
    """`x` moved up by 0 ≤ n < 64 bits; what leaves the word is lost."""
    return wrap(int(x) << int(n))


def shift_right(x, n):
    """`x` moved down by 0 ≤ n < 64 bits, zeros coming in from above (also for negative words)."""
    return wrap((int(x) & ALL) >> int(n))


def count(x):
    """How many bits of `x` are set."""
    return (int(x) & ALL).bit_count()


def lowest(x):
    """The number of the lowest set bit of `x`, which must not be 0."""
    x = int(x)
    return (x & -x).bit_length() - 1


def without_lowest(x):
    """`x` without its lowest set bit; 0 stays 0."""
    x = int(x)
    return wrap(x & (x - 1))


def highest(x):
    """The number of the highest set bit of `x`, which must not be 0."""
    return (int(x) & ALL).bit_length() - 1


def reverse(x):
    """`x` with its 64 bits in opposite order."""
    return wrap(int(f"{int(x) & ALL:064b}"[::-1], 2))

"""The words of a position in kernels: copied, and mixed into one key."""

from spielwerk.games.rules import WORDS
from spielwerk.kernel.bits import shift_right, wrap

ODD, OTHER_ODD = -7046029254386353131, -4658895280553007687  # multipliers that scatter bits


def copy_state(state, out):
    """Writes the words of a position into another."""
    for word in range(WORDS):
        out[word] = state[word]


def key_of(state):
    """64 bits that tell positions apart: every word is mixed into all of them."""
    key = ODD
    for word in range(WORDS):
        key = scattered(key ^ state[word], ODD)
    return scattered(key, OTHER_ODD)


def scattered(x, odd):
    """Different words stay different, and those that are alike come apart."""
    x = wrap(int(x) * odd)
    return x ^ shift_right(x, 32)

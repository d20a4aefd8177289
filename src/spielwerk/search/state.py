"""Positions in kernels."""

from spielwerk.games.rules import WORDS


def copy_state(state, out):
    """Writes the words of a position into another."""
    for word in range(WORDS):
        out[word] = state[word]

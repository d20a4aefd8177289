"""The random stream: one uint64 word a stream, stepped by xorshift inside kernels.

Streams are keyed by a seed, a purpose (such as the game's name) and a number, so that any game of
any match can be played again alone, and dice can be mirrored between seats.
"""

from __future__ import annotations

import hashlib

import numpy as np

# Typed, because a kernel computes uint64 with a plain literal as int64.
UP, DOWN, UP_AGAIN, HALF = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)
GOLDEN = 0x9E3779B97F4A7C15
FINE = 1 << 30  # how finely a fraction is drawn


def next_word(rng):
    """Steps the stream `rng` and returns its next 64 random bits."""
    word = rng[0]
    word ^= word << UP
    word ^= word >> DOWN
    word ^= word << UP_AGAIN
    rng[0] = word
    return word


def below(rng, n):
    """A random number from 0 to n - 1, for 1 ≤ n < 2³¹."""
    return (np.int64(next_word(rng) >> HALF) * n) >> 32


def fraction(rng):
    """A random number from 0 to less than 1."""
    return below(rng, FINE) / FINE


def streams(seed: int, purpose: str, count: int, first: int = 0) -> np.ndarray:
    """The streams number `first` to `first + count - 1` of `seed` and `purpose`; uint64 [count, 1]."""
    key = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    base = np.frombuffer(key[:8], np.uint64)
    number = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    return _splitmix(base + number * np.uint64(GOLDEN)).reshape(-1, 1)


def stream(seed: int, purpose: str, number: int = 0) -> np.ndarray:
    """One such stream; uint64 [1]."""
    return streams(seed, purpose, 1, number)[0]


def _splitmix(x: np.ndarray) -> np.ndarray:
    """Scatters neighbouring numbers; xorshift needs words that differ in many bits, and never 0."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return np.where(x == 0, np.uint64(GOLDEN), x)

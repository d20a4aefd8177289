"""A row kernel that plays a random game and folds every action, roll and word of it into one number.

`python tests/played.py TARGET GAMES NAME…` prints the numbers as JSON: two targets that print the same have
played the same games.
"""

from __future__ import annotations

import json
import sys

import numpy as np

import spielwerk as sw
from spielwerk.games.rules import CHANCE, OVER, PLAYERS, WORDS, mover, play, roll, scores, start
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_action, random_outcome

PRIME = 2147483647


def trace(i, state, actions, weights, results, arrays):
    """Row kernel: `folded[i]` becomes the number of the game on stream `rngs[i]`."""
    rngs, folded = arrays  # [n, 1], [n]
    start(state, rngs[i])
    number = 1
    who = mover(state)
    while who != OVER:
        if who == CHANCE:
            step = random_outcome(state, rngs[i], actions, weights)
            roll(state, step)
        else:
            step = random_action(state, rngs[i], actions)
            play(state, step)
        number = (number * 48271 + step) % PRIME
        for word in range(WORDS):
            number = (number * 69621 + (state[word] & PRIME)) % PRIME
        who = mover(state)
    scores(state, results)
    for player in range(PLAYERS):
        number = (number * 48271 + int(results[player] * 64) + 999) % PRIME
    folded[i] = number


def traces(name: str, target: str, games: int) -> list[int]:
    """The numbers of the first random games of a variant."""
    game = sw.game(name)
    folded = np.zeros(games, np.int64)
    game.rows(trace, target)(games, streams(1, game.name, games), folded)
    return folded.tolist()


if __name__ == "__main__":
    print(json.dumps({name: traces(name, sys.argv[1], int(sys.argv[2])) for name in sys.argv[3:]}))

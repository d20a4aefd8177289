"""Competition: who meets whom, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.kernel.random import below, streams
from spielwerk.learn.evolution.breeding.population import Stage
from spielwerk.learn.evolution.exams import games
from spielwerk.learn.evolution.genome.outputs import Scratch


@dataclass(frozen=True)
class Outcome:
    """What pairings gave: for each its wins of both sides, turns and games (see `games.py`)."""

    pairs: np.ndarray  # [n, 2]
    given: np.ndarray  # [n, games.GIVEN]

    def points(self, count: int) -> np.ndarray:
        """The share of its games that each of the first `count` genomes has won; 0 for those without any."""
        won, played = np.zeros(count), np.zeros(count)
        for rows, column in zip(self.pairs.T, (games.FIRST, games.SECOND), strict=True):
            won += np.bincount(rows, self.given[:, column], count)[:count]
            played += np.bincount(rows, self.given[:, games.GAMES], count)[:count]
        return won / np.maximum(played, 1)

    @property
    def turns(self) -> float:
        """Of a game, on average."""
        return float(self.given[:, games.TURNS].sum() / max(self.given[:, games.GAMES].sum(), 1))


def circle(count: int, distances: int, rng: np.ndarray) -> np.ndarray:
    """Circular pairing: everybody meets who sits at each of so many distances, drawn without repetition; [n, 2]."""
    possible = list(range(1, count // 2 + 1))
    chosen = np.array([possible.pop(int(below(rng, len(possible)))) for _ in range(distances)])
    first = np.tile(np.arange(count), distances)
    pairs = np.column_stack((first, (first + np.repeat(chosen, count)) % count))
    opposite = np.repeat(2 * chosen == count, count)
    return pairs[~opposite | (first < count // 2)]  # nobody meets anybody twice


def meet(stage: Stage, pairs: np.ndarray, key: tuple[int, str], scratch: Scratch, threads: int = 1) -> Outcome:
    """Plays every pairing from each seat; `key` names the random streams."""
    given = np.zeros((len(pairs), games.GIVEN))
    words, rngs = streams(*key, len(pairs)), np.zeros((blocks(len(pairs)), 1), np.uint64)
    rows = stage.game.rows(games.meetings, threads=threads, **stage.blueprint.bindings)
    met = games.Meetings(pairs, words, rngs, given, np.zeros(0, np.int64))
    rows(blocks(len(pairs)), met, stage.blueprint.longest, stage.networks, scratch)
    return Outcome(pairs, given)


def blocks(pairs: int) -> int:
    """The rows of scratch space that so many pairings need."""
    return -(-pairs // games.BLOCK)

"""The number of a side's position in bearing off, when all its checkers are on its points 1 to 6.

With s(p) checkers on point p or beyond, the rank is the sum of C(s(p) + 6 - p, 7 - p) over the six points: first by how
many checkers are left, then by how many are beyond the first point, and so on. So every play leads to a smaller rank,
rank 0 has nothing left, and the positions of at most n checkers are the first C(n + 6, 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from spielwerk.games.backgammon import PLANES, checkers_on

POINTS = 6
MOST = 15  # checkers of a side
WAYS = np.array([[comb(s + 5 - place, 6 - place) for s in range(MOST + 1)] for place in range(POINTS)], np.int32)


def rank_of(state, planes):
    """The rank of the side with these planes."""
    rank = 0
    beyond = 0
    for place in range(POINTS - 1, -1, -1):
        beyond += checkers_on(state, planes, place)
        rank += WAYS[place, beyond]
    return rank


@dataclass(frozen=True)
class BearOffIndex:
    """The positions of a side with at most so many checkers, by rank."""

    checkers: np.ndarray  # [ranks, POINTS]: on the points 1 to 6
    boards: np.ndarray  # [ranks, PLANES]: the words of the rules
    pips: np.ndarray  # [ranks]: how far it is in all
    order: np.ndarray  # the ranks sorted by pips
    begins: np.ndarray  # [most pips + 2]: where each number of pips begins in `order`

    def __len__(self) -> int:
        return len(self.checkers)

    @property
    def most_pips(self) -> int:
        """The longest way."""
        return len(self.begins) - 2

    def rank(self, *points: int) -> int:
        """The rank of a position with one checker on each of the points given."""
        beyond = [sum(point > place for point in points) for place in range(POINTS)]
        return sum(int(WAYS[place, s]) for place, s in enumerate(beyond))


def build(most: int) -> BearOffIndex:
    """All positions with at most `most` checkers."""
    chosen = np.array(list(combinations(range(most + POINTS), POINTS)), np.int64)
    beyond = chosen[np.lexsort(chosen.T)] - np.arange(POINTS)  # on point 6, on 5 and beyond, …
    checkers = np.diff(beyond, axis=1, prepend=0)[:, ::-1]
    places = 1 << np.arange(POINTS)
    boards = np.stack([(checkers >> digit & 1) @ places for digit in range(PLANES)], axis=1)
    pips = checkers @ np.arange(1, POINTS + 1)
    order = np.argsort(pips, kind="stable")
    begins = np.searchsorted(pips[order], np.arange(int(pips.max()) + 2))
    return BearOffIndex(checkers, boards, pips, order, begins)

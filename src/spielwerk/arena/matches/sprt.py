"""The sequential test: a match that stops as soon as the question it was played for is answered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spielwerk.names import BadInput

Verdict = Literal["H0", "H1"]

ERROR = 0.05  # the share of wrong verdicts of either kind
BOUND = math.log((1 - ERROR) / ERROR)
LARGEST = 1000.0  # Elo
UNSEEN = 3.0  # groups of the largest possible variance that count as seen before the first one


@dataclass(frozen=True)
class Sprt:
    """Wald's test between "the first agent is `elo0` better" (H0) and "it is `elo1` better" (H1), 5 % errors each.

    Elo here is that of the rate: a rate of r is 400·log10(r / (1 - r)). Draws and games that share dice are accounted
    for: the likelihoods are those of the groups' mean points, as normals with the variance seen so far.
    """

    elo0: float
    elo1: float
    others: int = 1  # the number of teams that the second agent plays

    def __post_init__(self) -> None:
        if not -LARGEST <= self.elo0 < self.elo1 <= LARGEST:
            raise BadInput(
                f"A sequential test takes two Elo differences, the smaller first, within ±{LARGEST:.0f}: "
                f"not {self.elo0:g} and {self.elo1:g}."
            )

    @classmethod
    def parse(cls, text: str, others: int = 1) -> Sprt:
        """The test that "0,20" writes."""
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise BadInput(f'"{text}" is not a sequential test: write two Elo differences, such as 0,20.') from None
        return cls(elo0, elo1, others)

    def stop(self, gains: np.ndarray, groups: np.ndarray) -> tuple[Verdict | None, int]:
        """The verdict and the number of games it took: the first whole group at which it was plain.

        `gains` [2, n] and `groups` [n] are those of games 0 to n - 1. More games later never change a verdict.
        """
        evidence = self.evidence(gains, groups) if len(groups) else np.zeros(0)
        plain = np.flatnonzero(np.abs(evidence) >= BOUND)
        if not len(plain):
            return None, len(groups)
        used = int(np.searchsorted(groups, groups[0] + plain[0], side="right"))
        return ("H1" if evidence[plain[0]] > 0 else "H0"), used

    def evidence(self, gains: np.ndarray, groups: np.ndarray) -> np.ndarray:
        """The logarithm of the ratio of likelihoods after each whole group."""
        numbers = groups - groups[0]
        sizes = np.bincount(numbers)
        means = (np.bincount(numbers, gains[1]) / sizes)[sizes == sizes.max()]
        count = np.arange(1, len(means) + 1)
        mean = np.cumsum(means) / count
        squares = np.maximum(np.cumsum(means**2) - count * mean**2, 0.0)
        variance = (squares + UNSEEN / 4) / (count + UNSEEN)
        low, high = self.rate(self.elo0), self.rate(self.elo1)
        return count * (high - low) * (mean - (low + high) / 2) / variance

    def rate(self, elo: float) -> float:
        """The rate that an agent so much better has."""
        return 1 / (1 + self.others * 10 ** (-elo / 400))

    def words(self, verdict: Verdict | None) -> str:
        """What a verdict says, for people."""
        if verdict is None:
            return f"The test between {self.elo0:g} and {self.elo1:g} Elo is undecided."
        taken, left = (self.elo1, self.elo0) if verdict == "H1" else (self.elo0, self.elo1)
        return f"The test decides for {taken:g} Elo, not {left:g} Elo, as the first agent's advantage (5 % errors)."

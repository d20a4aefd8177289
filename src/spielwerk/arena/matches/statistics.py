"""The figures of a match: rate and mean score with 95 % intervals that know which games belong together."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

Interval = tuple[float, float]

NORMAL = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)  # and of Student's: 1 to 9
LEAST_EFFECT = 0.25  # a quarter of the binomial variance: below it lies chance or a fixed pairing, not knowledge


@dataclass(frozen=True)
class Summary:
    """A match from the first agent's side. `rate` is wins and half the draws over games, `score` the mean score."""

    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    rate_interval: Interval
    score: float
    score_interval: Interval

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


def summary(gains: np.ndarray, groups: np.ndarray) -> Summary:
    """The figures of games with the first agent's `gains` [2, n] (see `arena/playing/plan.py`) and their `groups` [n].

    Games of a group share their dice, so that only groups are independent of each other. Groups are numbered from 0.
    """
    scores, points = gains
    clusters = _Clusters(groups)
    rates = _rate_interval(points, clusters)
    return Summary(
        games=len(points),
        wins=int(np.count_nonzero(points == 1)),
        draws=int(np.count_nonzero(points == 0.5)),
        losses=int(np.count_nonzero(points == 0)),
        rate=float(points.mean()),
        rate_interval=rates,
        score=float(scores.mean()),
        score_interval=_score_interval(scores, points, clusters, rates),
    )


def rate_interval(points: np.ndarray, groups: np.ndarray) -> Interval:
    """Wilson's interval of the mean of `points` (1, ½, 0), for as many games as the groups are worth.

    Their worth is n over the design effect: the variance between groups over that of n independent games won or lost.
    """
    return _rate_interval(points, _Clusters(groups))


def mean_interval(values: np.ndarray, groups: np.ndarray) -> Interval:
    """Student's interval of the mean of any values."""
    clusters, mean = _Clusters(groups), float(values.mean())
    half = student(clusters.count - 1) * clusters.error(values)
    return mean - half, mean + half


def student(freedom: int) -> float:
    """Within how many standard errors 95 % lie, when the error is itself estimated with so many degrees of freedom."""
    if freedom <= len(STUDENT):
        return STUDENT[max(freedom, 1) - 1]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class _Clusters:
    """Which games belong together. Nothing is sorted: a match asks for its figures after every block of games."""

    def __init__(self, groups: np.ndarray) -> None:
        self.groups = groups
        self.sizes = np.bincount(groups)  # 0 where a group has not been played
        self.count = int(np.count_nonzero(self.sizes))

    def error(self, values: np.ndarray) -> float:
        """The standard error of the mean of `values`, of which only groups are independent; one group tells nothing."""
        if self.count < 2:
            return float(values.std())
        off = np.bincount(self.groups, values) - values.mean() * self.sizes
        return math.sqrt(float((off**2).sum()) * self.count / (self.count - 1)) / len(values)


def _rate_interval(points: np.ndarray, clusters: _Clusters) -> Interval:
    n, rate = len(points), float(points.mean())
    alone = rate * (1 - rate) / n
    effect = clusters.error(points) ** 2 / alone if alone > 0 else 1.0
    worth = n / min(max(effect, LEAST_EFFECT), float(clusters.sizes.max()))
    squared = student(clusters.count - 1) ** 2 / worth
    centre = (rate + squared / 2) / (1 + squared)
    half = math.sqrt(squared * (rate * (1 - rate) + squared / 4)) / (1 + squared)
    return min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half))


def _score_interval(scores: np.ndarray, points: np.ndarray, clusters: _Clusters, rates: Interval) -> Interval:
    """The interval of the mean score: what follows from the rate's, and what the rate does not explain, as a normal.

    Where a game scores 1 or -1 it is the rate's interval on that scale. Where every game ended the same way, a game
    that ended the other way is taken to score the opposite.
    """
    score, rate = float(scores.mean()), float(points.mean())
    varies = float(points.var())
    slope = (float((scores * points).mean()) - score * rate) / varies if varies else 2 * (abs(score) or 1.0)
    rest = student(clusters.count - 1) * clusters.error(scores - slope * points)
    low, high = (math.hypot(slope * (rate - end), rest) for end in rates)
    return score - low, score + high

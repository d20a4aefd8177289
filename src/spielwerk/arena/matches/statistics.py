"""The figures of a match: rate and mean score with 95 % intervals that know which games belong together."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
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
    totals = Totals()
    totals.count(gains)
    totals.join(*(np.bincount(groups, one) for one in (*gains, np.ones(len(groups)))))
    return totals.summary()


class Totals:
    """The sums from which the figures of a match follow, so that a match of any length takes no memory.

    `add` takes games in any order, each once, `ways` of which in a row are a group.
    """

    def __init__(self, ways: int = 1) -> None:
        self.ways = ways
        self.results = np.zeros(3, np.int64)  # games lost, drawn, won
        self.sums = np.zeros(2)  # of scores and points
        self.squares = np.zeros((2, 2))  # of their products, game by game
        self.groups, self.largest = 0, 0.0  # how many, and the most games of one
        self.grouped = np.zeros((3, 3))  # of the products of scores, points and games of whole groups
        self.open: dict[int, np.ndarray] = {}  # scores, points and games of groups that are not whole

    def add(self, first: int, gains: np.ndarray) -> None:
        """Takes the games from number `first` on, with the first agent's `gains` [2, n]."""
        self.count(gains)
        numbers = np.arange(first, first + gains.shape[1]) // self.ways
        local = numbers - numbers[0]
        sums = np.stack([np.bincount(local, one) for one in (*gains, np.ones(len(local)))])  # [3, groups]
        self.join(*sums[:, sums[2] == self.ways])
        for place in np.flatnonzero(sums[2] < self.ways).tolist():
            number = int(numbers[0]) + place
            both = self.open.pop(number, 0.0) + sums[:, place]
            if both[2] == self.ways:
                self.join(*both[:, None])
            else:
                self.open[number] = both

    def count(self, gains: np.ndarray) -> None:
        """Counts games one by one."""
        self.results += np.bincount((2 * gains[1]).astype(np.int64), minlength=3)
        self.sums += gains.sum(axis=1)
        self.squares += gains @ gains.T

    def join(self, scores: np.ndarray, points: np.ndarray, games: np.ndarray) -> None:
        """Counts groups, each by its sums and its games; one without games has not been played."""
        sums = np.stack([scores, points, games])
        self.groups += int(np.count_nonzero(games))
        self.largest = max(self.largest, float(games.max(initial=0)))
        self.grouped += sums @ sums.T

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self.results.sum())

    @property
    def rate(self) -> float:
        """The points a game."""
        return float(self.sums[1]) / self.games

    @property
    def score(self) -> float:
        """The mean score."""
        return float(self.sums[0]) / self.games

    def summary(self) -> Summary:
        """The figures."""
        whole = self
        if self.open:
            whole = copy.deepcopy(self)
            whole.join(*np.stack(list(self.open.values()), axis=1))
        lost, drawn, won = whole.results.tolist()
        rates = _wilson(whole.games, whole.rate, whole.groups, whole.largest, whole.error(0, 1))
        scores = whole.score_interval(rates)
        return Summary(whole.games, won, drawn, lost, whole.rate, rates, whole.score, scores)

    def error(self, score: float, point: float) -> float:
        """The standard error of the mean of so many times the score and so many times the points, added."""
        weights, n = (Fraction(score), Fraction(point)), self.games
        scores, points = map(Fraction, self.sums.tolist())
        mean = (weights[0] * scores + weights[1] * points) / n
        if self.groups < 2:  # one group tells nothing
            return math.sqrt(_form(weights, self.squares) / n - mean**2)
        off = _form((*weights, -mean), self.grouped)
        return math.sqrt(max(off, 0) * self.groups / (self.groups - 1)) / n

    def score_interval(self, rates: Interval) -> Interval:
        """The interval of the mean score: by that of the rate, and what the rate does not explain, as a normal.

        Where a game scores 1 or -1 it is the rate's interval on that scale. Where every game ended the same way, a game
        that ended the other way is taken to score the opposite.
        """
        n, score, rate = self.games, self.score, self.rate
        varies = float(self.squares[1, 1]) / n - rate**2 if np.count_nonzero(self.results) > 1 else 0.0
        slope = (float(self.squares[0, 1]) / n - score * rate) / varies if varies else 2 * (abs(score) or 1.0)
        rest = student(self.groups - 1) * self.error(1, -slope)
        low, high = (math.hypot(slope * (rate - end), rest) for end in rates)
        return score - low, score + high


def _form(weights: Sequence[Fraction], matrix: np.ndarray) -> Fraction:
    """The quadratic form, exactly: in floats, what is 0 would not be."""
    return sum(
        (
            one * other * Fraction(value)
            for one, row in zip(weights, matrix.tolist(), strict=True)
            for other, value in zip(weights, row, strict=True)
        ),
        Fraction(0),
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
    rate = float(points.mean())
    return _wilson(len(points), rate, clusters.count, float(clusters.sizes.max()), clusters.error(points))


def _wilson(n: int, rate: float, groups: int, largest: float, error: float) -> Interval:
    """Wilson's interval for as many games as the groups are worth."""
    alone = rate * (1 - rate) / n
    effect = error**2 / alone if alone > 0 else 1.0
    worth = n / min(max(effect, LEAST_EFFECT), largest)
    squared = student(groups - 1) ** 2 / worth
    centre = (rate + squared / 2) / (1 + squared)
    half = math.sqrt(squared * (rate * (1 - rate) + squared / 4)) / (1 + squared)
    return min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half))

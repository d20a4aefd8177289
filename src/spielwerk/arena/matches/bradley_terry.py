"""Bradley and Terry's model, in which a draw is half a win and half a loss, fitted to the totals of pairs.

An agent of strength s against one of strength t is expected to make s / (s + t) points a game: 1 for a win, ½ for a
draw. Where the second agent plays m teams at once, its t counts m times. Nothing is said about how many games are
drawn (a quasi-likelihood): the strengths are those at which every agent's expected points are the points it made, and
the covariance is robust (the sandwich), taken from how far games did end from what was expected of them. Between
equals a draw is just what was expected, so draws narrow it.

The prior is weak, and keeps the strength of an agent that won every game finite. Each agent shares out one game, as
even as between equals, among the pairs it is in, and a pair counts the larger one of its two shares. So an agent that
met one opponent has half a win and half a loss added, whoever else that opponent met, and one that met many has hardly
more. The added games count in the covariance too: without them, whoever won every game would seem to be sure to.
"""

from __future__ import annotations

import numpy as np

POINTS = np.array([1.0, 0.5, 0.0])  # of a win, a draw and a loss
STEPS = 200  # far more than Newton's method takes
CLOSE = 1e-9  # the largest change of a log strength that ends it


class BradleyTerry:
    """The quasi-likelihood of log strengths, prior included. Its logarithm is concave: there is one summit."""

    def __init__(self, pairs: np.ndarray, counts: np.ndarray, others: np.ndarray) -> None:
        """`pairs` [p, 2]: numbers of agents; `counts` [p, 3]: wins, draws, losses; `others` [p]: the second's teams."""
        self.first, self.second = pairs.T
        self.agents = int(pairs.max()) + 1
        self.handicap = np.log(others)
        added = (1 / np.bincount(pairs.ravel()))[pairs].max(axis=1)
        even = np.stack([np.ones_like(others), np.zeros_like(others), others], axis=1) / (1 + others)[:, None]
        self.counts = counts + added[:, None] * even
        self.points = self.counts @ POINTS  # of the first agent
        self.missed = self.counts @ POINTS[::-1]

    def fit(self) -> tuple[np.ndarray, np.ndarray]:
        """The log strengths [n] at the summit, the first of them 0, and their covariance [n, n]."""
        at = np.zeros(self.agents)
        for _ in range(STEPS):
            step = self._step(at)
            at = at + step
            if np.abs(step).max() < CLOSE:
                break
        return at, self._covariance(at)

    def _step(self, at: np.ndarray) -> np.ndarray:
        """The next step of Newton's method, so much shorter that it always leads up.

        Where no difference of a pair changes by more than b, no second derivative changes by more than a factor of
        exp(b). For that a step that is b long is safe at log(1 + b).
        """
        points, missed = np.exp(self._logs(at))
        surplus, n = self.points * missed - self.missed * points, self.agents
        slope = np.bincount(self.first, surplus, n) - np.bincount(self.second, surplus, n)
        step = np.append(0.0, np.linalg.solve(self._information(at)[1:, 1:], slope[1:]))
        long = np.abs(step[self.first] - step[self.second]).max()
        return step * (np.log1p(long) / long if long > 0 else 1.0)

    def _covariance(self, at: np.ndarray) -> np.ndarray:
        """The sandwich: what games varied by, between two inverses of what they tell."""
        off = POINTS - np.exp(self._logs(at)[0])[:, None]
        bread = np.linalg.inv(self._information(at)[1:, 1:])
        filling = self._spread((self.counts * off**2).sum(axis=1))[1:, 1:]
        return np.pad(bread @ filling @ bread, ((1, 0), (1, 0)))

    def _information(self, at: np.ndarray) -> np.ndarray:
        """The second derivatives of the log quasi-likelihood, negative; [n, n]."""
        return self._spread(self.counts.sum(axis=1) * np.exp(self._logs(at).sum(axis=0)))

    def _logs(self, at: np.ndarray) -> np.ndarray:
        """The logarithms of the points that the first agent is expected to make, and to miss; [2, p]."""
        ahead = at[self.first] - at[self.second] - self.handicap
        return -np.logaddexp(0.0, np.stack([-ahead, ahead]))

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """The matrix of the quadratic form Σ value · (first − second)² over pairs; [n, n]."""
        n = self.agents
        met = np.bincount(self.first * n + self.second, values, n * n).reshape(n, n)
        met += met.T
        return np.diag(met.sum(axis=0)) - met

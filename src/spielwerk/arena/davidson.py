"""Davidson's model of games with draws, fitted to the totals of pairs.

An agent of strength s against one of strength t wins, draws and loses in the proportions s, ν·√(s·t) and t, with one ν
for all pairs; without draws that is Bradley and Terry's model. Where the second agent plays m teams at once, its t
counts m times. The prior is weak, and keeps the strength of an agent that won every game finite: each agent adds half
a game, shared out among the pairs it is in, that was as even as games between equals are.
"""

from __future__ import annotations

import numpy as np

PRIOR = 0.5  # games that each agent adds
STEPS = 200  # far more than Newton's method takes
CLOSE = 1e-10  # the largest change of a log strength that ends it


class Davidson:
    """The posterior over log strengths and, last, log ν. Its logarithm is concave: there is one summit."""

    def __init__(self, pairs: np.ndarray, counts: np.ndarray, others: np.ndarray) -> None:
        """`pairs` [p, 2]: numbers of agents; `counts` [p, 3]: wins, draws, losses; `others` [p]: the second's teams."""
        self.first, self.second = pairs.T
        self.agents = int(pairs.max()) + 1
        self.handicap = np.log(others)
        added = PRIOR * (1 / np.bincount(pairs.ravel())[pairs]).sum(axis=1)
        even = np.stack([np.ones_like(others), np.zeros_like(others), others], axis=1) / (1 + others)[:, None]
        self.counts = counts + added[:, None] * even
        drawn = bool(counts[:, 1].any())
        self.start = np.append(np.zeros(self.agents), 0.0 if drawn else -np.inf)
        self.free = slice(1, self.agents + drawn)  # the first strength stays; so does ν = 0, where nothing was drawn

    def fit(self) -> tuple[np.ndarray, np.ndarray]:
        """The log strengths [n] at the summit, the first of them 0, and their covariance [n, n]: Newton's method."""
        at = self.start
        for _ in range(STEPS):
            slope, information = self._derivatives(at)
            step = np.zeros_like(at)
            step[self.free] = np.linalg.solve(information[self.free, self.free], slope[self.free])
            at = self._uphill(at, step)
            if np.abs(step).max() < CLOSE:
                break
        covariance = np.zeros((self.agents + 1, self.agents + 1))
        covariance[self.free, self.free] = np.linalg.inv(self._derivatives(at)[1][self.free, self.free])
        return at[:-1], covariance[:-1, :-1]

    def _uphill(self, at: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Where the step leads, or a part of it where the whole would lead down."""
        least = self._height(at) * (1 + CLOSE)  # a height is never above 0
        while self._height(at + step) < least and np.abs(step).max() > CLOSE:
            step = step / 2
        return at + step

    def _height(self, at: np.ndarray) -> float:
        """The logarithm of the posterior, but for a constant."""
        return float((self.counts * np.where(self.counts > 0, self._logs(at), 0.0)).sum())

    def _logs(self, at: np.ndarray) -> np.ndarray:
        """The logarithms of the probabilities of win, draw and loss; [p, 3]."""
        ahead = (at[self.first] - at[self.second] - self.handicap) / 2
        weights = np.stack([ahead, np.full_like(ahead, at[-1]), -ahead], axis=1)
        return weights - np.logaddexp.reduce(weights, axis=1, keepdims=True)

    def _derivatives(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the height, and the Fisher information: its second derivatives, negative."""
        win, draw, loss = np.exp(self._logs(at)).T
        games, lead = self.counts.sum(axis=1), win - loss
        slope = np.append(
            self._spread(self.counts[:, 0] - self.counts[:, 2] - games * lead), (self.counts[:, 1] - games * draw).sum()
        )
        n = self.agents
        met = np.bincount(self.first * n + self.second, games * (win + loss - lead**2) / 4, n * n).reshape(n, n)
        met += met.T
        information = np.zeros((n + 1, n + 1))
        information[:n, :n] = np.diag(met.sum(axis=0)) - met
        information[n, :n] = information[:n, n] = -self._spread(games * lead * draw)
        information[n, n] = (games * draw * (1 - draw)).sum()
        return slope, information

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """Sums over pairs: half of each value for the first agent, and against the second; [n]."""
        n = self.agents
        return (np.bincount(self.first, values, n) - np.bincount(self.second, values, n)) / 2

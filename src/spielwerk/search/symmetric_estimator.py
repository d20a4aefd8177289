"""SymmetricEstimator: asks another estimator about every position in all its symmetries, and takes the mean.

A network learns symmetries only roughly. What it says of a position and of the same position mirrored differs, and the
mean is better than either; it costs as many looks as the game has symmetries.
"""

from __future__ import annotations

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimate, Estimator, asked, asked_priors, on_host

SYMMETRIC_HELP = "whether each position is also seen in all its symmetries, and the mean is taken"


class SymmetricEstimator(Estimator):
    """The mean of what another says of all symmetric positions: of values and chances, and of the policies' logits."""

    def __init__(self, other: Estimator) -> None:
        super().__init__(other.game)
        self.other, self.count = other, other.game.constants["SYMMETRIES"]
        if self.count == 1:
            raise BadInput(f"{other.game.kind} has no symmetries over which to take a mean.")
        self.name, self.has_priors, self.apart, self.chances = other.name, other.has_priors, other.apart, other.chances
        self.places = turned_actions(other.game)

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, and logits or priors where the other gives them."""
        turned = self._turned(batch)
        if not self.apart:
            found = asked(self.other, turned)
            logits = None if found.logits is None else self._back(np.asarray(found.logits))
            return Estimate(self._mean(found.values), None, self._mean_or_none(found.chances), logits)
        legal, found = asked_priors(self.other, turned)
        dense = np.zeros((len(turned), self.places.shape[1]), np.float32)
        dense[legal.owners, legal.values] = found.priors
        own = batch.actions()
        priors = self._back(dense)[own.owners, own.values]
        return Estimate(self._mean(found.values), priors, self._mean_or_none(found.chances))

    @on_host
    def value(self, batch: Batch) -> Estimate:
        """Values by seat alone."""
        return Estimate(self._mean(asked(self.other, self._turned(batch), priors=False).values))

    def ready(self) -> None:
        """Makes the other ready."""
        self.other.ready()

    def _turned(self, batch: Batch) -> Batch:
        """All boards in one symmetry after the other."""
        boards = batch.sibling(np.tile(batch.states, (self.count, 1)))
        return boards.turned(np.repeat(np.arange(self.count), len(batch)))

    def _back(self, policies: np.ndarray) -> np.ndarray:
        """The mean of rows over action numbers, each action where it stands on the board as it is: [n, ACTIONS]."""
        by_symmetry = policies.reshape(self.count, -1, policies.shape[1])
        total = np.zeros(by_symmetry.shape[1:], np.float32)
        for rows, places in zip(by_symmetry, self.places, strict=True):
            total += rows[:, places]
        return total / np.float32(self.count)

    def _mean(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(rows).reshape(self.count, -1, rows.shape[1]).mean(axis=0)

    def _mean_or_none(self, rows: np.ndarray | None) -> np.ndarray | None:
        return None if rows is None else self._mean(rows)


def symmetric_if(wanted: bool, other: Estimator) -> Estimator:
    """The mean over all symmetries, if that is wanted, or the other itself."""
    return SymmetricEstimator(other) if wanted else other


def turned_actions(game: Game) -> np.ndarray:
    """The number of each action on the board that is turned by each symmetry: [SYMMETRIES, ACTIONS]."""
    actions = np.arange(game.constants["ACTIONS"])
    boards = game.batch([game.start()] * len(actions), threads=1)
    return np.stack([boards.turned_actions(k, actions) for k in range(game.constants["SYMMETRIES"])])

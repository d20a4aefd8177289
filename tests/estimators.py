"""Estimators for tests: values and priors that depend on nothing but the position, and mean nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.evaluation import evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search.estimate import estimate
from spielwerk.search.estimator import Estimate, Estimator


class HashEstimator(Estimator):
    """Values between the lowest and the highest score, and with `priors` a softmax of anything."""

    name = "hash"

    def __init__(self, game: Game, priors: bool, apart: bool = False) -> None:
        super().__init__(game)
        self.has_priors, self.apart, self.recordable = priors, apart, apart
        self.batches: list[int] = []  # how many positions were asked about at a time
        self.valued = 0  # how many were valued alone

    def of(self, position: Position) -> tuple[Sequence[float], Sequence[float] | None]:
        """What it says of one position."""
        values = position.scores
        if values is None:
            teams = self.game.constants["TEAM"]
            shares = [fraction(position, "value", team) for team in range(max(teams) + 1)]
            values = [(shares[team] - np.mean(shares)) * self.game.constants["BEST"] for team in teams]
        if not self.has_priors:
            return values, None
        logits = np.array([3 * fraction(position, "prior", action) for action in position.actions()])
        return values, (np.exp(logits) / np.exp(logits).sum()).astype(np.float32).tolist()

    def estimate(self, batch: Batch) -> Estimate:
        """See `Estimator`."""
        self.batches.append(len(batch))
        found = [self.of(position) for position in batch.positions()]
        values = batch.arrays.array(np.array([values for values, _ in found]), "float64")
        if not self.has_priors:
            return Estimate(values)
        priors = np.array([prior for _, of_one in found for prior in of_one or ()])
        return Estimate(values, batch.arrays.array(priors, "float32"))

    def value(self, batch: Batch) -> Estimate:
        """See `Estimator`."""
        self.valued += len(batch)
        values = np.array([self.of(position)[0] for position in batch.positions()])
        return Estimate(batch.arrays.array(values, "float64"))


class EvaluationEstimator(Estimator):
    """The game's usual evaluation, asked position by position (it must be one that notes nothing before a decision)."""

    def estimate(self, batch: Batch) -> Estimate:
        """See `Estimator`."""
        used, values = evaluation(self.game), np.zeros((len(batch), self.game.players))
        for i, position in enumerate(batch.positions()):
            self.game.kernel(estimate, **used.bindings, SIDES=self.game.sides)(position.state, values[i], used.data)
        return Estimate(values)


def fraction(position: Position, what: str, number: int) -> float:
    """A number from 0 to less than 1."""
    digest = hashlib.sha256(f"{position.words} {what} {number}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32

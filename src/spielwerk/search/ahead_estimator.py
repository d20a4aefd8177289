"""AheadEstimator: asks another estimator also about the ends of all turns, one turn ahead of each position.

A network sees one position at a time. What it says of the positions that follow corrects both of its heads: the policy
is moved towards turns that end well, and the value towards that of the best end. That makes of a simulation a look at
one position and all that follow; it costs as many looks as there are turns.
"""

from __future__ import annotations

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimate, Estimator, asked, asked_priors, on_host
from spielwerk.search.turn_priors import of_scores

AHEAD_HELP = "whether each position is also judged by the ends of all its turns"
# What played best with 400 simulations in the first 1,000 public decisions of morris, of six settings.
SHARPNESS = 5.0  # by which the highest score raises the logarithm of a turn's probability
KEPT_POLICY = 0.7  # power of the other's policy
LEAST_POLICY = 1e-9  # so that a turn that ends well is never impossible
KEPT_VALUE = 0.5  # share of the other's value


class AheadEstimator(Estimator):
    """What another estimator says of positions, corrected by what it says of the ends of their turns."""

    has_priors = True

    def __init__(self, other: Estimator) -> None:
        super().__init__(other.game)
        self.other, self.name = other, other.name

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, and priors."""
        legal, here = asked_priors(self.other, batch)
        ends, movers = batch.afterstates(), batch.movers
        there = np.asarray(asked(self.other, ends.batch, priors=False).values)
        worths = there[np.arange(len(there)), movers[ends.owners]]
        scores = SHARPNESS / self.game.constants["BEST"] * worths
        ahead = of_scores(scores, ends, legal, self.game.constants["ACTIONS"])
        likely = np.maximum(np.asarray(here.priors), LEAST_POLICY).astype(np.float64) ** KEPT_POLICY * ahead
        priors = likely / np.bincount(legal.owners, likely, len(batch))[legal.owners]
        best = best_ends(ends.offsets, worths)
        values, decided = np.array(here.values), best >= 0
        values[decided] += (1 - KEPT_VALUE) * (there[best[decided]] - values[decided])
        return Estimate(values, priors.astype(np.float32))

    def ready(self) -> None:
        """Makes the other ready."""
        self.other.ready()


def ahead_if(wanted: bool, other: Estimator) -> Estimator:
    """The other with a look one turn ahead, if that is wanted."""
    return AheadEstimator(other) if wanted else other

"""Splits: which observed moves are learned, which say when to stop, and which were never seen.

`paper` draws after the expansion, as the source did, so that most positions of the test have a symmetric twin among
those that are learned. `clean` keeps all twins together. A share of what is learned are always whole orbits: who has
seen a tenth of the positions has not seen the others in a mirror.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import streams
from spielwerk.learn.imitation.data.expansion import orbits
from spielwerk.learn.imitation.data.observed import Observed

PAPER, CLEAN = SPLITS = ("paper", "clean")
TRAINING, VALIDATION, TEST = "training", "validation", "test"
SHARES = {TEST: 0.10, VALIDATION: 0.05}  # the rest is learned
FINE = 1 << 53


class Split(NamedTuple):
    """The numbers of the moves of each part, ascending."""

    training: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def split(given: Observed, how: str, seed: int, share: float = 1.0) -> Split:
    """Drawn by a seed; only a `share` of the orbits is kept of what is to be learned."""
    each = np.arange(len(given))
    twins = np.unique(orbits(given.game, given.states), return_inverse=True)[1] if how == CLEAN or share < 1 else each
    lots = _lots(seed, "split", each if how == PAPER else twins)
    test, known = lots < SHARES[TEST], lots < SHARES[TEST] + SHARES[VALIDATION]
    kept = _lots(seed, "share", twins) < share
    return Split(*(np.flatnonzero(flags) for flags in (~known & kept, known & ~test, test)))


def _lots(seed: int, purpose: str, groups: np.ndarray) -> np.ndarray:
    """A number from 0 to less than 1 for each position, the same in a group."""
    words = streams(seed, f"{purpose} of observed moves", int(groups.max(initial=-1)) + 1)[:, 0]
    return ((words >> np.uint64(11)).astype(np.float64) / FINE)[groups]

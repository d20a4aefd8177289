"""Priors from scores of the ends of all turns.

They are a softmax among what one board offers. The prior of an action is the sum over the ends of the turns that begin
with it; an action all of whose ends an earlier one reaches as well has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from spielwerk.games.batch import Ragged
    from spielwerk.games.expansion import Afterstates


def of_scores(scores: np.ndarray, ends: Afterstates, legal: Ragged, actions: int) -> np.ndarray:
    """The prior of each legal action, ragged as they are, from the scores of all ends, [m].

    `actions` is how many action numbers the game has.
    """
    shares = softmax(scores, ends.offsets, ends.owners)
    keys = legal.owners * actions + legal.values  # ascending, as boards and the actions of each do
    places = np.searchsorted(keys, ends.owners * actions + ends.first)
    return np.bincount(places, shares, minlength=len(keys))


def softmax(given: np.ndarray, offsets: np.ndarray, owners: np.ndarray) -> np.ndarray:
    """The softmax among what belongs to the same board, as ragged as it is given."""
    if not len(given):
        return np.zeros(0)
    boards = np.flatnonzero(np.diff(offsets))  # those that have any
    first = offsets[boards]
    place = np.searchsorted(boards, owners)
    weights = np.exp(given - np.maximum.reduceat(given, first)[place])
    return weights / np.add.reduceat(weights, first)[place]

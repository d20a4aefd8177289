"""The best of the ends of whole turns, on many boards at once."""

from __future__ import annotations

import numpy as np

from spielwerk.names import BadInput


def best_ends(offsets: np.ndarray, worths: np.ndarray) -> np.ndarray:
    """The first of the best ends of each board, whose ends are `offsets[i]` to `offsets[i + 1] - 1`; -1 without any."""
    counts = np.diff(offsets)
    boards = np.flatnonzero(counts)
    found = np.full(len(counts), -1)
    if len(boards):
        most = np.maximum.reduceat(worths, offsets[boards])
        if np.isnan(most).any():
            raise BadInput("Some afterstates have values that are not numbers.")
        best = np.flatnonzero(worths == np.repeat(most, counts[boards]))
        found[boards] = best[np.searchsorted(best, offsets[boards])]
    return found


def best_few(owners: np.ndarray, worths: np.ndarray, most: int) -> np.ndarray:
    """The `most` best ends of each board, in the order of the ends; of equal ones the first. `owners` ascend."""
    order = np.lexsort((-worths, owners))
    places = np.arange(len(order)) - np.searchsorted(owners, owners[order])
    return np.sort(order[places < most])

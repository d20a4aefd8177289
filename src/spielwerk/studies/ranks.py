"""What samples say whose values are only ordered: their median, whether two differ, and whether two agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spielwerk.arena.matches.statistics import Interval


def median_interval(values: Sequence[float]) -> Interval:
    """Where the median lies with 95 %, whatever the distribution; of fewer than six values, all that they span."""
    ordered, n = sorted(values), len(values)
    outside, chance, tail = 0, 0.5**n, 0.5**n  # chance: that exactly `outside` values lie below the median
    while tail <= 0.025:
        outside += 1
        chance *= (n - outside + 1) / outside
        tail += chance
    least = max(outside - 1, 0)
    return float(ordered[least]), float(ordered[n - 1 - least])


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """A quarter, and three quarters, of the values are not larger; both are values themselves."""
    low, high = np.quantile(values, (0.25, 0.75), method="inverted_cdf").tolist()
    return low, high


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The chance that two samples of one distribution differ so much; two-sided, by the normal approximation."""
    n, m = len(first), len(second)
    ranks, ties = _ranks([*first, *second])
    off = abs(float(ranks[:n].sum()) - n * (n + m + 1) / 2)
    variance = n * m / 12 * (n + m + 1 - float((ties**3 - ties).sum()) / ((n + m) * (n + m - 1)))
    return math.erfc(max(off - 0.5, 0.0) / math.sqrt(2 * variance)) if variance > 0 else 1.0


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """How well two orders of the same things agree, from -1 to 1; None where one of them has no order."""
    ranks = [_ranks(values)[0] for values in (first, second)]
    if any(np.ptp(one) == 0 for one in ranks):
        return None
    return float(np.corrcoef(np.stack(ranks))[0, 1])


def spearman_interval(agreement: float, count: int) -> Interval:
    """Where the agreement of so many pairs lies with 95 %, by Fisher's transformation (Bonett and Wright 2000)."""
    if count < 4 or abs(agreement) == 1:
        return (agreement, agreement) if count >= 4 else (-1.0, 1.0)
    half = 1.96 * math.sqrt((1 + agreement**2 / 2) / (count - 3))
    middle = math.atanh(agreement)
    return math.tanh(middle - half), math.tanh(middle + half)


def _ranks(values: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """The rank of each value, equal ones sharing theirs, and how many there are of each value."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place], counts

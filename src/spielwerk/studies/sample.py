"""A sample: what several agents, or several measurements of one, came to, and what that says of their mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spielwerk.arena.matches.statistics import Interval, mean_interval


@dataclass(frozen=True)
class Sample:
    """Independent values, rates as a rule."""

    values: tuple[float, ...]

    @cached_property
    def mean(self) -> float:
        """The mean."""
        return float(np.mean(self.values))

    @cached_property
    def spread_interval(self) -> Interval:
        """Student's 95 % interval of the mean of any values."""
        return mean_interval(np.array(self.values), np.arange(len(self.values)))

    @property
    def interval(self) -> Interval:
        """The same, within what a rate can be."""
        low, high = self.spread_interval
        return max(0.0, low), min(1.0, high)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the values, as the sources give it (n - 1)."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def median(self) -> float:
        """The median."""
        return float(np.median(self.values))

    def halves(self) -> tuple[Sample, Sample]:
        """The first half of the values, and the others."""
        middle = len(self.values) // 2
        return Sample(self.values[:middle]), Sample(self.values[middle:])

"""Which of a grid's settings matter: the mean over all others, value by value, and the difference of the two ends.

`measured` is a whole grid: every value of each setting with every other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spielwerk.studies.einstein.grids import Measured
from spielwerk.studies.report import Row
from spielwerk.studies.sample import Sample


def factor_rows(axes: Sequence[str], die: str, measured: Measured) -> list[Row]:
    """A row for each value of each setting: the mean over all others."""
    return [
        Row(f"{axis}={value:g}, mean over the others", None, sample.mean, sample.interval, die=die)
        for place, axis in enumerate(axes)
        for value, sample in by_value(place, measured).items()
    ]


def by_value(place: int, measured: Measured) -> dict[float, Sample]:
    """By the value of one setting: each measurement's mean over the others. All settings play with the same seeds."""
    found: dict[float, Sample] = {}
    for value in sorted({cell[place] for cell in measured}):
        rates = [sample.values for cell, sample in measured.items() if cell[place] == value]
        found[value] = Sample(tuple(float(rate) for rate in np.mean(rates, axis=0)))
    return found


def factor_notes(axes: Sequence[str], by_die: Mapping[str, Measured]) -> list[str]:
    """Which of the settings matters, by the largest value of each against the smallest."""
    notes = []
    for die, measured in by_die.items():
        found = "; ".join(verdict(axis, place, measured) for place, axis in enumerate(axes))
        rule = f" (die={die})" if len(by_die) > 1 else ""
        notes.append(f"How much a setting matters, averaged over the others{rule}: {found}.")
    return notes


def verdict(axis: str, place: int, measured: Measured) -> str:
    """What the largest value of a setting wins more than the smallest, and whether that is clear."""
    found = by_value(place, measured)
    low, high = min(found), max(found)
    gain = Sample(tuple(b - a for a, b in zip(found[low].values, found[high].values, strict=True)))
    least, most = gain.spread_interval
    clear = "better" if least > 0 else "worse" if most < 0 else "no clear difference"
    return (
        f"{axis} {high:g} instead of {low:g}: {100 * gain.mean:+.1f} points "
        f"({100 * least:+.1f} to {100 * most:+.1f}: {clear})"
    )

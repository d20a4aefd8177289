"""Grids of settings: what a report says of them, whoever was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk.studies.einstein.published import published, rate
from spielwerk.studies.einstein.spreads import known_row
from spielwerk.studies.report import Row
from spielwerk.studies.sample import Sample

Cell = tuple[float, ...]  # the values of a grid's settings
Measured = Mapping[Cell, Sample]
DRAWS = 20_000  # from which the mean of a largest value is taken
PARTS = 10  # measurements of each setting in the source


def cell_of(line: Mapping[str, Any], axes: Sequence[str]) -> Cell:
    """The cell that a published line is about."""
    return tuple(line[axis] for axis in axes)


def grid_rows(
    table: str,
    axes: Sequence[str],
    name: Callable[[Cell], str],
    die: str,
    measured: Measured,
    settings: int,
    scale: float = 1.0,
) -> list[Row]:
    """The published settings and ours, then what the whole grid says.

    `settings` is the size of the source's grid; `scale` is for deviations, see `Row.of`.
    """
    source = published(table)
    unit, lines = source["unit"], source["rows"]
    rows = []
    for line in lines:
        cell, doubtful = cell_of(line, axes), source.get("doubtful", False)
        rows.append(known_row(name(cell), line, unit, measured[cell], scale, die=die, doubtful=doubtful))
    best = rate(max(line["mean"] for line in lines), unit)
    lucky = luckiest(measured, float(np.mean([row.published_sd for row in rows])), settings)
    by_luck = Row(f"best of {settings} equal ones, by luck", best, lucky, die=die, note="our mean, their deviation")
    return [*rows, *_whole(die, measured, best, name, scale), by_luck]


def luckiest(measured: Measured, deviation: float, settings: int) -> float:
    """The expected best of so many settings that are all as strong as ours on average, by PARTS measurements each."""
    mean = float(np.mean([sample.mean for sample in measured.values()]))
    draws = np.random.default_rng(0).normal(mean, deviation / PARTS**0.5, (DRAWS, settings))
    return float(min(1.0, draws.max(axis=1).mean()))


def _whole(die: str, measured: Measured, best: float, name: Callable[[Cell], str], scale: float) -> list[Row]:
    """The mean, the lowest and the best of our grid, and the best without its luck."""
    order = sorted(measured, key=lambda cell: measured[cell].mean)
    means = Sample(tuple(sample.mean for sample in measured.values()))
    rows = [
        Row(f"mean of our {len(measured)} settings", None, means.mean, sd=means.sd, die=die),
        Row.of(f"our lowest: {name(order[0])}", None, measured[order[0]], scale, die=die),
        Row.of(f"our best: {name(order[-1])}", best, measured[order[-1]], scale, die=die),
    ]
    if all(len(sample.values) >= PARTS for sample in measured.values()):
        chosen = max(measured, key=lambda cell: measured[cell].halves()[0].mean)
        again = measured[chosen].halves()[1]
        rows.append(Row.of("our best by one half, in the other half", best, again, scale, die=die, note=name(chosen)))
    return rows

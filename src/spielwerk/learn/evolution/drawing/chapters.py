"""The chapters of a film about graphs: frames one after the other that share an arrangement of their nodes.

A new one begins where the arrangement would leave columns empty that a graph does not need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spielwerk.learn.evolution.drawing.layout import Places, places
from spielwerk.learn.evolution.drawing.union import Union
from spielwerk.learn.evolution.genome.genome import Genome

SPARE = 1  # columns that a graph may have beyond its own layers


@dataclass(frozen=True)
class Chapter:
    """Some frames; in those before and after it, its union stays as in its first and its last."""

    shown: np.ndarray  # [frames] whether it is seen
    union: Union
    at: Places


def chapters(genomes: Sequence[Genome]) -> list[Chapter]:
    """All chapters, on pages of the same size: inputs and outputs have the same places in all of them."""
    spans = _spans(genomes)
    unions = [Union([genomes[min(max(frame, first), last)] for frame in range(len(genomes))]) for first, last in spans]
    sizes = [(at.width, at.height) for at in map(_placed, unions)]
    room = max(width for width, _ in sizes), max(height for _, height in sizes)
    frames = np.arange(len(genomes))
    return [
        Chapter((first <= frames) & (frames <= last), union, _placed(union, room))
        for (first, last), union in zip(spans, unions, strict=True)
    ]


def _spans(genomes: Sequence[Genome]) -> list[tuple[int, int]]:
    """The first and the last frame of each."""
    found, first = [], 0
    for frame in range(1, len(genomes)):
        if not _fit(genomes[first : frame + 1]):
            found.append((first, frame - 1))
            first = frame
    return [*found, (first, len(genomes) - 1)]


def _fit(genomes: Sequence[Genome]) -> bool:
    least = min(genome.layers for genome in genomes)
    return int(Union(genomes).columns.max()) < least + SPARE


def _placed(union: Union, room: tuple[float, float] = (0, 0)) -> Places:
    return places(union.inputs, union.outputs, union.columns, union.edges, union.present, room)

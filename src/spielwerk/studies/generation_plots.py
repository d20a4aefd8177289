"""How studies draw the course of learning and the time that it takes, both on logarithmic scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.plots import DOT, GRID, INK, QUIET, ROW, quiet
from spielwerk.studies.plots import COLOURS, THEIRS, Curve, percent_axis, titled

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
JITTER = 0.16  # of a row, so that equal dots do not hide each other


def courses(
    title: str,
    lines: Sequence[Curve],
    labels: tuple[str, str],
    levels: Mapping[str, float] | None = None,
    percent: bool = True,
    places: Mapping[str, float] | None = None,
    perfect: float | None = None,
) -> Any:
    """Medians with bands from quartile to quartile, the best and the worst as thin lines; x is logarithmic.

    Published `levels` are dashed lines across, published `places` lines upwards; what `perfect` play comes to is a
    grey dashed line across.
    """
    figure = titled(title, (8.5, 4.8))
    axes = figure.add_subplot()
    for i, line in enumerate(lines):
        _course(axes, line, COLOURS[i % len(COLOURS)])
    for name, level in (levels or {}).items():
        axes.axhline(level, color=THEIRS, linewidth=1.2, linestyle="--", label=name)
    for name, place in (places or {}).items():
        axes.axvline(place, color=THEIRS, linewidth=1.2, linestyle=":", label=name)
    if perfect is not None:
        axes.axhline(perfect, color=QUIET, linewidth=1.2, linestyle="--", label="perfect play")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,g}" if x < 1e6 else f"{x / 1e6:g} M")
    axes.set_xlabel(f"{labels[0]} (line: median; band: quartiles; thin: best and worst)")
    axes.set_ylabel(labels[1], fontsize=9)
    if percent:
        percent_axis(axes.yaxis)
    axes.grid(axis="y", color=GRID)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=8, borderaxespad=0.1)
    _quiet(axes)
    return figure


def _quiet(axes: Any) -> None:
    """Without the small ticks of a logarithmic scale, too."""
    quiet(axes)
    axes.tick_params(which="minor", length=0)


def _course(axes: Any, line: Curve, colour: str) -> None:
    least, low, middle, high, most = np.nanquantile(line.y, QUARTERS, axis=0)
    axes.fill_between(line.x, low, high, color=colour, alpha=0.22, linewidth=0)
    for edge in (least, most):
        axes.plot(line.x, edge, color=colour, linewidth=0.7, alpha=0.5)
    axes.plot(line.x, middle, "-o", color=colour, linewidth=1.8, markersize=2.5, label=line.label)


@dataclass(frozen=True)
class Needed:
    """The generations that several populations needed; those that never got there stand at the limit."""

    label: str
    values: Sequence[float]
    limit: float
    group: str = ""


def needed_boxes(title: str, rows: Sequence[Needed], label: str, marked: float | None = None) -> Any:
    """A box and a dot for each population in every row; hollow dots never got there; `marked` is a line upwards."""
    figure = titled(title, (9.5, 1.5 + ROW * len(rows)))
    axes = figure.add_subplot()
    groups = list(dict.fromkeys(row.group for row in rows))
    if marked is not None:
        axes.axvline(marked, color=QUIET, linewidth=1, linestyle="--")
    for place, row in enumerate(rows):
        _needed_box(axes, place, row, COLOURS[groups.index(row.group) % len(COLOURS)] if groups[1:] else DOT)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,g}")
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(f"{label} (hollow: never)", color=INK)
    axes.grid(axis="x", color=GRID)
    _quiet(axes)
    return figure


def _needed_box(axes: Any, place: float, row: Needed, colour: str) -> None:
    shown = np.maximum(row.values, 1)  # the scale has no 0
    parts = axes.boxplot(
        shown, positions=[place], widths=0.62, patch_artist=True, orientation="horizontal", showfliers=False
    )
    for box in parts["boxes"]:
        box.set(facecolor=colour, alpha=0.3, edgecolor=colour)
    for line in (*parts["whiskers"], *parts["caps"], *parts["medians"]):
        line.set_color(colour)
    heights = place + JITTER * np.linspace(-1, 1, len(shown) + 2)[1:-1]
    there = shown < row.limit
    axes.plot(shown[there], heights[there], "o", color=colour, markersize=2.8, alpha=0.8)
    axes.plot(shown[~there], heights[~there], "o", color=colour, markersize=3.2, markerfacecolor="white")

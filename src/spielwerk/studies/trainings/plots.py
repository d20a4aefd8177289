"""How these studies draw: figures with their intervals, over the time of a training, over simulations or weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from spielwerk.arena.matches.statistics import Interval
from spielwerk.arena.plots import GRID, quiet
from spielwerk.studies.backgammon.plots import ladder
from spielwerk.studies.plots import COLOURS, beside, percent_axis, titled
from spielwerk.studies.report import SHARE, Draw, Row

LEAST = {True: 1e-4, False: 0.05}  # on a logarithmic scale: regrets in points, and in thousandths of a point


@dataclass(frozen=True)
class Line:
    """Figures with intervals at some places."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    intervals: Sequence[Interval]


def lines(
    title: str,
    those: Sequence[Line],
    labels: tuple[str, str],
    shares: bool,
    doubling: bool = False,
    logarithmic: bool = False,
) -> Any:
    """A line for each, with its intervals; places that double, or on a logarithmic scale, stand equally far apart."""
    from matplotlib.ticker import LogLocator, NullFormatter

    figure = titled(title, (8.5, 4.8))
    axes = figure.add_subplot()
    for i, line in enumerate(those):
        colour = COLOURS[i % len(COLOURS)]
        low, high = zip(*line.intervals, strict=True)
        axes.fill_between(line.x, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(line.x, line.y, "-o", color=colour, linewidth=1.8, markersize=3, label=line.label)
    if doubling:
        axes.set_xscale("log", base=2)
        axes.set_xticks(those[0].x, [f"{x:g}" for x in those[0].x])
    if logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.10g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(f"{labels[0]} (band: 95 % interval)")
    axes.set_ylabel(labels[1])
    if shares:
        percent_axis(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    axes.grid(axis="y", color=GRID)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=8, borderaxespad=0.1)
    quiet(axes)
    return figure


def dots(title: str, rows: Sequence[Row], label: str) -> Draw:
    """Rows of one unit as dots: shares on a plain scale, what is lost on a logarithmic one."""
    if all(row.unit == SHARE for row in rows):
        return partial(beside, title, rows, label)
    small = max(row.ours or 0.0 for row in rows) < 1
    return partial(ladder, f"{title}: {label}", rows, LEAST[small])

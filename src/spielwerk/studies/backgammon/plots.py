"""How the study draws: rungs of the ladder by error rate, on a logarithmic scale, and the same by phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielwerk.arena.plots import BAR, DOT, GRID, ROW, quiet
from spielwerk.studies.backgammon.phases import NAMES
from spielwerk.studies.plots import COLOURS, THEIRS, titled
from spielwerk.studies.report import Row

LEAST = 0.05  # mEMG that a logarithmic scale shows


def ladder(title: str, rows: Sequence[Row], least: float = LEAST) -> Any:
    """A dot for each row with its interval; what is published as an orange diamond. `least` is the least shown."""
    figure = titled(title, (8.5, 1.3 + ROW * len(rows)))
    axes = figure.add_subplot()
    for place, row in enumerate(rows):
        ours = row.ours or 0.0
        ends = [max(end, least) for end in row.interval or (ours, ours)]
        axes.plot(ends, (place, place), color=BAR, linewidth=5, solid_capstyle="round")
        axes.plot(max(ours, least), place, "o", color=DOT, markersize=7, markeredgecolor="white", zorder=2)
        if row.published is not None:
            axes.plot(row.published, place, "D", color=THEIRS, markersize=6, markeredgecolor="white", zorder=3)
    axes.plot([], [], "o", color=DOT, label="ours, with 95 % interval")
    axes.plot([], [], "D", color=THEIRS, label="published")
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    _finish(axes, axes.xaxis, "x")
    return figure


def by_phase(title: str, rows: Sequence[Row]) -> Any:
    """A line for each rung over the phases in which there was enough to measure."""
    figure = titled(title, (8.5, 4.8))
    axes = figure.add_subplot()
    phases = [name for name in NAMES if any(row.more["phase"] == name for row in rows)]
    for i, rung in enumerate(dict.fromkeys(row.more["rung"] for row in rows)):
        own = {row.more["phase"]: max(row.ours or 0.0, LEAST) for row in rows if row.more["rung"] == rung}
        places = [phases.index(name) for name in own]
        axes.plot(places, list(own.values()), "-o", color=COLOURS[i % len(COLOURS)], markersize=4, label=rung)
    axes.set_xticks(range(len(phases)), phases)
    _finish(axes, axes.yaxis, "y")
    return figure


def _finish(axes: Any, axis: Any, which: str) -> None:
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis=which, color=GRID)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=5, fontsize=8, borderaxespad=0.1)
    quiet(axes)

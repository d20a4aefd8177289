"""How studies draw: heat maps of grids, boxes, curves with bands, and figures with their intervals.

Published values are always orange, ours blue.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielwerk.arena.matches.statistics import student
from spielwerk.arena.plots import BAR, DOT, GRID, INK, QUIET, ROW, quiet
from spielwerk.studies.report import SHARE, Row
from spielwerk.studies.sample import Sample

THEIRS, THEIR_BAR = "#c2571a", "#f0cdb6"
COLOURS = (DOT, "#3d9a5f", "#8a5bb5", "#c7a008", "#c0394b", "#5f6b76", "#1aa3a3")
HEAT = "Blues"
EMPTY = "#f4f4f4"
LETTERS, LINE = 9, 0.22  # of a title in an inch; inches of a line of it
MOST_DIGITS = 4  # of a percentage beside an axis
DARK = 0.6  # of a heat map's range, from which letters on it are white


def percent_axis(axis: Any) -> None:
    """Shares in percent, with as many digits as tell the ticks apart and show them exactly."""
    axis.set_major_formatter(lambda share, _: f"{100 * share:.{_digits(axis.get_majorticklocs())}f} %")


def _digits(ticks: Sequence[float]) -> int:
    """How many digits behind the point the ticks have in percent, as far as these are not noise."""
    percents = 100 * np.asarray(ticks)
    return next((n for n in range(MOST_DIGITS) if np.allclose(percents, percents.round(n), atol=1e-9)), MOST_DIGITS)


def titled(title: str, size: tuple[float, float]) -> Any:
    """An empty figure with its title, in as many lines as it needs."""
    from matplotlib.figure import Figure

    lines = textwrap.wrap(title, int(LETTERS * size[0]))
    figure = Figure(figsize=(size[0], size[1] + LINE * (len(lines) - 1)), layout="constrained")
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=12)
    return figure


@dataclass(frozen=True)
class Panel:
    """One heat map: values by place (x, y), and what is published at some of the places."""

    title: str
    x: str  # what the axes are about
    y: str
    values: Mapping[tuple[float, ...], float]
    published: Mapping[tuple[float, ...], float] = field(default_factory=dict)


def heat_maps(title: str, panels: Sequence[Panel]) -> Any:
    """Grids side by side, all on one scale; what is published stands in orange below ours."""
    xs, ys = (sorted({place[i] for panel in panels for place in panel.values}) for i in (0, 1))
    across = min(len(panels), 3)
    down = -(-len(panels) // across)
    figure = titled(title, (across * (1.3 + 0.62 * len(xs)), 1.0 + down * (1.1 + 0.42 * len(ys))))
    shown = [value for panel in panels for value in panel.values.values()]
    low, high = min(shown), max(max(shown), min(shown) + 1e-3)
    for i, panel in enumerate(panels):
        _heat_map(figure.add_subplot(down, across, i + 1), panel, xs, ys, (low, high))
    return figure


def _heat_map(axes: Any, panel: Panel, xs: Sequence[float], ys: Sequence[float], scale: tuple[float, float]) -> None:
    grid = np.array([[panel.values.get((x, y), np.nan) for x in xs] for y in ys])
    axes.set_facecolor(EMPTY)
    axes.imshow(grid, cmap=HEAT, vmin=scale[0], vmax=scale[1], aspect="auto", origin="lower")
    for cell, value in panel.values.items():
        colour = "white" if value > scale[0] + DARK * (scale[1] - scale[0]) else INK
        theirs = panel.published.get(cell)
        shift = 0 if theirs is None else 0.17
        place = xs.index(cell[0]), ys.index(cell[1])
        axes.text(place[0], place[1] + shift, f"{100 * value:.1f}", ha="center", va="center", fontsize=8, color=colour)
        if theirs is not None:
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
            text = {"ha": "center", "va": "center", "fontsize": 7, "color": THEIRS, "bbox": box}
            axes.text(place[0], place[1] - 0.25, f"{100 * theirs:.1f}", **text)
    axes.set_xticks(range(len(xs)), [f"{x:g}" for x in xs])
    axes.set_yticks(range(len(ys)), [f"{y:g}" for y in ys])
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    axes.set_title(panel.title, fontsize=10, loc="left")
    quiet(axes)


@dataclass(frozen=True)
class Box:
    """Our sample of one setting, and what is published of theirs: least, median, largest and mean."""

    label: str
    ours: Sequence[tuple[str, Sample]]  # by the rule of the die, or whatever else differs
    theirs: tuple[float, float, float, float] | None = None


def boxes(title: str, rows: Sequence[Box], label: str) -> Any:
    """Box plots, one group a setting; of the published sample only what the source gives."""
    names = list(dict.fromkeys(name for row in rows for name, _ in row.ours))
    step = len(names) + 2
    figure = titled(title, (2.2 + 0.42 * step * len(rows), 4.6))
    axes = figure.add_subplot()
    for i, row in enumerate(rows):
        for name, sample in row.ours:
            _box(axes, i * step + 1 + names.index(name), sample, COLOURS[names.index(name)])
        if row.theirs:
            least, median, largest, mean = row.theirs
            axes.plot((i * step, i * step), (least, largest), color=THEIR_BAR, linewidth=7, solid_capstyle="butt")
            axes.plot((i * step - 0.3, i * step + 0.3), (median, median), color=THEIRS, linewidth=2)
            axes.plot(i * step, mean, "D", color=THEIRS, markersize=5, markeredgecolor="white")
    axes.set_xticks([i * step + len(names) / 2 for i in range(len(rows))], [row.label for row in rows])
    axes.set_xlim(-1, step * len(rows) - 1)
    for name in names:
        axes.plot([], [], "s", color=COLOURS[names.index(name)], label=name)
    if any(row.theirs for row in rows):
        axes.plot([], [], "D", color=THEIRS, label="published: least to largest, median, mean")
    _finish(axes, label)
    return figure


def _box(axes: Any, place: float, sample: Sample, colour: str) -> None:
    parts = axes.boxplot(sample.values, positions=[place], widths=0.6, patch_artist=True, showmeans=True)
    for box in parts["boxes"]:
        box.set(facecolor=colour, alpha=0.35, edgecolor=colour)
    for line in (*parts["whiskers"], *parts["caps"], *parts["medians"]):
        line.set_color(colour)
    for dot in (*parts["means"], *parts["fliers"]):
        dot.set(marker="D" if dot in parts["means"] else "o", markersize=4)
        dot.set(markerfacecolor=colour, markeredgecolor="white")


@dataclass(frozen=True)
class Curve:
    """What several agents came to at the same places; [agents, places]."""

    label: str
    x: Sequence[float]
    y: np.ndarray


def curves(
    title: str,
    lines: Sequence[Curve],
    labels: tuple[str, str],
    points: Sequence[tuple[float, float]] = (),
    levels: Mapping[str, float] | None = None,
) -> Any:
    """Means with 95 % bands; published `points` as diamonds, `levels` as dashed lines with their names."""
    figure = titled(title, (8.5, 4.8))
    axes = figure.add_subplot()
    for i, line in enumerate(lines):
        colour = COLOURS[i % len(COLOURS)]
        mean, half = line.y.mean(axis=0), _half(line.y)
        axes.fill_between(
            line.x, np.maximum(mean - half, 0), np.minimum(mean + half, 1), color=colour, alpha=0.18, linewidth=0
        )
        axes.plot(line.x, mean, "-o", color=colour, linewidth=1.8, markersize=3, label=line.label)
    if points:
        axes.plot(
            *zip(*points, strict=True), "D", color=THEIRS, markersize=6, markeredgecolor="white", label="published"
        )
    for name, level in (levels or {}).items():
        axes.axhline(level, color=QUIET, linewidth=1, linestyle="--")
        axes.annotate(
            name, (1, level), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8, color=QUIET
        )
    axes.set_xlabel(f"{labels[0]} (band: 95 % interval of the mean)")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,g}" if x < 1e5 else f"{x / 1e6:g} M")
    _finish(axes, labels[1])
    return figure


def _half(values: np.ndarray) -> np.ndarray:
    """Half of Student's interval of the mean at each place."""
    n = len(values)
    return student(n - 1) * values.std(axis=0, ddof=1) / n**0.5 if n > 1 else np.zeros(values.shape[1])


def _finish(axes: Any, label: str, percent: bool = True) -> None:
    axes.set_ylabel(label, fontsize=9)
    if percent:
        percent_axis(axes.yaxis)
    axes.grid(axis="y", color=GRID)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=8, borderaxespad=0.1)
    quiet(axes)


def beside(title: str, rows: Sequence[Row], label: str) -> Any:
    """Rows as dots: ours with its interval, the published figure as an orange diamond."""
    rows = [row for row in rows if row.unit == SHARE and (row.ours is not None or row.published is not None)]
    figure = titled(title, (10, 1.3 + ROW * len(rows)))
    axes = figure.add_subplot()
    for place, row in enumerate(rows):
        if row.interval is not None:
            axes.plot(row.interval, (place, place), color=BAR, linewidth=5, solid_capstyle="round", zorder=1)
        if row.ours is not None:
            axes.plot(row.ours, place, "o", color=DOT, markersize=7, markeredgecolor="white", zorder=2)
        if row.published is not None:
            axes.plot(row.published, place, "D", color=THEIRS, markersize=6, markeredgecolor="white", zorder=3)
    axes.plot([], [], "o", color=DOT, label="ours, with 95 % interval")
    if any(row.published is not None for row in rows):
        axes.plot([], [], "D", color=THEIRS, label="published")
    names = [f"{row.name}{f', die={row.die}' if row.die else ''}" for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(label)
    percent_axis(axes.xaxis)
    axes.grid(axis="x", color=GRID)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=9, borderaxespad=0.1)
    quiet(axes)
    return figure

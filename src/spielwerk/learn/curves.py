"""Learning curves as a picture: a panel for each opponent, one for the regret, and one for each of the main metrics.

Each seed is a thin line, their mean a thick one, with a band from five seeds on; a dashed line is perfect play, where
it is known exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.arena.measurement import RATE, REGRET, is_main
from spielwerk.arena.plots import DOT, GRID, LIGHT, QUIET, quiet, save, short
from spielwerk.learn.figures import LearningCurve, curves, tick_text
from spielwerk.learn.metrics import ALWAYS, SPEED
from spielwerk.learn.perfect import perfect_rate
from spielwerk.learn.registry import length_name, length_names
from spielwerk.learn.runs import Run
from spielwerk.names import BadInput

COLOURS = (DOT, "#c2571a", "#3f8f4f", "#8a4f9e", "#b08a1e", "#4f9ea8", "#a83a4f", "#555555")
PANEL = (4.5, 3.1)  # inches
IN_A_ROW = (3, 4)  # panels, whichever leaves less room empty
FIGURES = 4  # of a learner that are drawn, besides its losses
LINE = 0.24  # inches of the legend
THIN, THICK, FAINT = 0.8, 2.0, 0.16  # lines of seeds and of their mean, and how strong the band is
LEAST_SPAN = 0.05  # of a rate's axis: less would show chance as if it were learning
LOSS = re.compile(r"loss|error", re.IGNORECASE)  # names of the figures that learning makes small
SMOOTH = 40  # lines of a log from which it is smoothed, over a twentieth of it
Drawn = tuple[Run, Mapping[str, LearningCurve], Mapping[int, Sequence[Mapping[str, float]]]]  # and logs by seed


def curve_plot(runs: Sequence[Run], title: str, path: Path, theme: str = LIGHT) -> None:
    """Draws the curves of one run, or of several in the same panels."""
    save(lambda: curve_figure(runs, title), path, theme)


def curve_figure(runs: Sequence[Run], title: str) -> Any:
    """A matplotlib figure of the curves of one run, or of several in the same panels."""
    found: list[Drawn] = [(run, curves(run), {seed: run.metrics(seed) for seed in run.config.seeds}) for run in runs]
    shown = [what for what in dict.fromkeys(what for _, ones, _ in found for what in ones) if is_main(what)]
    metrics = metrics_drawn(line for *_, log in found for lines in log.values() for line in lines[-1:])
    if not shown and not metrics:
        raise BadInput(f"Nothing has been measured yet for {', '.join(run.name for run in runs)}.")
    return _figure(found, shown, metrics, title)


def metrics_drawn(lines: Iterable[Mapping[str, float]]) -> list[str]:
    """The metrics that have a panel: of each of these lines of logs the losses and a few more, and the speed."""
    found: dict[str, None] = {}
    for line in lines:
        names = [name for name in line if name not in ALWAYS]
        losses = [name for name in names if LOSS.search(name)]
        found |= dict.fromkeys([*losses, *names[:FIGURES]])
    return [*sorted(found, key=lambda name: not LOSS.search(name)), SPEED] if found else []


def _figure(found: Sequence[Drawn], shown: Sequence[str], metrics: Sequence[str], title: str) -> Any:
    from matplotlib.figure import Figure

    count = len(shown) + len(metrics)
    columns = min(count, min(IN_A_ROW, key=lambda most: -count % most))
    rows = -(-count // columns)
    height = PANEL[1] * rows + LINE * (len(found) + 1) + 0.5
    figure = Figure(figsize=(PANEL[0] * columns, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    panels = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    kinds = [run.config.kind for run, *_ in found]
    shares = len(set(map(length_name, kinds))) > 1  # since episodes and generations have no axis in common
    counted = "" if shares else length_names(kinds)
    lines: dict[str, Any] = {}  # of the legend, by what is said of them
    for axes, what in zip(panels, shown, strict=False):
        lines |= _draw_strength(axes, what, found, shares)
    for axes, metric in zip(panels[len(shown) :], metrics, strict=False):
        _draw_metric(axes, metric, found, shares)
        _label_metric(axes, metric, counted)
    for axes in panels[:count]:
        _label_length(axes, counted)
    for axes in panels[count:]:
        axes.set_visible(False)
    below = {"loc": "outside lower left", "frameon": False, "fontsize": 9, "labelcolor": QUIET}
    figure.legend(list(lines.values()), list(lines), **below)
    return figure


def _draw_strength(axes: Any, what: str, found: Sequence[Drawn], shares: bool) -> dict[str, Any]:
    """Draws a figure of all runs that have it; the lines of the legend."""
    lines: dict[str, Any] = {}
    for number, (run, ones, _) in enumerate(found):
        if what in ones:
            name = f"{run.name}: " if len(found) > 1 else ""
            length = run.config.episodes if shares else 1
            lines[f"{name}{ones[what].words}"] = _draw(axes, ones[what], COLOURS[number % len(COLOURS)], length)
    _label(axes, what)
    best = _perfect(what, [(run, ones) for run, ones, _ in found])
    return lines if best is None else lines | {"perfect play": _draw_perfect(axes, what, best)}


def _draw(axes: Any, curve: LearningCurve, colour: str, length: int) -> Any:
    """Draws a curve, `length` being 1 on its axis; the line that stands for it."""
    at, band = curve.episodes / length, curve.band()
    style = {"color": colour, "linewidth": THICK if len(curve.seeds) > 1 else 1.4, "solid_joinstyle": "round"}
    if len(curve.seeds) == 1 or len(at) == 1:
        low, high = np.transpose([curve.interval(point) for point in range(len(at))])
        axes.errorbar(at, curve.mean, [curve.mean - low, high - curve.mean], fmt="none", ecolor=colour, elinewidth=1)
        return axes.plot(at, curve.mean, marker="o", markersize=3.5, **style)[0]
    if band:
        axes.fill_between(at, *band, color=colour, alpha=FAINT, linewidth=0)
    for values in curve.values:
        axes.plot(at, values, color=colour, linewidth=THIN, alpha=0.5)
    return axes.plot(at, curve.mean, **style)[0]


def _perfect(what: str, found: Sequence[tuple[Run, Mapping[str, LearningCurve]]]) -> float | None:
    """What perfect play reaches, where that is known exactly: no regret, and a rate where the oracle graded the run."""
    if what == REGRET:
        return 0.0
    graded = next((run for run, ones in found if REGRET in ones and what in ones), None)
    if graded is None or not what.startswith(RATE):
        return None
    return perfect_rate(graded.config.game, what.removeprefix(RATE), graded.config.evaluation.opening)


def _draw_perfect(axes: Any, what: str, best: float) -> Any:
    """A line at what perfect play reaches, which is written above it where it is not 0."""
    if what != REGRET:
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, best), max(high, best + 0.03 * (high - low)))
        said = f"perfect play {_percent(round(best, 4))}"
        axes.set_title(said, fontsize=9, loc="right", color=QUIET)
    return axes.axhline(best, color=QUIET, linewidth=1.2, linestyle=(0, (5, 3)), zorder=3)


def _label(axes: Any, what: str) -> None:
    axes.set_title(
        short(what if what.startswith(RATE) else "regret a decision, by the oracle"), fontsize=10.5, loc="left"
    )
    if what.startswith(RATE):
        axes.yaxis.set_major_formatter(_percent)
        axes.set_ylim(*spanned(*axes.get_ylim()))
    else:
        axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
    axes.grid(axis="y", color=GRID)
    quiet(axes)


def _draw_metric(axes: Any, metric: str, found: Sequence[Drawn], shares: bool) -> None:
    """Draws a metric as each seed logged it; of a long log also its running mean."""
    for number, (run, _, log) in enumerate(found):
        colour, length = COLOURS[number % len(COLOURS)], run.config.episodes if shares else 1
        for lines in log.values():
            known = [(line["episode"] / length, line[metric]) for line in lines if metric in line]
            if known:
                at, values = np.array(known).T
                noisy = len(at) >= SMOOTH
                style = {"color": colour, "linewidth": THIN, "marker": "o" if len(at) == 1 else ""}
                axes.plot(at, values, alpha=0.25 if noisy else 0.9, **style)
                if noisy:
                    axes.plot(at, _smoothed(values), color=colour, linewidth=1.3)


def _smoothed(values: np.ndarray) -> np.ndarray:
    """The running mean over a twentieth of all, less at both ends."""
    half = max(1, len(values) // 40)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    places = np.arange(len(values))
    first, last = np.maximum(places - half, 0), np.minimum(places + half + 1, len(values))
    return (sums[last] - sums[first]) / (last - first)


def _label_metric(axes: Any, metric: str, counted: str) -> None:
    speed = f"training: {counted or 'speed'}{'' if counted == '' else ' a second'}"
    axes.set_title(speed if metric == SPEED else f"training: {metric.replace('_', ' ')}", fontsize=10.5, loc="left")
    if metric == SPEED:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda speed, _: tick_text(speed, axes.get_ylim()[1]))
    axes.grid(axis="y", color=GRID)
    quiet(axes)


def _label_length(axes: Any, counted: str) -> None:
    """Says what the training is counted in; without a word it is the share of the training that is done."""
    axes.set_xlabel(counted or "share of the training", color=QUIET)
    last = axes.dataLim.x1 or 1.0 if counted else max(1.0, axes.dataLim.x1)  # before the first episode it is 0
    axes.set_xlim(-0.012 * last, 1.012 * last)
    axes.xaxis.set_major_formatter((lambda done, _: tick_text(done, last)) if counted else _percent)


def _percent(share: float, _: Any = None) -> str:
    return f"{100 * share:.4g} %" if share < 1.0001 else ""  # of an axis that ends a little above 100 %


def spanned(low: float, high: float) -> tuple[float, float]:
    """The ends of a rate's axis, so far apart that small differences look small, and not beyond 0 and 100 %."""
    more = max(0.0, LEAST_SPAN - (high - low))
    top = min(high + more / 2, max(high, 1.0))
    bottom = max(top - (high - low) - more, min(low, 0.0))
    return bottom, max(top, bottom + LEAST_SPAN)

"""Learning curves as a picture: a panel for each opponent, one for the grade, and one for each of the main metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spielwerk.arena.measurement import RATE, is_main
from spielwerk.arena.plots import DOT, GRID, QUIET, quiet, save, short
from spielwerk.learn.figures import LearningCurve, count_text, curves
from spielwerk.learn.metrics import ALWAYS, SPEED
from spielwerk.learn.registry import length_name, length_names
from spielwerk.learn.runs import Run
from spielwerk.names import BadInput

COLOURS = (DOT, "#c2571a", "#3f8f4f", "#8a4f9e", "#b08a1e", "#4f9ea8", "#a83a4f", "#555555")
PANEL = (5.2, 3.6)  # inches
IN_A_ROW = 3
FIGURES = 4  # of a learner that are drawn
LINE = 0.24  # inches of the legend
FAINT = 0.18
LEAST_SPAN = 0.05  # of a rate's axis: less would show chance as if it were learning


def curve_plot(runs: Sequence[Run], title: str, path: Path) -> None:
    """Draws the curves of one run, or of several in the same panels."""
    save(lambda: curve_figure(runs, title), path)


def curve_figure(runs: Sequence[Run], title: str) -> Any:
    """A matplotlib figure of the curves of one run, or of several in the same panels."""
    found = [(run, curves(run)) for run in runs]
    shown = [what for what in dict.fromkeys(what for _, ones in found for what in ones) if is_main(what)]
    logs = [{seed: run.metrics(seed) for seed in run.config.seeds} for run in runs]
    metrics = metrics_drawn(line for log in logs for lines in log.values() for line in lines[-1:])
    if not shown and not metrics:
        raise BadInput(f"Nothing was measured yet of {', '.join(run.name for run in runs)}.")
    return _figure(found, shown, logs, metrics, title)


def metrics_drawn(lines: Iterable[Mapping[str, float]]) -> list[str]:
    """The metrics that have a panel: of each of these lines of logs the first few figures, and the speed."""
    found = dict.fromkeys(name for line in lines for name in [name for name in line if name not in ALWAYS][:FIGURES])
    return [*found, SPEED] if found else []


def _figure(
    found: Sequence[tuple[Run, Mapping[str, LearningCurve]]],
    shown: Sequence[str],
    logs: Sequence[Mapping[int, Sequence[Mapping[str, float]]]],
    metrics: Sequence[str],
    title: str,
) -> Any:
    from matplotlib.figure import Figure

    count = len(shown) + len(metrics)
    columns = min(count, IN_A_ROW)
    rows = -(-count // columns)
    height = PANEL[1] * rows + LINE * len(found) * (1 + bool(metrics)) + 0.5
    figure = Figure(figsize=(PANEL[0] * columns, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    panels = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    strength, others = panels[: len(shown)], panels[len(shown) : count]
    lines: dict[str, Any] = {}  # by what is said of them
    kinds = [run.config.kind for run, _ in found]
    shares = len(set(map(length_name, kinds))) > 1  # since episodes and generations have no axis in common
    for number, ((run, ones), log) in enumerate(zip(found, logs, strict=True)):
        name, colour = f"{run.name}: " if len(found) > 1 else "", COLOURS[number % len(COLOURS)]
        length = run.config.episodes if shares else 1
        for axes, what in zip(strength, shown, strict=True):
            if what in ones:
                said, line = _draw(axes, ones[what], colour, length)
                lines.setdefault(f"{name}{said}", line)
        for axes, metric in zip(others, metrics, strict=True):
            for one in _draw_metric(axes, metric, log, colour, length):
                lines.setdefault(f"{name}metrics: a line for each seed", one)
    for axes, what in zip(strength, shown, strict=True):
        _label(axes, what)
    for axes, metric in zip(others, metrics, strict=True):
        _label_metric(axes, metric)
    for axes in panels[:count]:
        _label_length(axes, "" if shares else length_names(kinds))
    for axes in panels[count:]:
        axes.set_visible(False)
    below = {"loc": "outside lower left", "frameon": False, "fontsize": 8, "labelcolor": QUIET}
    figure.legend(list(lines.values()), list(lines), **below)
    return figure


def _draw(axes: Any, curve: LearningCurve, colour: str, length: int) -> tuple[str, Any]:
    """Draws a curve, `length` being 1 on its axis; returns what line and band are, and the line."""
    at = curve.episodes / length
    low, high, said = curve.band()
    style = {"color": colour, "linewidth": 1.8}
    if len(curve.episodes) == 1:  # which is too narrow for a band
        ends = [curve.mean - low, high - curve.mean]
        bar = axes.errorbar(at, curve.mean, ends, marker="o", markersize=4, capsize=3, **style)
        return said.replace("band:", "bar:"), bar
    axes.fill_between(at, low, high, color=colour, alpha=FAINT, linewidth=0)
    return said, axes.plot(at, curve.mean, **style)[0]


def _label(axes: Any, what: str) -> None:
    axes.set_title(short(what if what.startswith(RATE) else "score lost a decision, by the oracle"), fontsize=10)
    if what.startswith(RATE):
        axes.yaxis.set_major_formatter(_percent)
        axes.set_ylim(*spanned(*axes.get_ylim()))
    else:
        axes.set_ylim(bottom=0)
    axes.grid(axis="y", color=GRID)
    quiet(axes)


def _draw_metric(
    axes: Any, metric: str, log: Mapping[int, Sequence[Mapping[str, float]]], colour: str, length: int
) -> Iterator[Any]:
    """Draws a metric as each seed logged it; the lines."""
    for lines in log.values():
        known = [line for line in lines if metric in line]
        if known:
            at = [line["episode"] / length for line in known]
            style = {"color": colour, "linewidth": 1, "alpha": 0.8, "marker": "o" if len(known) == 1 else ""}
            yield axes.plot(at, [line[metric] for line in known], **style)[0]


def _label_metric(axes: Any, metric: str) -> None:
    axes.set_title("speed, a second" if metric == SPEED else metric.replace("_", " "), fontsize=10)
    if metric == SPEED:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda speed, _: count_text(speed))
    axes.grid(axis="y", color=GRID)
    quiet(axes)


def _label_length(axes: Any, counted: str) -> None:
    """Says what the training is counted in; without a word it is the share of the training that is done."""
    axes.set_xlabel(counted or "share of the training")
    axes.set_xlim(0, None if counted else max(1.0, axes.get_xlim()[1]))
    axes.xaxis.set_major_formatter((lambda done, _: count_text(done)) if counted else _percent)


def _percent(share: float, _: Any = None) -> str:
    return f"{100 * share:.4g} %"


def spanned(low: float, high: float) -> tuple[float, float]:
    """The ends of a rate's axis, so far apart that small differences look small, and not beyond 0 and 100 %."""
    more = max(0.0, LEAST_SPAN - (high - low))
    top = min(high + more / 2, max(high, 1.0))
    bottom = max(top - (high - low) - more, min(low, 0.0))
    return bottom, max(top, bottom + LEAST_SPAN)

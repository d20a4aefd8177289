"""The plot of a grade: shares of good choices and the regret a decision, by phase and by source, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielwerk.arena.grading.examination import ExamReport
from spielwerk.arena.grading.grade import Grade
from spielwerk.arena.matches.statistics import Interval
from spielwerk.arena.plots import BAR, DOT, GRID, INK, ROW, quiet

SECOND, SECOND_BAR, GREY_BAR = "#c2571a", "#f0cdb6", "#cccccc"
GAP = 0.6  # rows between the whole, the phases and the sources
APART = 0.16  # rows between two dots of one line

Line = tuple[float, str, Grade]  # its place, what it is about, its figures


def _lines(report: ExamReport) -> list[Line]:
    """What is shown, from the top, with a gap between the groups."""
    lines: list[Line] = []
    for number, group in enumerate(report.groups()):
        top = len(lines) + GAP * number
        lines += [(top + i, label, part) for i, (label, part) in enumerate(group)]
    return lines


def grade_figure(report: ExamReport, title: str) -> Any:
    """A matplotlib figure of a report: on the left how often the choice was right, on the right what others cost."""
    from matplotlib.figure import Figure

    lines = _lines(report)
    figure = Figure(figsize=(9, 1.7 + ROW * (lines[-1][0] + 1)), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    shares, regrets = figure.subplots(1, 2)
    _shares(shares, lines)
    _regrets(regrets, lines)
    for axes in (shares, regrets):
        axes.set_ylim(lines[-1][0] + 0.6, -0.6)
        axes.grid(axis="x", color=GRID)
        quiet(axes)
    return figure


def _shares(axes: Any, lines: Sequence[Line]) -> None:
    apart = APART if lines[0][2].best_class is not None else 0.0
    perfect = [(place + apart, part.perfect, part.perfect_interval) for place, _, part in lines]
    classes = [
        (place - apart, part.best_class, part.best_class_interval)
        for place, _, part in lines
        if part.best_class is not None and part.best_class_interval is not None
    ]
    if classes:
        _dots(axes, classes, DOT, BAR, "keeps the best class")
    _dots(axes, perfect, SECOND, SECOND_BAR, "perfect")
    blind = [part.chance for _, _, part in lines]
    axes.plot(blind, [place - apart for place, _, _ in lines], "|", color=INK, markersize=9, label="by chance")
    axes.set_yticks([place for place, _, _ in lines], [f"{label}  ({part.decisions:,})" for _, label, part in lines])
    axes.set_xlabel("share of decisions, with 95 % intervals")
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=9, borderaxespad=0.1)


def _regrets(axes: Any, lines: Sequence[Line]) -> None:
    _dots(axes, [(place, part.regret, part.regret_interval) for place, _, part in lines], INK, GREY_BAR, "regret")
    axes.set_yticks([])
    axes.set_xlim(left=-0.02 * axes.get_xlim()[1])  # so that a dot at 0 is whole
    axes.set_xlabel("regret a decision (score), with 95 % intervals")
    for place, _, part in lines:
        axes.annotate(f"{part.regret:.4f}", (1, place), xycoords=("axes fraction", "data"), va="center", ha="left")


def _dots(axes: Any, rows: Sequence[tuple[float, float, Interval]], dot: str, bar: str, label: str) -> None:
    for place, _, interval in rows:
        axes.plot(interval, (place, place), color=bar, linewidth=5, solid_capstyle="round", zorder=1)
    values, places = [value for _, value, _ in rows], [place for place, _, _ in rows]
    axes.plot(values, places, "o", color=dot, markersize=6, markeredgecolor="white", label=label, zorder=2)

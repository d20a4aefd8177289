"""Learning curves as a picture: a panel for each opponent and one for the grade, with a band that says what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spielwerk.arena.measurement import RATE, is_main
from spielwerk.arena.plots import DOT, GRID, QUIET, quiet, save, short
from spielwerk.learn.figures import Curve, curves
from spielwerk.learn.runs import Run
from spielwerk.names import BadInput

COLOURS = (DOT, "#c2571a", "#3f8f4f", "#8a4f9e", "#b08a1e", "#4f9ea8", "#a83a4f", "#555555")
PANEL = (5.2, 3.6)  # inches
IN_A_ROW = 3
FAINT = 0.18


def curve_plot(runs: Sequence[Run], title: str, path: Path) -> None:
    """Draws the curves of one run, or of several in the same panels."""
    found = [(run, curves(run)) for run in runs]
    shown = [what for what in dict.fromkeys(what for _, ones in found for what in ones) if is_main(what)]
    if not shown:
        raise BadInput(f"Nothing was measured yet of {', '.join(run.name for run in runs)}.")
    save(lambda: _figure(found, shown, title), path)


def _figure(found: Sequence[tuple[Run, Mapping[str, Curve]]], shown: Sequence[str], title: str) -> Any:
    from matplotlib.figure import Figure

    columns = min(len(shown), IN_A_ROW)
    rows = -(-len(shown) // columns)
    figure = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows + 0.5), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    panels = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    for axes, what in zip(panels, shown, strict=False):
        for number, (run, ones) in enumerate(found):
            if what in ones:
                _draw(axes, ones[what], COLOURS[number % len(COLOURS)], f"{run.name}: " if len(found) > 1 else "")
        _label(axes, what)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    return figure


def _draw(axes: Any, curve: Curve, colour: str, label: str) -> None:
    low, high, band = curve.band()
    axes.fill_between(curve.episodes, low, high, color=colour, alpha=FAINT, linewidth=0)
    mark = "o" if len(curve.episodes) < 2 else None
    text = f"{label}{band}"
    axes.plot(curve.episodes, curve.mean, color=colour, linewidth=1.8, marker=mark, markersize=4, label=text)


def _label(axes: Any, what: str) -> None:
    axes.set_title(short(what if what.startswith(RATE) else "score lost a decision, by the oracle"), fontsize=10)
    axes.set_xlabel("episodes")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda episodes, _: _count(episodes))
    if what.startswith(RATE):
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.4g} %")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(axis="y", color=GRID)
    quiet(axes)
    axes.legend(frameon=False, fontsize=8, labelcolor=QUIET)


def _count(number: float) -> str:
    """Such as 250k or 5M."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:.4g}{letter}"
    return f"{number:.4g}"

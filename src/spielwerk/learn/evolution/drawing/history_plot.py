"""The plot of a history: what was recorded of an evolution, generation by generation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.arena.plots import DOT, GRID, QUIET, quiet, save
from spielwerk.learn.evolution.history.history import History
from spielwerk.learn.figures import count_text

COLOURS = (DOT, "#c2571a", "#3f8f4f")
PANEL = (4.6, 2.9)  # inches
IN_A_ROW = 3
SHARES = ("best_fitness", "mean_fitness", "wins", "grade", "positions", "points")  # that are shown in percent
PANELS: Mapping[str, Mapping[str, str]] = {  # what each shows, and what its lines are called
    "fitness": {"best_fitness": "best", "mean_fitness": "mean"},
    "wins of the champion": {"wins": "against earlier champions"},
    "right decisions of the champion": {
        "grade": "in games against perfect play",
        "positions": "in graded positions",
        "points": "points a move against earlier champions",
    },
    "turns of a game": {"turns": "mean"},
    "the champion's network": {"champion_hidden": "hidden nodes", "champion_edges": "edges"},
    "a genome on average": {"hidden_layers": "hidden layers", "layer_nodes": "nodes a layer", "edges": "edges"},
    "species": {"species": "species"},
}


def history_plot(history: History, title: str, path: Path) -> None:
    """Draws a panel for everything of which something was recorded."""
    save(lambda: _figure(history, title), path)


def _figure(history: History, title: str) -> Any:
    from matplotlib.figure import Figure

    shown = {what: _recorded(history, lines) for what, lines in PANELS.items()}
    shown = {what: lines for what, lines in shown.items() if lines}
    columns = min(len(shown), IN_A_ROW)
    rows = -(-len(shown) // columns)
    figure = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows + 0.4), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    panels = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    for axes, (what, lines) in zip(panels, shown.items(), strict=False):
        _panel(axes, history, what, lines)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    return figure


def _recorded(history: History, lines: Mapping[str, str]) -> dict[str, str]:
    """The lines of which there is something to draw: of species, more than one."""
    found = {name: label for name, label in lines.items() if not np.isnan(history.column(name)).all()}
    return {} if "species" in found and history.column("species").max() <= 1 else found


def _panel(axes: Any, history: History, what: str, lines: Mapping[str, str]) -> None:
    for (name, label), colour in zip(lines.items(), COLOURS, strict=False):
        values = history.column(name)
        alone = {"marker": "o", "markersize": 4} if len(values) == 1 else {}
        axes.plot(np.arange(len(values)), values, color=colour, linewidth=1.4, label=label, **alone)
    axes.set_title(what, fontsize=10)
    axes.set_xlabel("generation")
    axes.xaxis.set_major_formatter(lambda generation, _: count_text(generation))
    top = 1.03 if set(lines) & set(SHARES) else max(axes.get_ylim()[1], 1.0)
    axes.set_ylim(-0.02 * top, top)  # so that a line at 0 is whole
    if set(lines) & set(SHARES):
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    if len(lines) > 1 or what not in lines:
        axes.legend(frameon=False, fontsize=8, labelcolor=QUIET, loc="best")
    axes.grid(axis="y", color=GRID)
    quiet(axes)

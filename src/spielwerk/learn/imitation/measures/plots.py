"""How reliability is drawn: the precision of legal decisions over the share of them that is retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

from spielwerk.arena.plots import DOT, GRID, INK, quiet

COLOURS = (DOT, "#3d9a5f", "#8a5bb5", "#c7a008")
LOWEST = 0.9  # as the source draws it, unless a curve falls below


def reliability_figure(panels: Mapping[str, Mapping[str, Any]], across: int = 3) -> Any:
    """A panel for each set of facts, a line for each network, in all panels of the same colour."""
    from matplotlib.figure import Figure

    across = min(len(panels), across)
    down = -(-len(panels) // across)
    figure = Figure(figsize=(3.6 * across, 2.9 * down), layout="constrained")
    lowest = min(
        [LOWEST, *(min(one["precision"]) for said in panels.values() for one in said.values() if one["positions"])]
    )
    names = dict.fromkeys(name for said in panels.values() for name in said)
    colours = dict(zip(names, cycle(COLOURS), strict=False))
    for i, (title, said) in enumerate(panels.items()):
        axes = figure.add_subplot(down, across, i + 1)
        for name, one in said.items():
            if one["positions"]:
                recall = [(level + 1) / len(one["precision"]) for level in range(len(one["precision"]))]
                axes.plot(recall, one["precision"], color=colours[name], linewidth=1.8, label=name)
        axes.set_ylim(lowest - 0.002, 1.002)
        axes.set_title(title, fontsize=10, loc="left", color=INK)
        axes.set_xlabel("recall of legal decisions", fontsize=9)
        axes.set_ylabel("precision", fontsize=9)
        axes.grid(axis="y", color=GRID)
        axes.legend(frameon=False, fontsize=8, loc="lower left")
        quiet(axes)
    return figure

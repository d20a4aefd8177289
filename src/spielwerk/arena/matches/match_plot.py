"""The plot of a match: wins, draws and losses as one bar, and the rate with its interval above it."""

from __future__ import annotations

from typing import Any

from spielwerk.arena.matches.match import Match
from spielwerk.arena.plots import BAR, DOT, GRID, INK, QUIET, drawn, quiet, short

SHARES = (("won", DOT), ("drawn", "#c9c9c9"), ("lost", "#c2571a"))


def match_figure(match: Match) -> Any:
    """A matplotlib figure of a match, from the first agent's side."""
    from matplotlib.figure import Figure

    found, plan = match.summary, match.plan
    with drawn():
        figure = Figure(figsize=(8, 2.2), layout="constrained")
        first, second = map(short, plan.agents)
        figure.suptitle(f"{first} against {second}: {plan.game}, {found.games:,} games", x=0.01, ha="left", fontsize=12)
        axes = figure.add_subplot()
        left = 0.0
        for (label, colour), count in zip(SHARES, (found.wins, found.draws, found.losses), strict=True):
            axes.barh(0, count / found.games, 0.5, left, color=colour, label=f"{label} {count:,}")
            left += count / found.games
        axes.plot(found.rate_interval, (0.75, 0.75), color=BAR, linewidth=5, solid_capstyle="round")
        axes.plot([found.rate], [0.75], "o", color=DOT, markersize=7, markeredgecolor="white")
        axes.annotate(f"{100 * found.rate:.1f} %", (found.rate, 0.95), ha="center", color=INK)
        axes.axvline(0.5, color=QUIET, linewidth=0.8, linestyle=":")
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.4, 1.3)
        axes.set_yticks([0, 0.75], ["games", "rate"])
        axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axes.grid(axis="x", color=GRID)
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, 0), ncols=3, fontsize=9)
        quiet(axes)
    return figure

"""The picture of a review: the value over the game, and where it was thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.arena.plots import BAR, DOT, GRID, INK, QUIET, drawn, quiet, short
from spielwerk.arena.reviewing.review import BAD
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.reviewing.review import Review

WORST = "#c0392b"
NAMED = 6  # of the worst turns


def review_figure(review: Review) -> Any:
    """The value before each turn as the first side sees it; of the worst turns the move is named."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    judged = [turn for turn in review.turns if turn.value is not None]
    if not judged:
        raise BadInput("There is nothing to draw: no turn of the game was judged.")
    game = game_of(review.game)
    teams = game.constants["TEAM"]
    sides = [1 if teams[turn.player] == teams[0] else -1 for turn in judged]
    values = [side * (turn.value or 0.0) for side, turn in zip(sides, judged, strict=True)]
    numbers = [turn.number for turn in judged]
    bad = [place for place, turn in enumerate(judged) if turn.verdict in BAD]
    with drawn():
        figure = Figure(figsize=(8, 3.4), layout="constrained")
        figure.suptitle(f"{review.game}: {' – '.join(map(short, review.agents))}", x=0.01, ha="left", fontsize=12)
        axes = figure.add_subplot()
        axes.axhline(0, color=QUIET, linewidth=1)
        axes.fill_between(numbers, values, color=BAR, linewidth=0)
        axes.plot(numbers, values, color=DOT, linewidth=1.6)
        axes.plot([numbers[place] for place in bad], [values[place] for place in bad], "o", color=WORST, markersize=6)
        for place in sorted(bad, key=lambda place: -(judged[place].regret or 0.0))[:NAMED]:
            _name(axes, f"{judged[place].number}. {judged[place].move}", numbers[place], values[place])
        most = max(game.constants["BEST"] if not game.equities else 1, *map(abs, values))
        axes.set_ylim(-1.25 * most, 1.25 * most)  # room for the names of moves
        axes.set_yticks([-most, -most / 2, 0, most / 2, most])
        axes.set_xlabel("turn")
        axes.set_ylabel(f"value for {review.player_names[0]}")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.margins(x=0.06)
        axes.grid(axis="y", color=GRID)
        quiet(axes)
    return figure


def _name(axes: Any, text: str, turn: int, value: float) -> None:
    """The name of a move beside its point, readable on top of the line."""
    away, paper = (0, 9 if value >= 0 else -15), {"facecolor": "#ffffff", "linewidth": 0, "pad": 1, "alpha": 0.8}
    axes.annotate(text, (turn, value), away, textcoords="offset points", fontsize=8, ha="center", color=INK, bbox=paper)

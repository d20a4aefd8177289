"""The plots that the source shows of an experiment, from what every population records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from spielwerk.arena.plots import GRID, INK, QUIET, quiet
from spielwerk.studies import generation_plots
from spielwerk.studies.nim.arms import Runs
from spielwerk.studies.nim.training import POSITIONS, SOURCES, SOURCES_PERFECT
from spielwerk.studies.plots import COLOURS, THEIRS, titled
from spielwerk.studies.report import Draw

OVER = "generations evolved"
GRADES = {
    SOURCES: "the source's, against earlier champions",
    SOURCES_PERFECT: "the source's, against perfect play",
    POSITIONS: "ours, in all positions",
}
SIZES = {
    "champion_hidden": "champion: hidden nodes",
    "champion_edges": "champion: edges",
    "hidden_layers": "mean hidden layers",
    "layer_nodes": "mean nodes a hidden layer",
}
IN_A_ROW, PANEL = 2, (5.2, 2.7)  # games side by side; inches of one
HEADROOM = 1.15  # above the matches, for what is said of a turn


def plots_of(caption: str, runs: Runs, source: Mapping[str, Any]) -> dict[str, Draw]:
    """Grades, wins against earlier champions, sizes, turns, and two whole games early and late."""
    grades = {f"published: {source.get('about', '')}": source["grade"]} if "grade" in source else {}
    wins = {"published": source["wins"]} if "wins" in source else {}
    draw = generation_plots.courses
    return {
        "grades": partial(
            draw, f"{caption}: three grades of the champion", _lines(runs, GRADES), (OVER, "grade"), grades
        ),
        "wins": partial(
            draw, f"{caption}: wins against earlier champions", [runs.course("wins", "wins")], (OVER, "wins"), wins
        ),
        "sizes": partial(draw, f"{caption}: sizes", _lines(runs, SIZES), (OVER, "number"), percent=False),
        "turns": partial(
            draw, f"{caption}: turns of a game", [runs.course("turns", "turns")], (OVER, "turns"), percent=False
        ),
        "games": partial(whole_games, f"{caption}: whole games of the first population", runs.found[0]["shown"]),
    }


def _lines(runs: Runs, names: Mapping[str, str]) -> list[Any]:
    return [runs.course(name, label) for name, label in names.items()]


def whole_games(title: str, games: Sequence[Mapping[str, Any]]) -> Any:
    """A panel for each game, all on one scale: the matches before each turn, and how many of them who takes."""
    turns, matches = max(len(game["moves"]) for game in games), max(sum(game["states"][0]) for game in games)
    rows = -(-len(games) // IN_A_ROW)
    figure = titled(title, (PANEL[0] * IN_A_ROW, PANEL[1] * rows + 0.3))
    for i, game in enumerate(games):
        axes = figure.add_subplot(rows, IN_A_ROW, i + 1)
        _whole_game(axes, game)
        axes.set_xlim(0.4, turns + 0.6)
        axes.set_ylim(0, matches * HEADROOM)
        axes.set_xticks(range(1, turns + 1))
        axes.set_yticks(range(0, matches + 1, max(1, matches // 4)))
    return figure


def _whole_game(axes: Any, game: Mapping[str, Any]) -> None:
    for turn, (state, move) in enumerate(zip(game["states"], game["moves"], strict=True)):
        mine, there = turn % 2 == game["seat"], sum(state)
        colour, take = COLOURS[0] if mine else QUIET, move[1] if move else 0
        axes.bar(turn + 1, there - take, color=GRID, width=0.7)
        axes.bar(turn + 1, take, bottom=there - take, color=colour, width=0.7)
        stack = f" of stack {move[0] + 1}" if move and len(state) > 1 else ""
        said = f"−{take}{stack}" if move else "illegal"
        axes.text(turn + 1, there, said, ha="center", va="bottom", fontsize=8, color=INK if move else THEIRS)
    axes.set_title(
        f"champion {game['generation']} (blue) against champion {game['against']} (grey)", fontsize=9, loc="left"
    )
    axes.set_xlabel("turn")
    axes.set_ylabel("matches", fontsize=9)
    quiet(axes)

"""What is said of the generations of an evolution: their figures as facts, rows and CSV, their games as text."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

from spielwerk.arena.figures import percent

if TYPE_CHECKING:
    from spielwerk.learn.evolution.history.history import History
    from spielwerk.learn.evolution.history.whole_games import WholeGame

SHOWN = 25  # lines of a table, unless all are asked for
NUMBER, LAYERS = "generation", "champion_layers"  # what is listed of a generation besides the columns of its history
FIGURES = {  # what is recorded: what a table calls it, and how it is written
    "best_fitness": (">best", percent),
    "mean_fitness": (">mean", percent),
    "wins": (">wins", percent),
    "grade": (">grade", percent),
    "positions": (">positions", percent),
    "loss": (">regret", "{:.4f}".format),
    "turns": (">turns", "{:.1f}".format),
    "hidden_layers": (">layers", "{:.2f}".format),
    "layer_nodes": (">nodes a layer", "{:.2f}".format),
    "edges": (">edges", "{:.1f}".format),
    "species": (">species", "{:.0f}".format),
}
COLUMNS = (f">{NUMBER}", *(title for title, _ in FIGURES.values()), ">champion", ">its edges")
SPARE = [[">regret"], [">edges"], [">nodes a layer"], [">layers"], [">species"], [">mean"], [">positions"], [">turns"]]


def facts(history: History, number: int) -> dict[str, Any]:
    """What is recorded of a generation; None where there is nothing to say."""
    values = zip(history.columns, history.rows[number].tolist(), strict=True)
    figures = {name: None if math.isnan(value) else value for name, value in values}
    return {NUMBER: number, **figures, LAYERS: [size for size in history.layer_sizes[number].tolist() if size]}


def row(history: History, number: int) -> list[str]:
    """A generation as a line of a table."""
    found = facts(history, number)
    texts = ("" if found[name] is None else form(found[name]) for name, (_, form) in FIGURES.items())
    return [f"{number:,}", *texts, layers_text(found[LAYERS]), f"{found['champion_edges']:,.0f}"]


def thinned(count: int) -> list[int]:
    """About as many of so many generations as a table shows: evenly spread, with the last one."""
    return sorted({*range(0, count, -(-count // SHOWN)), count - 1})


def csv_of(history: History) -> str:
    """Every generation, a line each."""
    text = io.StringIO()
    table = csv.DictWriter(text, [NUMBER, *history.columns, LAYERS], lineterminator="\n")
    table.writeheader()
    for number in range(len(history.rows)):
        found = facts(history, number)
        table.writerow(found | {LAYERS: layers_text(found[LAYERS])})
    return text.getvalue()


def layers_text(sizes: list[int]) -> str:
    """Such as 4-2-1: the nodes of each layer, from inputs to outputs."""
    return "-".join(map(str, sizes))


def game_text(one: WholeGame) -> str:
    """A whole game for people: who plays whom, a turn a line, how it ended."""
    from spielwerk.arena.records.record import written

    names = one.end.game.player_names
    mine, other = (
        " and ".join(name for name, own in zip(names, one.seats, strict=True) if own == side) for side in (1, 0)
    )
    title = f"The champion of generation {one.generation} ({mine}) against that of generation {one.against} ({other})"
    begun = f", from {one.start}" if one.start else ""
    turns = [written(one.end.game, number, turn) for number, turn in enumerate(one.record.turns, 1)]
    return "\n".join([f"{title}{begun}:", "", *turns, "", _ended(one)])


def _ended(one: WholeGame) -> str:
    from spielwerk.terminal import status

    if one.record.fault:
        player, reason = one.record.fault
        return f"{one.end.game.player_names[player]} forfeited: {reason}."
    if not one.whole:
        return f"Only the first {one.kept:,} actions and rolls were kept."
    return "Too long: it counts as drawn." if one.record.cut else status(one.end)

"""What is said of the generations of an evolution: their figures as rows, their games as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.arena.figures import percent

if TYPE_CHECKING:
    from spielwerk.learn.evolution.history.history import History
    from spielwerk.learn.evolution.history.whole_games import WholeGame

SHOWN = 25  # lines of a table, unless all are asked for
FIGURES = {  # what is recorded: what a table calls it, and how it is written
    "best_fitness": (">best", percent),
    "mean_fitness": (">mean", percent),
    "wins": (">wins", percent),
    "grade": (">grade", percent),
    "positions": (">positions", percent),
    "regret": (">regret", "{:.4f}".format),
    "turns": (">turns", "{:.1f}".format),
    "hidden_layers": (">layers", "{:.2f}".format),
    "layer_nodes": (">nodes a layer", "{:.2f}".format),
    "edges": (">edges", "{:.1f}".format),
    "species": (">species", "{:.0f}".format),
}
COLUMNS = (">generation", *(title for title, _ in FIGURES.values()), ">champion", ">its edges")
SPARE = [[">regret"], [">edges"], [">nodes a layer"], [">layers"], [">species"], [">mean"], [">positions"], [">turns"]]


def row(history: History, number: int) -> list[str]:
    """A generation as a line of a table."""
    from spielwerk.learn.evolution.history.history import LAYERS
    from spielwerk.learn.evolution.history.history_csv import layers_text

    found = history.facts(number)
    texts = ("" if found[name] is None else form(found[name]) for name, (_, form) in FIGURES.items())
    return [f"{number:,}", *texts, layers_text(found[LAYERS]), f"{found['champion_edges']:,.0f}"]


def thinned(count: int) -> list[int]:
    """About as many of so many generations as a table shows: evenly spread, with the last one."""
    return sorted({*range(0, count, -(-count // SHOWN)), count - 1})


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

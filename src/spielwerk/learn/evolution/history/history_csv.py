"""A history as a table in CSV."""

from __future__ import annotations

import csv
import io

from spielwerk.learn.evolution.history.history import LAYERS, NUMBER, History


def history_csv(history: History) -> str:
    """Every generation, a line each."""
    text = io.StringIO()
    table = csv.DictWriter(text, [NUMBER, *history.columns, LAYERS], lineterminator="\n")
    table.writeheader()
    for number in range(len(history.rows)):
        found = history.facts(number)
        table.writerow(found | {LAYERS: layers_text(found[LAYERS])})
    return text.getvalue()


def layers_text(sizes: list[int]) -> str:
    """Such as 4-2-1: the nodes of each layer, from inputs to outputs."""
    return "-".join(map(str, sizes))

"""Perft: in how many ways a game can go, turn by turn; the strictest test of a move generator.

A way is a sequence of whole turns; before a turn, each outcome of chance makes a way of its own. Equal
positions are looked at once and counted as often as they are reached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spielwerk.games.position import Position


def perft(position: Position, depth: int) -> Iterator[int]:
    """The number of ways after 1, 2, … `depth` turns."""
    frontier = Counter({position: 1})
    for _ in range(depth):
        reached: Counter[Position] = Counter()
        for before, ways in frontier.items():
            for rolled in _rolled(before):
                for turn in rolled.turns():
                    reached[turn.end] += ways
        yield reached.total()
        frontier = reached


def _rolled(position: Position) -> list[Position]:
    """The position after each outcome, or itself where nothing is rolled."""
    outcomes = [outcome for outcome, _ in position.outcomes()]
    return [position.roll(outcome) for outcome in outcomes] if position.chance else [position]

"""The strategy in the source's log of stacks 1–8, graded as the source grades: which reading of its grade fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from spielwerk.arena.matches.statistics import Interval

Takes = Mapping[int, int]  # how many matches a strategy takes, by the size of the stack


def completions(log: Sequence[Sequence[int]], most: int) -> Iterator[Takes]:
    """The log as a whole strategy: where it shows nothing, as many as any move of it, in all ways."""
    shown = {row[0]: row[1] for row in log}
    missing = [stack for stack in range(1, 1 + max(shown)) if stack not in shown]
    for takes in product(range(1, 1 + most), repeat=len(missing)):
        chosen = dict(zip(missing, takes, strict=True))
        yield shown | {stack: min(take, stack) for stack, take in chosen.items()}


def points_a_move(takes: Takes, other: Takes) -> float:
    """Points a move from every stack and both seats; a point is for all matches but one, and for a single match."""
    points = moves = 0
    for start, seat in product(takes, (0, 1)):
        stack, turn = start, 0
        while stack:
            take = (takes if turn % 2 == seat else other)[stack]
            if turn % 2 == seat:
                moves += 1
                points += take == max(1, stack - 1)
            stack, turn = stack - take, turn + 1
    return points / moves


def ranges(log: Sequence[Sequence[int]], most: int) -> tuple[Interval, Interval]:
    """The lowest and the highest grade against itself, and against perfect play."""
    strategies = list(completions(log, most))
    perfect = {stack: max(1, stack - 1) for stack in strategies[0]}
    alone = [points_a_move(takes, takes) for takes in strategies]
    against = [points_a_move(takes, perfect) for takes in strategies]
    return (min(alone), max(alone)), (min(against), max(against))


def note(log: Sequence[Sequence[int]], most: int, grade: float) -> str:
    """What the log says of the published grade."""
    (low, high), (least, largest) = (tuple(100 * end for end in found) for found in ranges(log, most))
    moves = ", ".join(f"{stack} takes {take}" for stack, take in log)
    fits = "fits games among champions that are alike" if low < 100 * grade <= high else "fits neither"
    return (
        f"The strategy that the source's log shows ({moves}; 1 to {most} where it shows nothing) has {low:.1f} to "
        f"{high:.1f} % points a move against itself and {least:.1f} to {largest:.1f} % against perfect play; what the "
        f"source says, somewhere above {100 * grade:.0f} %, {fits}."
    )

"""Who meets whom: everyone everyone, or, in a Swiss tournament, those who did as well so far."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

Pair = tuple[str, str]

BYE = ""  # whom an agent meets who has no opponent in a round


def round_robin(agents: Sequence[str]) -> list[Pair]:
    """All pairs, each once."""
    return list(itertools.combinations(agents, 2))


def most_rounds(agents: int) -> int:
    """The Swiss rounds in which so many agents can always be paired without meeting twice, whatever the results."""
    return (agents + 1) // 2


def swiss(standings: Sequence[str], past: Collection[frozenset[str]]) -> list[Pair]:
    """Pairs neighbours in the standings that have not met; of an odd number one of the last has a bye, nobody twice.

    `past` holds the pairs of earlier rounds, byes included.
    """
    waiting = [*standings, BYE] if len(standings) % 2 else list(standings)
    pairs: list[Pair] = []
    left: list[str] = []
    while waiting:
        one = waiting.pop(0)
        other = next((other for other in waiting if {one, other} not in past), None)
        if other is None:
            left.append(one)
        else:
            waiting.remove(other)
            pairs.append((one, other))
    while left:
        _make_room(pairs, left.pop(), left.pop(), past)
    return pairs


def _make_room(pairs: list[Pair], last: str, other: str, past: Collection[frozenset[str]]) -> None:
    """Breaks up the lowest pair of which each of two agents can meet one.

    There is one: of at most n - 2 agents in pairs each of the two has met fewer than half (see `most_rounds`), so that
    in some pair at least three of the four meetings are new.
    """
    for i in reversed(range(len(pairs))):
        for one, two in (pairs[i], pairs[i][::-1]):
            if {one, other} not in past and {two, last} not in past:
                pairs[i : i + 1] = [(one, other), (two, last)]
                return
    raise ValueError(f"{other} and {last} have met too many to be paired again")

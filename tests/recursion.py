"""The slowest oracle and the surest: the rules alone, followed to the end of the game."""

from __future__ import annotations

from functools import cache
from typing import Any

import spielwerk as sw
from spielwerk.solvers.oracle import Oracle, Truth


@cache
def expected(position: sw.Position) -> float:
    """What player 0 expects when both sides play as well as possible."""
    if position.scores is not None:
        return position.scores[0]
    if position.chance:
        return sum(share * expected(position.roll(outcome)) for outcome, share in position.outcomes())
    values = [expected(turn.end) for turn in position.turns()]
    return max(values) if position.mover == 0 else min(values)


@cache
def turns_left(position: sw.Position) -> int:
    """How many turns the game takes when who wins hurries and who loses tarries; no chance, no draws."""
    if position.over:
        return 0
    ends = [turn.end for turn in position.turns() if expected(turn.end) == expected(position)]
    wins = expected(position) * (1, -1)[position.mover] > 0
    return 1 + (min if wins else max)(turns_left(end) for end in ends)


class Recursion(Oracle):
    """Knows every position of a small game, or those that are `known`."""

    complete = True

    def known(self, position: sw.Position) -> bool:
        """Everything; a subclass may know less."""
        return True

    def truth(self, position: sw.Position) -> Truth | None:
        """By the rules alone."""
        if not self.known(position):
            return None
        player = position.roller if position.chance else position.mover
        value = expected(position) * (1, -1)[player]
        timed = value != 0 and not self.game.constants["MOST_OUTCOMES"]
        return Truth(value, turns_left(position) if timed else None)

    def limits(self) -> str:
        """In words."""
        return "every position" if self.complete else "small positions"


class Small(Recursion):
    """Knows nim with at most four matches."""

    complete = False

    def known(self, position: sw.Position) -> bool:
        """Few matches."""
        return sum(position.words[1:]) <= 4


def use(monkeypatch: Any, kind: type[Oracle]) -> None:
    """Makes `kind` the oracle of every game."""
    for module in ("spielwerk.agents.oracle", "spielwerk.solvers.oracle"):
        monkeypatch.setattr(f"{module}.oracle", lambda game, **settings: kind(game))

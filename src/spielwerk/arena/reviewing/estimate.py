"""Estimate: a value and its error. What two values differ by counts only where it is more than their errors together.

| judge | error of a value |
|---|---|
| the oracle, the end of the game | none |
| an agent whose error was measured | the measured one of a difference, shared by both values |
| a tree search | twice the standard error of as many results as the search has visits |
| any other agent | `UNMEASURED` of the highest score |
"""

from __future__ import annotations

import math
from typing import NamedTuple

from spielwerk.arena.analysis import Judged
from spielwerk.games.game import Game

SURE = 2.0  # standard errors within which 95 % of all values lie
PRIOR = 4  # results, half of them won, that are added to those of a search: a move seen once is not certain
UNMEASURED = 0.1


class Estimate(NamedTuple):
    """The score that a player can expect, and how far that may be wrong."""

    value: float
    error: float = 0.0

    def turned(self, sign: int) -> Estimate:
        """As the other side sees it, for a sign of -1."""
        return Estimate(sign * self.value, self.error)


def margin(one: Estimate, other: Estimate) -> float:
    """How much two values must differ by for the difference to mean anything."""
    return math.hypot(one.error, other.error)


def estimate_of(game: Game, judged: Judged, measured: float | None) -> Estimate:
    """What an agent says of a move, and its error; `measured` is that of a difference, where it is known."""
    best, value = game.constants["BEST"], judged.value
    assert value is not None
    if measured is not None:
        return Estimate(value, measured / math.sqrt(2))
    if judged.visits is None:
        return Estimate(value, UNMEASURED * best / math.sqrt(2))
    return Estimate(value, SURE * 2 * best * _standard_error((value / best + 1) / 2, judged.visits))


def mean(estimates: list[tuple[float, Estimate]]) -> Estimate:
    """The mean with these shares; the errors of one judge may all go the same way."""
    return Estimate(
        sum(share * one.value for share, one in estimates), sum(share * one.error for share, one in estimates)
    )


def _standard_error(reward: float, visits: int) -> float:
    """Of the mean of so many results from 0 to 1 (Agresti and Coull)."""
    count = visits + PRIOR
    likely = (reward * visits + PRIOR / 2) / count
    return math.sqrt(likely * (1 - likely) / count)

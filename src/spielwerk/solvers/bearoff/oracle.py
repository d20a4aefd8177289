"""Backgammon's bear-off, exactly: what both sides can expect when all checkers are at home and few are left.

Two tables. Two-sided: the expected score of the player on roll for any two positions of at most six checkers. One-sided
(six points, fifteen checkers): how many rolls a side needs alone, if it plays for the lowest average.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.boards.backgammon import HOME, PLANES, planes_of
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import setting
from spielwerk.solvers.bearoff import tables
from spielwerk.solvers.bearoff.index import MOST, POINTS, BearOffIndex, build, rank_of
from spielwerk.solvers.bearoff.kernels import MOST_ENDS, ending_rows, value_of
from spielwerk.solvers.oracle import Oracle, SolveProgress, Truth, no_progress


@dataclass(frozen=True)
class Settings:
    """The settings of the bear-off oracle."""

    checkers: int = setting(6, "most checkers of a side in the two-sided table; with 10 it has 0.5 GB", 1, 10)


@dataclass(frozen=True)
class Rolls:
    """How many rolls a side needs to bear off alone."""

    expected: float
    chances: np.ndarray  # of 0, 1, 2 … rolls


class BearOff(Oracle):
    """Knows every position in which both sides have all checkers at home and at most `checkers` left."""

    Settings = Settings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings or Settings())
        self.most: int = min(self.settings.checkers, game.constants["CHECKERS"])

    def truth(self, position: Position) -> Truth | None:
        """The score that the player to act or to roll can expect."""
        if not all(0 < _left(position, player) <= self.most for player in (0, 1)):
            return None
        work, firsts, seconds, _ = self.game.workspace()
        ends = np.zeros(MOST_ENDS, np.int32)
        value = self._value(position.state, work, firsts, seconds, ends, self.index.boards, self.two_sided)
        return Truth(float(value))

    def endings(self, batch: Batch) -> np.ndarray:
        """Before a roll, from the two-sided table."""
        found = np.full(len(batch), np.nan)
        batch.run(ending_rows, batch.states, np.array([self.most]), self.two_sided, found)
        return found

    def ready(self) -> None:
        """Makes or opens the two-sided table."""
        assert len(self.two_sided)

    def limits(self) -> str:
        """Which bear-offs it knows."""
        return f"positions with all checkers at home, at most {self.most} a side"

    def rolls(self, position: Position, player: int) -> Rolls | None:
        """The rolls that a player needs alone if it plays for few on average; None unless its checkers are at home."""
        if _left(position, player) < 0:
            return None
        row = self.one_sided[self._rank(position.state, planes_of(player))]
        return Rolls(float(row[0]), row[1:])

    def race_estimate(self, position: Position) -> float | None:
        """Nearly the probability that the player on roll wins: as if both sides played for few rolls on average."""
        if not position.chance:
            return None
        own, other = self.rolls(position, position.roller), self.rolls(position, 1 - position.roller)
        if own is None or other is None:
            return None
        needs_as_many = np.cumsum(other.chances[::-1])[::-1]
        return float(own.chances @ needs_as_many)

    @cached_property
    def index(self) -> BearOffIndex:
        """The positions of a side in the two-sided table."""
        return build(self.most)

    @cached_property
    def two_sided(self) -> np.ndarray:
        """[on roll, other]: the expected score of the player on roll, also for kernels (`value_of`)."""
        return tables.two_sided(self.game, self.index)

    @cached_property
    def one_sided(self) -> np.ndarray:
        """[position, expected rolls and the probability of 0, 1, 2 … rolls]."""
        return tables.one_sided(self.game)

    @cached_property
    def _value(self) -> Callable[..., float]:
        return self.game.kernel(value_of)

    @cached_property
    def _rank(self) -> Callable[..., int]:
        return self.game.kernel(rank_of)


def _left(position: Position, player: int) -> int:
    """How many checkers a player has left; -1 where one of them is not at home."""
    planes = position.words[planes_of(player) : planes_of(player) + PLANES]
    if max(planes) > HOME:
        return -1
    return sum(plane.bit_count() << digit for digit, plane in enumerate(planes))


def solve(game: Game, settings: Any = None, callback: SolveProgress = no_progress) -> dict[str, Any]:
    """Makes both tables, or opens them where they are; what `spielwerk solve` prints."""
    began = time.perf_counter()
    oracle = BearOff(game, settings)
    index, alone = oracle.index, build(MOST)
    total = alone.most_pips + 2 * index.most_pips
    rolls = tables.one_sided(game, lambda done, _: callback(done, total))
    values = tables.two_sided(game, index, lambda done, _: callback(alone.most_pips + done, total))
    callback(total, total)
    longest, start = (POINTS,) * MOST, (POINTS,) * oracle.most
    return {
        "game": game.name,
        "states": len(alone) + len(index) ** 2,
        "seconds": time.perf_counter() - began,
        "checkers": oracle.most,
        "expected_rolls": {"15 on 6": float(rolls[alone.rank(*longest), 0])},
        "values": {f"{oracle.most} on 6 each": float(values[(index.rank(*start),) * 2])},
    }

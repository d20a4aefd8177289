"""Nim, solved: the number of turns to the end from every position below the stacks, which also says who wins.

A number for each position: the turns to the end if the mover wins, -1 - the turns if it loses. Positions are numbered
so that taking matches leads to a smaller number: to the base of each stack's size + 1; with `simple`, where only one
stack is filled and the empty ones do not matter, by its matches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.nim import LARGEST, LAST_LOSES, SIMPLE, SIZES, STACKS
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of
from spielwerk.games.rules import moves, play
from spielwerk.solvers import tables
from spielwerk.solvers.oracle import Oracle, SolveProgress, Truth
from spielwerk.solvers.tables import Table

ENTRY = np.dtype(np.int16)
AT_ONCE = 1 << 20  # positions between two reports


@dataclass(frozen=True)
class Settings:
    """The nim oracle has none."""


def number_of(state):
    """The number of a position."""
    number = 0
    for stack in range(STACKS):
        number = number + state[1 + stack] if SIMPLE else number * (SIZES[stack] + 1) + state[1 + stack]
    return number


def set_up(number, state):
    """Writes the position with a number; player 0 is to move."""
    state[0] = 0
    for i in range(STACKS):
        stack = STACKS - 1 - i
        size = SIZES[stack] + 1
        if SIMPLE:
            state[1 + stack] = number if SIZES[stack] == LARGEST else 0
            number -= state[1 + stack]
        else:
            state[1 + stack] = number % size
            number //= size


def decide(first, last, state, actions, codes):
    """The codes of positions `first` to `last - 1`, when those of all smaller numbers are known."""
    for number in range(first, last):
        set_up(number, state)
        soonest = -1
        latest = -1
        n = moves(state, actions)
        for i in range(n):
            play(state, actions[i])
            code = codes[number_of(state)]
            set_up(number, state)
            if code < 0:  # the other side loses, in -1 - code turns
                soonest = -code if soonest < 0 else min(soonest, -code)
            else:
                latest = max(latest, code + 1)
        if n == 0:  # whoever is to move did not take the last match
            codes[number] = 0 if LAST_LOSES else -1
        else:
            codes[number] = soonest if soonest > 0 else -1 - latest


class NimOracle(Oracle):
    """Knows every position."""

    Settings = Settings
    complete = True

    @cached_property
    def table(self) -> Table:
        """The codes of all positions, read or made."""
        return made(self.game, lambda done, total: None)

    @cached_property
    def _number_of(self) -> Callable[..., Any]:
        return self.game.kernel(number_of)

    def truth(self, position: Position) -> Truth:
        """Who wins, and in how many turns."""
        code = int(self.table[self._number_of(position.state)])
        return Truth(1.0, code) if code >= 0 else Truth(-1.0, -1 - code)

    def limits(self) -> str:
        """Everything."""
        return "every position"


def made(game: Game, callback: SolveProgress) -> Table:
    """The table of a game, read or computed; random sizes of the stacks do not change it."""
    fixed = game_of("nim", target=game.target, **asdict(game.settings) | {"sizes": "fixed"})
    folder, count = tables.folder(fixed.name), positions(game)
    about = {"game": fixed.name, "holds": "turns to the end; -1 - turns where the mover loses"}

    def make() -> np.ndarray:
        tables.need(folder, disk=count * ENTRY.itemsize, memory=count * ENTRY.itemsize)
        codes = np.zeros(count, ENTRY)
        state, actions, *_ = game.workspace()
        for first in range(0, count, AT_ONCE):
            last = min(first + AT_ONCE, count)
            game.kernel(decide)(first, last, state, actions, codes)
            callback(last, count)
        return codes

    return tables.opened_or_made(folder / "turns.table", about, make, count, ENTRY)


def positions(game: Game) -> int:
    """How many positions the table holds; who is to move does not matter."""
    sizes = game.constants["SIZES"].tolist()
    return max(sizes) + 1 if game.settings.simple else prod(size + 1 for size in sizes)


def solve(game: Game, settings: Settings, callback: SolveProgress) -> dict[str, Any]:
    """Makes the table; the facts about it and about the start (for random starts, the largest)."""
    began = time.perf_counter()
    codes = made(game, callback)
    start = int(codes[positions(game) - 1])
    value, turns = (1, start) if start >= 0 else (-1, -1 - start)
    seconds = time.perf_counter() - began
    return {"game": game.name, "states": positions(game), "seconds": seconds, "value": value, "turns": turns}

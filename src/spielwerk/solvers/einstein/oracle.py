"""EinStein for two players: the exact expectation of every position, or of those with few stones on the board."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.games.einstein import BITS, GONE
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, setting
from spielwerk.solvers import tables
from spielwerk.solvers.einstein import response
from spielwerk.solvers.einstein.index import EinsteinIndex, build, estimated_slots, slot_of_state, with_fixed_start
from spielwerk.solvers.einstein.values import FINE, WON, EinsteinSolver, slots_after
from spielwerk.solvers.oracle import Oracle, SolveProgress, Truth
from spielwerk.solvers.tables import Table

FEW = 4  # stones on the board in the tables of games that are too large
WHOLE = 1 << 25  # slots up to which a game is solved whole without being asked
EXACT = 1 << 26  # slots that are kept as float64
BOARDS_WITH_RESPONSE = (3, 4)


@dataclass(frozen=True)
class Settings:
    """The settings of the EinStein oracle."""

    stones: int = setting(0, f"the most stones on the board; 0: all if that takes seconds, otherwise {FEW}")


class EinsteinOracle(Oracle):
    """Knows the positions with at most `most` stones on the board."""

    Settings = Settings

    def __init__(self, game: Game, settings: Settings | None = None) -> None:
        super().__init__(game, settings or Settings())
        self.most = most_stones(game, self.settings.stones)
        self.complete = self.most == 2 * game.constants["STONES"]

    @cached_property
    def values(self) -> Values:
        """The tables, read or made."""
        return values(self.game, self.most, lambda done, total: None)

    @cached_property
    def _kernels(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        return self.game.kernel(slot_of_state), self.game.kernel(slots_after)

    def truth(self, position: Position) -> Truth | None:
        """What the player to act, or to roll, can expect; where the die decides there is no distance."""
        if not self.complete and stones_of(position) > self.most:
            return None
        slot_here, slots_ahead = self._kernels
        state, maps = position.state, self.values.index.maps
        if position.chance:
            return Truth(self.values[slot_here(state, maps)])
        actions, slots = np.zeros((2, self.game.constants["MOST_MOVES"]), np.int64)
        n = slots_ahead(state, actions, slots, maps)
        return Truth(max(1.0 if slot == WON else -self.values[slot] for slot in slots[:n].tolist()))

    def rate_against_random(self) -> float | None:
        """Of the small boards with the fixed start; it takes seconds."""
        settings = self.game.settings
        if not self.complete or settings.board not in BOARDS_WITH_RESPONSE or settings.start != "fixed":
            return None
        return response.met(self.game, response.optimal(self.values.for_kernels())).mean

    def limits(self) -> str:
        """How many stones."""
        return "every position" if self.complete else f"positions with at most {self.most} stones on the board"


@dataclass(frozen=True)
class Values:
    """The tables of a game: exact values, and for the largest numbers of stones rounded ones."""

    index: EinsteinIndex
    exact: Table
    rounded: Table | None

    def __getitem__(self, slot: int) -> float:
        exact = len(self.exact.array)
        if slot < exact or self.rounded is None:
            return float(self.exact[slot])
        return float(self.rounded[slot - exact]) / FINE

    def for_kernels(self) -> tuple[Any, Any]:
        """What `probe` (see `values.py`) takes as `tables`."""
        rounded = np.zeros(1, np.int16) if self.rounded is None else np.asarray(self.rounded.whole())
        return self.index.maps, (np.asarray(self.exact.whole()), rounded)


def most_stones(game: Game, asked: int) -> int:
    """How many stones on the board the tables go up to."""
    if game.players != 2:
        raise BadInput(f"{game.name} cannot be solved: only EinStein for two players can.")
    every = 2 * game.constants["STONES"]
    if asked and not 2 <= asked <= every:
        raise BadInput(f"oracle: stones cannot be {asked} in {game.name}; possible: 2 to {every}, or 0.")
    return asked or (every if estimated_slots(game, every) <= WHOLE else FEW)


def stones_of(position: Position) -> int:
    """How many stones are on the board."""
    shifts = range(0, BITS * position.game.constants["STONES"], BITS)
    return sum(word >> shift & GONE != GONE for word in position.words[2:] for shift in shifts)


def values(game: Game, most: int, callback: SolveProgress) -> Values:
    """The values of positions with at most `most` stones, read or computed."""
    last = max(n for n in range(2, most + 1) if n == 2 or estimated_slots(game, n) <= EXACT)
    _need(game, last, most)
    index = build(game, most)
    exact = _table(game, index, (2, last), None, callback)
    rounded = _table(game, index, (last + 1, most), exact, callback) if last < most else None
    return Values(index, exact, rounded)


def _path(game: Game, least: int, most: int) -> Path:
    return tables.folder(with_fixed_start(game).name) / f"stones-{least}-{most}.table"


def _need(game: Game, last: int, most: int) -> None:
    """Refuses what does not fit, before even the index is made; the exact values go up to `last` stones."""
    slots = estimated_slots(game, last)
    exact, rounded = 8 * slots, 2 * (estimated_slots(game, most) - slots)
    folder = _path(game, 2, last).parent
    if rounded and not _path(game, last + 1, most).exists():
        tables.need(folder, disk=exact + rounded, memory=exact + rounded)
    elif not _path(game, 2, last).exists():
        tables.need(folder, disk=exact, memory=exact)


def _table(
    game: Game, index: EinsteinIndex, stones: tuple[int, int], exact: Table | None, callback: SolveProgress
) -> Table:
    """The table for numbers of stones from one to another, rounded if it comes after the `exact` one."""
    least, most = stones
    count, dtype = index.ends[most] - index.ends[least - 1], np.float64 if exact is None else np.int16

    def make() -> np.ndarray:
        made = np.zeros(count, dtype)
        both = (made, np.zeros(1, np.int16)) if exact is None else (np.array(exact.whole()), made)
        EinsteinSolver(game, index).solve(range(least, most + 1), both, callback)
        return made

    about = {"game": with_fixed_start(game).name, "holds": "expected score of who rolls", "stones": [least, most]}
    return tables.opened_or_made(_path(game, least, most), about, make, int(count), dtype)


def solve(game: Game, settings: Settings, callback: SolveProgress) -> dict[str, Any]:
    """Makes the tables; the facts about them, and the first player's probability of winning from the fixed start."""
    began = time.perf_counter()
    oracle = EinsteinOracle(game, settings)
    known = values(game, oracle.most, callback)
    seconds = time.perf_counter() - began
    facts = {"game": game.name, "stones": oracle.most, "states": known.index.ends[-1], "seconds": seconds}
    if oracle.complete:
        slot = game.kernel(slot_of_state)(with_fixed_start(game).start().state, known.index.maps)
        facts["value"] = (1 + known[slot]) / 2
    if oracle.complete and game.settings.board in BOARDS_WITH_RESPONSE:
        optimal = response.met(game, response.optimal(known.for_kernels()))
        facts["against_random"] = {"optimal": optimal.mean, "ceiling": response.best_response(game).mean}
    return facts

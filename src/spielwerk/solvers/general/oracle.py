"""The oracle of every game that has none of its own: exact, as long as the game is small.

All positions that can follow the start are solved and kept by `spielwerk solve`. Without that, a game of at most
`QUICK` positions is solved in memory when the oracle is first asked. A position that does not follow from the start, or
only from a random set-up that was not drawn, is solved when it is asked about, with all that can follow from it.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, setting
from spielwerk.solvers.general.solution import Solution, opened, path_of, save, solved
from spielwerk.solvers.general.solver import GeneralSolver, TooLarge, starts
from spielwerk.solvers.oracle import Oracle, SolveProgress, Truth

QUICK = 1_000_000  # positions that are solved in seconds
MOST = 1 << 30


@dataclass(frozen=True)
class Settings:
    """What the general solver may use."""

    positions: int = setting(10_000_000, "the most positions", 1, MOST)
    memory: float = setting(4.0, "gigabytes of memory", 0.001, 1e6)


@dataclass(frozen=True)
class GeneralOracleSettings:
    """The general oracle has none."""


class GeneralOracle(Oracle):
    """Knows every position of a small game."""

    Settings = GeneralOracleSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.complete = game.states <= QUICK or path_of(game).exists()  # as far as is known without long work
        self._too_far: set[tuple[int, ...]] = set()
        self._solving = threading.Lock()  # `_more` grows, and threads may share the oracle

    @cached_property
    def known(self) -> Solution:
        """All that follows from the start, read or computed; BadInput where that is too much."""
        found = opened(self.game)
        if found:
            return found[0]
        solver = GeneralSolver(self.game, QUICK, Settings.memory)
        try:
            solver.add(starts(self.game, solver.most))
        except TooLarge:
            advice = f'"spielwerk solve {self.game.name}" takes more time and memory, and keeps what it finds.'
            raise BadInput(f"{self.game.name} is too large to be solved at once; {advice}") from None
        return solved(solver)

    def truth(self, position: Position) -> Truth | None:
        """What the player to act, or to roll, can expect, and the turns to the end; None if that is too far."""
        state = position.state
        index = self.known.find(state)
        if index >= 0:
            return truth_of(position, self.known.values[index], int(self.known.turns[index]))
        with self._solving:
            if not self._solved_now(position):
                return None
            index = self._more.find(state)
            return truth_of(position, self._more.store.values[index], int(self._more.store.turns[index]))

    def ready(self) -> None:
        """Solves the game, or opens its table."""
        self.known  # noqa: B018 (it is kept)

    def limits(self) -> str:
        """Everything that can come up in a game."""
        return "every position"

    @cached_property
    def _more(self) -> GeneralSolver:
        return GeneralSolver(self.game, QUICK, Settings.memory)

    def _solved_now(self, position: Position) -> bool:
        """Solves a position that does not follow from the known starts; False where it cannot."""
        if position.words in self._too_far:
            return False
        try:
            if self._more.find(position.state) < 0:
                self._more.add([position.state])
        except TooLarge:
            self._too_far.add(position.words)
            return False
        return True


def truth_of(position: Position, values: np.ndarray, turns: int) -> Truth:
    """The truth about a position as the player to act, or to roll, sees it."""
    teams = position.game.constants["TEAM"]
    acting = position.roller if position.chance else position.mover
    if len(values) > 1:
        scores = tuple(float(values[team]) for team in teams)
        return Truth(scores[acting], None, scores)
    value = float(values[0]) if teams[acting] == 0 else 0.0 - float(values[0])
    return Truth(value, turns if turns >= 0 and value else None)


def solve(game: Game, settings: Settings, callback: SolveProgress) -> dict[str, Any]:
    """Makes the table, or opens it; the facts about it, and what the player who begins can expect."""
    found = opened(game)
    if found:
        return found[1]
    began = time.perf_counter()
    solver = GeneralSolver(game, settings.positions, settings.memory, callback)
    roots = starts(game, solver.most)
    solver.add(roots)
    everything = solved(solver)
    facts: dict[str, Any] = {"game": game.name, "states": solver.positions, "starts": len(roots)}
    if len(roots) == 1:
        index = everything.find(roots[0])
        start = truth_of(Position(game, roots[0]), everything.values[index], int(everything.turns[index]))
        facts |= {"value": start.value, "turns": start.distance}
    facts["seconds"] = time.perf_counter() - began
    save(everything, facts)
    return facts

"""The oracle of Othello: the exact value of positions near the end, found by search; small boards from the start.

A value is the score with best play of both: the lead in discs divided by the number of cells, where discs are scored,
otherwise 1, 0 or -1. Distances are not known, since a game lasts until nobody can place, whoever wins.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.threads import thread_pool
from spielwerk.names import BadInput, setting
from spielwerk.solvers.oracle import Oracle, SolveProgress, Truth
from spielwerk.solvers.othello.solver import OthelloSolver, empty_cells

QUICK = {8: 16, 6: 20, 4: 12}  # by the size of the board: empty cells that take some hundredths of a second
MOST_EMPTY = 60
MOST_NODES = 1 << 27
PER_MILLE = 1000
PORTIONS = 16  # for each thread, since some positions are harder than others


@dataclass(frozen=True)
class Settings:
    """The settings of the oracle of othello."""

    empties: int = setting(
        0, "empty cells up to which positions are solved; 0: 16 on 8×8, 20 on 6×6, all on 4×4", 0, MOST_EMPTY
    )
    nodes: int = setting(1 << 20, "positions in the transposition table", 2, MOST_NODES)


class OthelloOracle(Oracle):
    """Solves a position when it is asked about it; the search remembers what it found out for the next."""

    Settings = Settings

    def __init__(self, game: Game, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        super().__init__(game, settings)
        self.empties = settings.empties or QUICK[game.constants["SIZE"]]
        self.complete = self.empties >= game.constants["CELLS"] - 4
        self._solvers: SimpleQueue[OthelloSolver] = SimpleQueue()  # those at rest

    def truth(self, position: Position) -> Truth | None:
        """The value of a position; None if it has too many empty cells."""
        return self.truths([position])[0]

    def truths(self, positions: Sequence[Position], threads: int = 1) -> list[Truth | None]:
        """The truth about many positions, in portions for each thread."""
        if threads == 1 or len(positions) < 2:
            return self._solved(positions)
        size = -(-len(positions) // (PORTIONS * threads))
        portions = [positions[first : first + size] for first in range(0, len(positions), size)]
        with thread_pool(threads) as pool:
            return [truth for found in pool.map(self._solved, portions) for truth in found]

    def limits(self) -> str:
        """How many cells may be empty."""
        return "every position" if self.complete else f"positions with at most {self.empties} empty cells"

    def _solved(self, positions: Sequence[Position]) -> list[Truth | None]:
        known = [not position.over and empty_cells(position) <= self.empties for position in positions]
        if not any(known):
            return [None] * len(positions)
        solver = self._solver()
        found = [Truth(solver.score(at)) if solved else None for at, solved in zip(positions, known, strict=True)]
        self._solvers.put(solver)
        return found

    def _solver(self) -> OthelloSolver:
        """One that nobody uses: each thread needs its own."""
        try:
            return self._solvers.get_nowait()
        except Empty:
            return OthelloSolver(self.game, self.settings.nodes)


def solve(game: Game, settings: Settings, callback: SolveProgress) -> dict[str, Any]:
    """Solves a small board from the start: the score of the first player, and the discs it leads by if they count."""
    if game.constants["SIZE"] > 6:
        limits = OthelloOracle(game, settings).limits()
        raise BadInput(
            f"{game.name} is too large to be solved completely, unlike 4×4 and 6×6; its oracle knows {limits}."
        )
    begun = time.perf_counter()
    solver = OthelloSolver(game, settings.nodes, lambda share: callback(int(PER_MILLE * share), PER_MILLE))
    start = game.start()
    value = 0.0 - solver.score(start.play(start.actions()[0]))  # the four first placements are images of each other
    callback(PER_MILLE, PER_MILLE)
    facts: dict[str, Any] = {"game": game.name, "value": value}
    if game.constants["BY_DISCS"]:
        facts["discs"] = round(value * game.constants["CELLS"])
    return facts | {"states": solver.seen, "seconds": time.perf_counter() - begun}

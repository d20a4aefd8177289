"""OthelloSolver: asks the search one question after the other until the value of an Othello position is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk import folders
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.bits import count, wrap
from spielwerk.solvers.othello import search
from spielwerk.solvers.othello.table import ENTRY
from spielwerk.solvers.tables import need

PORTION = 1_000_000  # steps between two looks at the progress: some tenths of a second
WORD = 8  # bytes
DEEP = 8  # frames that matter for the progress


def empty_cells(position: Position) -> int:
    """How many cells are empty."""
    return position.game.constants["CELLS"] - count(position.words[1] | position.words[2])


class OthelloSolver:
    """Finds values, and remembers as many positions as `nodes` says."""

    def __init__(self, game: Game, nodes: int, callback: Callable[[float], None] = lambda share: None) -> None:
        self.game, self.callback = game, callback
        size, cells = game.constants["SIZE"], game.constants["CELLS"]
        entries = 1 << nodes.bit_length() - 1
        need(folders.home(), memory=WORD * ENTRY * entries)
        frames = game.constants["LONGEST"] + 2
        self.memory = search.OthelloMemory(
            counters=np.zeros(search.COUNTERS, np.int64),
            frames=np.zeros((frames, search.FIELDS), np.int64),
            lists=np.zeros((frames, game.constants["MOST_MOVES"], search.CHILD), np.int64),
            table=np.zeros((entries, ENTRY), np.int64),
            around=np.array([_around(cell, size) for cell in range(cells)], np.int64),
        )
        self.bindings: dict[str, Any] = {"QUADRANTS": _quadrants(size)}

    @property
    def seen(self) -> int:
        """Positions with at least four empty cells that were looked at, all in all."""
        return int(self.memory.counters[search.SEEN])

    def score(self, position: Position) -> float:
        """The score that the mover of a position can expect."""
        own, other = position.words[1 + position.mover], position.words[2 - position.mover]
        self.memory.counters[search.AGE] += 1
        if self.game.constants["BY_DISCS"]:
            return self.lead(own, other) / self.game.constants["CELLS"]
        return float(self.sign(own, other))

    def lead(self, own: int, other: int) -> int:
        """The lead in discs at the end; each question is whether the last answer was the value."""
        low, high = -self.game.constants["CELLS"], self.game.constants["CELLS"]
        question = -1
        while low < high:
            answer = self.ask(own, other, question)
            if answer > question:
                low = question = answer
            else:
                high, question = answer, answer - 1
        return low

    def sign(self, own: int, other: int) -> int:
        """1 for a win, 0 for a draw, -1 for a loss."""
        if self.ask(own, other, 0) > 0:
            return 1
        return 0 if self.ask(own, other, -1) > -1 else -1

    def ask(self, own: int, other: int, low: int) -> int:
        """A bound of the value: at most the value if it is above `low`, otherwise at least the value."""
        self._kernel(search.begin)(own, other, low, self.memory)
        while not self._kernel(search.proceed)(PORTION, self.memory):
            self.callback(self._share())
        return int(self.memory.frames[0, search.BEST])

    def _kernel(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return self.game.kernel(function, **self.bindings)

    def _share(self) -> float:
        """How much of the present question is done, as if all placements that are left needed the same time."""
        share, part = 0.0, 1.0
        for number, tried in self.memory.frames[:DEEP, [search.COUNT, search.TRIED]].tolist():
            if number < 1 or tried < 1:
                break
            share += part * (tried - 1) / number
            part /= number
        return share


def _around(cell: int, size: int) -> int:
    """The cells beside a cell."""
    row, column = divmod(cell, size)
    rows, columns = range(max(row - 1, 0), min(row + 2, size)), range(max(column - 1, 0), min(column + 2, size))
    return wrap(sum(1 << y * size + x for y in rows for x in columns if (y, x) != (row, column)))


def _quadrants(size: int) -> tuple[int, ...]:
    """The four quarters of the board, from the top left."""
    half = size // 2
    corners = [(row, column) for row in (0, half) for column in (0, half)]
    return tuple(
        wrap(sum(1 << y * size + x for y in range(row, row + half) for x in range(column, column + half)))
        for row, column in corners
    )

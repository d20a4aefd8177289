"""Square boards: cells that share a side, and cells that touch at a corner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spielwerk.games.cells.grid import neighbours
from spielwerk.games.game import Game
from spielwerk.games.graphs import Graph


def from_the_top(game: Game) -> Graph:
    """The first row is rank 1, as in Othello, where a disc is placed on a cell, or nothing is done."""
    size = game.constants["SIZE"]
    placements = tuple((-1, cell) for cell in range(size * size))
    return replace(_grid(size, range(1, size + 1)), actions=(*placements, (-1, -1)))


def from_the_bottom(game: Game) -> Graph:
    """The last row is rank 1, as in EinStein."""
    return _grid(game.constants["SIZE"], range(game.constants["SIZE"], 0, -1))


def _grid(size: int, ranks: Iterable[int]) -> Graph:
    """Cells are numbered row by row."""
    pairs = [(cell, other) for cell, around in enumerate(neighbours(size)) for other in around if cell < other]
    sides = tuple(pair for pair in pairs if pair[1] - pair[0] in (1, size))
    diagonals = tuple(pair for pair in pairs if pair not in sides)
    names = tuple(f"{file}{rank}" for rank in ranks for file in "abcdefgh"[:size])
    return Graph(names, {"side": sides, "diagonal": diagonals})

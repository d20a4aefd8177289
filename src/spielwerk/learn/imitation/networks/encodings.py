"""Encodings: how the points of a board lie for a network, in a row, on a grid, or as rings on top of each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.games.game import Game
from spielwerk.learn.imitation.settings import CUBE, GRID, KIND
from spielwerk.names import BadInput

FILTERS = (32, 64)  # of the two layers over the board


@dataclass(frozen=True, eq=False)
class Encoding:
    """Which input lies where: `places` [planes, cells] are numbers of inputs, -1 where there is no point."""

    places: np.ndarray
    shape: tuple[int, ...]  # of the cells
    inputs: int  # of the board; those that follow tell of the whole position and of decided parts


def encoding_of(game: Game, encoding: str) -> Encoding:
    """How the board of a game lies; BadInput where it has no grid, or no rings."""
    shape = game.input_form(game.move_parts.inputs)[0]
    if game.kind == "morris":
        cells, size = _morris(game, encoding)
    elif encoding == GRID and len(shape) == 3:
        cells, size = np.arange(shape[1] * shape[2]), shape[1:]
    else:
        raise BadInput(f"{KIND}: encoding={encoding} needs a board that lies so; {game.name} has none.")
    points = int(cells.max()) + 1
    planes = 3 if game.kind == "morris" else shape[0]
    places = np.stack([np.where(cells >= 0, plane * points + cells, -1) for plane in range(planes)])
    return Encoding(places, tuple(size), planes * points)


def _morris(game: Game, encoding: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """The number of the point in each cell, -1 in the others, and the sizes: 7 × 7, or 3 rings of 3 × 3."""
    from spielwerk.games.boards.morris import places

    points = places(game.settings.rules)
    rings = max(x for x, _ in points)
    size = (rings, 3, 3) if encoding == CUBE else (2 * rings + 1, 2 * rings + 1)
    cells = np.full(size, -1)
    for number, (x, y) in enumerate(points):
        ring = max(abs(x), abs(y))
        where = (ring - 1, 1 - y // ring, 1 + x // ring) if encoding == CUBE else (rings - y, rings + x)
        cells[where] = number
    return cells.reshape(-1), size

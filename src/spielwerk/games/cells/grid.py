"""Square boards: which cells touch, and the rectangles in them. Cells are numbered row by row."""

from __future__ import annotations

from itertools import product

from spielwerk.games.cells import Cells


def neighbours(size: int) -> tuple[Cells, ...]:
    """The up to eight cells around each cell."""
    every = list(product(range(size), repeat=2))
    return tuple(
        tuple(size * r + c for r, c in every if max(abs(r - row), abs(c - column)) == 1) for row, column in every
    )


def rectangles(size: int, height: int, width: int) -> tuple[Cells, ...]:
    """Every rectangle of that height and width, row by row."""
    corners = product(range(size - height + 1), range(size - width + 1))
    return tuple(rectangle(size, row, column, height, width) for row, column in corners)


def rectangle(size: int, row: int, column: int, height: int, width: int) -> Cells:
    """The rectangle with that top-left corner."""
    return tuple(size * (row + down) + column + right for down, right in product(range(height), range(width)))

"""Which n-tuples a network uses: a set that the game names, random ones, or those that a person writes."""

from __future__ import annotations

import re

import numpy as np

from spielwerk import names
from spielwerk.games.cells import Cells, Layout
from spielwerk.learn.td.settings import POINTS, WALK
from spielwerk.names import BadInput

TRIES = 1000  # for one random tuple that has not been drawn yet


def chosen(layout: Layout, tuples: str, count: int, length: int, rng: np.random.Generator) -> tuple[Cells, ...]:
    """The tuples that `tuples` asks for; `count` and `length` are those of random ones.

    `tuples` is a named set of the layout ("" the usual one); "walk": cells one after the other along neighbours;
    "points": any cells of the board; or a list such as "a1-a2-b1 c1-c2".
    """
    text = tuples.strip()
    if text in (WALK, POINTS):
        return _random(layout, text, count, length, rng)
    if not text or text in layout.tuples:
        return layout.tuples[text or next(iter(layout.tuples))]
    if not re.search(r"[-;\s]", text) and text not in layout.names:
        example = "-".join(layout.names[:2])
        known = [*layout.tuples, WALK, POINTS]
        raise names.unknown("td has no tuples", text, known, f'Possible, besides a list such as "{example}"')
    return tuple(_written(layout, part) for part in re.split(r"[;\s]+", text.strip("; ")))


def _written(layout: Layout, text: str) -> Cells:
    """The tuple that a person has written as cells with hyphens between them."""
    cells = text.split("-")
    if len(cells) > 1 and "" in cells:
        raise BadInput(f'tuples: a cell is missing {"after" if cells[0] else "before"} a hyphen in "{text}".')
    for cell in cells:
        if cell not in layout.names:
            raise names.unknown(f'tuples: "{text}" leaves the board; there is no cell', cell, layout.names, "Cells")
        if cells.count(cell) > 1:
            raise BadInput(f'tuples: "{text}" has the cell {cell} twice.')
    return tuple(map(layout.names.index, cells))


def _random(layout: Layout, kind: str, count: int, length: int, rng: np.random.Generator) -> tuple[Cells, ...]:
    """Different random tuples of cells of the board."""
    board = [cell for cell, around in enumerate(layout.neighbours) if around]
    if length > len(board):
        raise BadInput(f"tuples: {length} cells are more than the {len(board)} of the board.")
    found: dict[frozenset[int], Cells] = {}
    for _ in range(count):
        for _ in range(TRIES):
            cells = _walk(layout, board, length, rng) if kind == WALK else _points(board, length, rng)
            if len(cells) == length and frozenset(cells) not in found:
                found[frozenset(cells)] = cells
                break
        else:
            raise BadInput(
                f"tuples: {kind} found only {len(found)} of {count} different tuples of {length} cells; "
                "take fewer or shorter ones."
            )
    return tuple(found.values())


def _points(board: list[int], length: int, rng: np.random.Generator) -> Cells:
    """Any cells."""
    return tuple(rng.choice(board, length, replace=False).tolist())


def _walk(layout: Layout, board: list[int], length: int, rng: np.random.Generator) -> Cells:
    """Each cell a neighbour of the one before; fewer than `length` where the walk is stuck."""
    cells = [board[rng.integers(len(board))]]
    while len(cells) < length:
        ways = [cell for cell in layout.neighbours[cells[-1]] if cell not in cells]
        if not ways:
            break
        cells.append(ways[rng.integers(len(ways))])
    return tuple(cells)

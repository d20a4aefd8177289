"""Drawings of n-tuples: for each a small board on which its cells are numbered, as a picture and as text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from spielwerk.arena.figures import counted
from spielwerk.games.face.svg import Drawing
from spielwerk.games.scenes import Place
from spielwerk.games.scenes.showing import stage_of
from spielwerk.learn.td.tuple_set import TupleSet

BOX, GAP, MARGIN, CAPTION = 132.0, 26.0, 20.0, 34.0  # of a small board, between two, around all, below each
ACROSS, ACROSS_TEXT = 6, 76  # small boards in a row of a picture; letters in a row of text
EMPTY = "·"
PER_LINE = 3  # cells that are no place of the board, in a line below it


@dataclass(frozen=True)
class SmallBoard:
    """The places of a board that tuples look at, scaled to a box."""

    tuples: TupleSet

    @cached_property
    def places(self) -> dict[int, Place]:
        """The place of each cell that is one; the others say something about the board as a whole."""
        known = {place.id: place for place in stage_of(self.tuples.game).places}
        names = self.tuples.layout.names
        found = {cell: known.get(name) or known.get(name.removeprefix("p")) for cell, name in enumerate(names)}
        return {cell: place for cell, place in found.items() if place is not None}

    @cached_property
    def bounds(self) -> tuple[float, float, float]:
        """The least x, the least y, and by how much the board is made smaller."""
        if not self.places:
            return 0.0, 0.0, 1.0
        left = min(place.x - place.width / 2 for place in self.places.values())
        top = min(place.y - place.height / 2 for place in self.places.values())
        right = max(place.x + place.width / 2 for place in self.places.values())
        bottom = max(place.y + place.height / 2 for place in self.places.values())
        return left, top, BOX / max(right - left, bottom - top)

    def draw(self, drawing: Drawing, x: float, y: float, cells: tuple[int, ...]) -> None:
        """One tuple with its upper left corner at (x, y); nothing where it looks at no place of the board."""
        left, top, scale = self.bounds
        if not any(cell in self.places for cell in cells):
            return
        for cell, place in self.places.items():
            at = x + scale * (place.x - left), y + scale * (place.y - top)
            width, height = 0.9 * scale * place.width, 0.9 * scale * place.height
            colour = "blue" if cell in cells else "field"
            round_by = min(width, height) / 2 if place.round else 2
            drawing.rectangle(at[0] - width / 2, at[1] - height / 2, width, height, colour, round_by)
            if cell in cells:
                drawing.text(*at, str(cells.index(cell) + 1), min(width, height) / 1.8, "white")

    def text(self, cells: tuple[int, ...]) -> list[str]:
        """One tuple as lines of text: its cells numbered, on the board as it is seen, where it looks at any place."""
        if not any(cell in self.places for cell in cells):
            return []
        rows = sorted({place.y for place in self.places.values()})
        columns = sorted({place.x for place in self.places.values()})
        letters = [[" "] * len(columns) for _ in rows]
        for cell, place in self.places.items():
            mark = _mark(cells.index(cell)) if cell in cells else EMPTY
            letters[rows.index(place.y)][columns.index(place.x)] = mark
        return [" ".join(row) for row in letters]

    def others(self, cells: tuple[int, ...]) -> list[str]:
        """The cells of a tuple that are no place of the board, a few in a line."""
        names = [self.tuples.layout.names[cell] for cell in cells if cell not in self.places]
        return [" ".join(names[first : first + PER_LINE]) for first in range(0, len(names), PER_LINE)]


def picture(tuples: TupleSet) -> Drawing:
    """All tuples, each on a small board."""
    board, count = SmallBoard(tuples), len(tuples.tuples)
    across = min(ACROSS, count)
    tall = (BOX if board.places else 0) + CAPTION + 12 * max(len(board.others(cells)) for cells in tuples.tuples)
    rows = -(-count // across)
    width = 2 * MARGIN + across * BOX + (across - 1) * GAP
    drawing = Drawing(width, 2 * MARGIN + 24 + rows * tall, title(tuples))
    drawing.text(MARGIN, MARGIN, title(tuples), 14, anchor="start")
    for number, cells in enumerate(tuples.tuples):
        x, y = MARGIN + number % across * (BOX + GAP), MARGIN + 24 + number // across * tall
        board.draw(drawing, x, y, cells)
        below = y + (BOX if board.places else 0) + 12
        for line, text in enumerate([f"{tuples.weights(cells):,} weights", *board.others(cells)]):
            drawing.text(x + BOX / 2, below + 12 * line, text, 10, "line")
    return drawing


def text(tuples: TupleSet) -> str:
    """All tuples as text, as many side by side as a terminal has room for."""
    board = SmallBoard(tuples)
    blocks = [[*board.text(cells), *board.others(cells)] for cells in tuples.tuples]
    width = max(len(line) for block in blocks for line in block) + 3
    across = max(1, ACROSS_TEXT // width)
    lines = [title(tuples)]
    for first in range(0, len(blocks), across):
        row = blocks[first : first + across]
        tall = max(map(len, row))
        lines.append("")
        for line in range(tall):
            lines.append("".join((block[line] if line < len(block) else "").ljust(width) for block in row).rstrip())
    return "\n".join(lines)


def title(tuples: TupleSet) -> str:
    """What is shown."""
    whole, count = sum(map(tuples.weights, tuples.tuples)), len(tuples.tuples)
    looked = f", which look at {tuples.places} places" if tuples.places != count else ""
    coding = f"{tuples.game.name}, coding {tuples.layout.coding}"
    return f"{coding}: {counted(count, 'tuple')}{looked}, {whole:,} weights in a set"


def _mark(number: int) -> str:
    """The number of a cell in its tuple, as one letter."""
    return "123456789abcdefghijklmnopqrstuvwxyz"[number] if number < 35 else "#"

"""Any game to be seen: a board of cells where its text is one, else a picture of its own, and moves from a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.face.svg import Drawing
from spielwerk.games.scenes import Hop, Label, Place, Scene, Stage

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

CELL, EDGE, LONGEST = 56, 16, 3  # a cell holds so many letters
MOVES = "moves"


def stage(game: Game) -> Stage:
    """Cells for the words of the board, or the picture that the game draws."""
    cells = _cells(game.start())
    if not cells:
        drawing = game.face.drawing(game.start())
        return Stage(drawing.width, drawing.height, (), listed=True)
    ground = Drawing(CELL * len(cells[0]) + 2 * EDGE, CELL * len(cells) + 2 * EDGE)
    ground.rectangle(2, 2, ground.width - 4, ground.height - 4, "board", 12)
    places = [Place(_name(x, y), *_spot(x, y), CELL, CELL) for y, row in enumerate(cells) for x in range(len(row))]
    return Stage(ground.width, ground.height, tuple(ground.shapes), tuple(places), listed=True)


def scene(position: Position) -> Scene:
    """What the text of the board says, cell by cell; where it has changed its form, the picture."""
    cells = _cells(position)
    if not cells or len(cells) != len(_cells(position.game.start())):
        return Scene(ground=tuple(position.game.face.drawing(position).shapes))
    words = [(word, x, y) for y, row in enumerate(cells) for x, word in enumerate(row)]
    labels = tuple(Label(word, *_spot(x, y), 26 - 4 * len(word), "ink") for word, x, y in words)
    return Scene(names={_name(x, y): f"row {y + 1}, column {x + 1}: {word}" for word, x, y in words}, labels=labels)


def hops(turn: Turn) -> tuple[Hop, ...]:
    """Chosen from the list by its text."""
    return (Hop("", f"{MOVES} {turn.text}"),)


def _cells(position: Position) -> list[list[str]]:
    """The words of the board's lines, if there are as many in each; a line of coordinates may be one short."""
    rows = [line.split() for line in position.board().splitlines()]
    width = max(map(len, rows), default=0)
    rows = [["·"] * (width - len(row)) + row if width - len(row) == 1 else row for row in rows]
    fitting = len(rows) > 1 and width > 1 and {len(row) for row in rows} == {width}
    return rows if fitting and max(len(word) for row in rows for word in row) <= LONGEST else []


def _name(x: int, y: int) -> str:
    return f"{x + 1}.{y + 1}"


def _spot(x: int, y: int) -> tuple[float, float]:
    return EDGE + CELL * (x + 0.5), EDGE + CELL * (y + 0.5)

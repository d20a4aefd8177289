"""Othello to be seen and touched: discs on dull green; a cell is touched to place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spielwerk.games.face.othello import FILES, NAMES, numbers_of
from spielwerk.games.face.svg import Drawing
from spielwerk.games.scenes import HALF_TURN, PASS, UPRIGHT, Hop, Piece, Place, Scene, Stage
from spielwerk.games.scenes.looks import coordinates, stone

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn
    from spielwerk.games.scenes import PartialTurn

CELL, EDGE = 56, 34


def stage(game: Game) -> Stage:
    """The green board in its frame, letters above and numbers at the left."""
    size = game.constants["SIZE"]
    width = CELL * size
    ground = Drawing(width + 2 * EDGE, width + 2 * EDGE)
    ground.rectangle(2, 2, ground.width - 4, ground.height - 4, "board", 12)
    ground.rectangle(EDGE - 4, EDGE - 4, width + 8, width + 8, "seam", 4)
    ground.rectangle(EDGE, EDGE, width, width, "felt", 1)
    for number in range(1, size):
        at = EDGE + CELL * number
        ground.line(EDGE, at, EDGE + width, at, 1.5, "seam")
        ground.line(at, EDGE, at, EDGE + width, 1.5, "seam")
    for y in (2, size - 2) if size > 4 else ():
        for x in (2, size - 2):
            ground.dot(EDGE + CELL * x, EDGE + CELL * y, 4, "seam")
    middle = EDGE + CELL / 2
    ranks = [str(number + 1) for number in range(size)]
    labels = coordinates(FILES[:size], middle, CELL, EDGE / 2 - 1)
    labels += coordinates(ranks, middle, CELL, EDGE / 2 - 1, down=True)
    places = [Place(_name(cell, size), *_spot(cell, size), CELL, CELL) for cell in range(size**2)]
    looks = {name: stone(0.4 * CELL, name) for name in NAMES}
    return Stage(
        *(ground.width, ground.height, tuple(ground.shapes), tuple(places), looks, tuple(labels)),
        colours=NAMES,
        centre=(ground.width / 2, ground.height / 2),
        views=(UPRIGHT, HALF_TURN),
    )


def scene(position: Position) -> Scene:
    """The discs, and how many there are of each colour."""
    size = position.game.constants["SIZE"]
    pieces, names = [], {}
    for cell in range(size**2):
        name = _name(cell, size)
        colour = next((NAMES[player] for player in (0, 1) if position.words[1 + player] >> cell & 1), "")
        names[name] = f"{name}, {colour or 'empty'}"
        if colour:
            pieces.append(Piece(colour, name, *_spot(cell, size)))
    seats = tuple(f"{number} disc{'s' * (number != 1)}" for number in numbers_of(position))
    return Scene(tuple(pieces), names, seats=seats)


def hops(turn: Turn) -> tuple[Hop, ...]:
    """The cell of the new disc, or the pass."""
    return (Hop("", turn.text),) if turn.text != PASS else (Hop("", PASS),)


def task(partial: PartialTurn) -> str:
    """To place a disc, or to pass where none can be placed."""
    return "place a disc" if _can_place(partial.shown) else "no disc can be placed, pass"


def refusal(partial: PartialTurn, hop: Hop) -> str:
    """The cell is taken, or a disc there would enclose none."""
    if any(piece.place == hop.target for piece in scene(partial.shown).pieces):
        return f"A disc cannot be placed on {hop.target}, which is taken."
    why = "it would turn no other over" if _can_place(partial.shown) else "there is no cell for one, so pass"
    return f"A disc cannot be placed on {hop.target}: {why}."


def margin(position: Position) -> str:
    """The discs of the winner and of the loser."""
    most, least = sorted(numbers_of(position), reverse=True)
    return f"{most}–{least}"


def _can_place(position: Position) -> bool:
    return position.words[3] != 0


def _name(cell: int, size: int) -> str:
    return f"{FILES[cell % size]}{cell // size + 1}"


def _spot(cell: int, size: int) -> tuple[float, float]:
    return EDGE + CELL * (cell % size + 0.5), EDGE + CELL * (cell // size + 0.5)


def brushes(game: Game) -> tuple[str, ...]:
    """Discs of both colours."""
    return NAMES


def composed(game: Game, puts: Sequence[tuple[str, str]], mover: int) -> str:
    """The rows, and the mover."""
    size, signs = game.constants["SIZE"], {place: "XO"[NAMES.index(look)] for place, look in puts}
    cells = [signs.get(_name(cell, size), ".") for cell in range(size**2)]
    return f"{'/'.join(''.join(cells[row : row + size]) for row in range(0, size**2, size))} {'XO'[mover]}"

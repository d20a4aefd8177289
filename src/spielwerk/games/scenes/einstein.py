"""EinStein to be seen and touched: tiles with numbers, the die below; one's own corner is below left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spielwerk.games.einstein import BITS, GONE, QUARTERS
from spielwerk.games.face.einstein import COLOURS, FILES, NAMES
from spielwerk.games.face.svg import Drawing
from spielwerk.games.scenes import DICE, PASS, UPRIGHT, Hop, Matrix, Piece, Place, Scene, Stage
from spielwerk.games.scenes.looks import coordinates, die, tile

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn
    from spielwerk.games.scenes import PartialTurn

CELL, EDGE, BELOW = 84, 34, 76
COLOUR_NAMES = {"X": "red", "O": "blue", "*": "white", "#": "black"}


def stage(game: Game) -> Stage:
    """The cells, and below them room for the die."""
    size, stones = game.constants["SIZE"], game.constants["STONES"]
    width = CELL * size + 2 * EDGE
    ground = Drawing(width, width + BELOW)
    ground.rectangle(2, 2, width - 4, width - 4, "board", 12)
    cells = range(size**2)
    for cell in cells:
        x, y = _spot(cell, size)
        ground.rectangle(x - CELL / 2 + 3, y - CELL / 2 + 3, CELL - 6, CELL - 6, "field", 8)
    places = [Place(_name(cell, size), *_spot(cell, size), CELL - 6, CELL - 6) for cell in cells]
    places.append(Place(DICE, *_die_spot(size), 56, 56, fixed=True))
    colours = COLOURS[: game.players]
    looks = {f"{colour}{n}": tile(CELL * 0.72, colour, str(n)) for colour in colours for n in range(1, stones + 1)}
    looks |= {f"die {colour}{value}": die(46, value, colour) for colour in colours for value in range(7)}
    middle = EDGE + CELL / 2
    labels = coordinates(FILES[:size], middle, CELL, width - EDGE / 2 + 1)
    labels += coordinates([str(number) for number in range(size, 0, -1)], middle, CELL, EDGE / 2 - 1, down=True)
    views = tuple(_view(player) for player in range(game.players))
    centre = (width / 2, width / 2)
    drawn = tuple(ground.shapes), tuple(places), looks, tuple(labels)
    return Stage(width, width + BELOW, *drawn, centre, views, colours=colours)


def scene(position: Position) -> Scene:
    """The stones that are left, and the die in the colour of who is to act."""
    size = position.game.constants["SIZE"]
    names = {_name(cell, size): f"{_name(cell, size)}, empty" for cell in range(size**2)}
    pieces, seats = [], []
    for player, word in enumerate(position.words[2:]):
        cells = [word >> BITS * stone & GONE for stone in range(position.game.constants["STONES"])]
        for number, cell in enumerate(cells, 1):
            if cell != GONE:
                name = _name(cell, size)
                names[name] = f"{name}, {COLOUR_NAMES[NAMES[player]]} {number}"
                pieces.append(Piece(f"{COLOURS[player]}{number}", name, *_spot(cell, size)))
        left = sum(cell != GONE for cell in cells)
        seats.append(f"{left} stone{'s' * (left != 1)}")
    who, value = position.words[:2]
    names[DICE] = f"die, {value}" if value else "die"
    if who >= 0:
        pieces.append(Piece(f"die {COLOURS[who]}{value}", DICE, *_die_spot(size), True))
    return Scene(tuple(pieces), names, seats=tuple(seats))


def hops(turn: Turn) -> tuple[Hop, ...]:
    """From cell to cell, or the pass."""
    source, dash, target = turn.text.partition("-")
    return (Hop(source, target),) if dash else (Hop("", PASS),)


def task(partial: PartialTurn) -> str:
    """The stones that may move."""
    movable = _movable(partial.shown)
    return f"move {' or '.join(map(str, movable))}" if movable else "no stone can move, pass"


def refusal(partial: PartialTurn, hop: Hop) -> str:
    """The die says another stone, or the step is none."""
    position, place = partial.shown, hop.source or hop.target
    word, size = position.words[2 + position.mover], position.game.constants["SIZE"]
    cells = [word >> BITS * stone & GONE for stone in range(position.game.constants["STONES"])]
    stones = {_name(cell, size): number for number, cell in enumerate(cells, 1) if cell != GONE}
    if place not in stones:
        return f"{place} cannot be chosen: {task(partial)}."
    if stones[place] not in _movable(position):
        return f"Stone {stones[place]} cannot move after this roll: {task(partial)}."
    return f"Stone {stones[place]} cannot go to {hop.target}: it goes one step towards the far corner."


def _movable(position: Position) -> list[int]:
    """The numbers of the stones that may move; none where only a pass is left."""
    steps = 3 * position.game.constants["STONES"]
    return sorted({action // 3 + 1 for action in position.actions() if action < steps})


def _name(cell: int, size: int) -> str:
    return f"{FILES[cell % size]}{size - cell // size}"


def _spot(cell: int, size: int) -> tuple[float, float]:
    return EDGE + CELL * (cell % size + 0.5), EDGE + CELL * (cell // size + 0.5)


def _die_spot(size: int) -> tuple[float, float]:
    width = CELL * size + 2 * EDGE
    return width / 2, width + BELOW / 2 + 2


def _view(player: int) -> Matrix:
    """Turns a player's corner to below left: it lies so many quarters against the clock from the one above left."""
    matrix = UPRIGHT
    for _ in range((QUARTERS[player] + 3) % 4):
        matrix = (-matrix[1], matrix[0], -matrix[3], matrix[2])  # a quarter with the clock
    return matrix


def brushes(game: Game) -> list[str]:
    """Every stone of every player."""
    return [f"{colour}{n}" for colour in COLOURS[: game.players] for n in range(1, game.constants["STONES"] + 1)]


def composed(game: Game, puts: Sequence[tuple[str, str]], mover: int) -> str:
    """The rows, and who rolls."""
    size, on = game.constants["SIZE"], {place: _label(look) for place, look in puts}
    cells = [on.get(_name(cell, size), ".") for cell in range(size**2)]
    return f"{'/'.join(''.join(cells[row : row + size]) for row in range(0, size**2, size))} {NAMES[mover]} -"


def _label(look: str) -> str:
    return f"{NAMES[COLOURS.index(look[:-1])]}{look[-1]}"

"""Morris to be seen and touched: fine ink lines on paper, stones like pebbles, those in hand beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spielwerk.games.boards.morris import board_lines, places
from spielwerk.games.face.morris import LETTERS, NAMES, point_names, rings_of
from spielwerk.games.face.svg import Drawing
from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.scenes import HALF_TURN, UPRIGHT, Hop, Piece, Place, Scene, Stage
from spielwerk.games.scenes.looks import coordinates, stone
from spielwerk.games.scenes.morris_words import refusal as refusal
from spielwerk.games.scenes.morris_words import task as task

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

UNIT, EDGE, STRIP, RADIUS = 68, 60, 58, 23  # the strip is where men in hand lie


def stage(game: Game) -> Stage:
    """The lines of the board, and a strip for each hand."""
    rules = game.settings.rules
    rings, size = _rings(rules), 2 * _rings(rules) * UNIT
    ground = Drawing(size + 2 * EDGE, size + 2 * EDGE + 2 * STRIP)
    ground.rectangle(2, STRIP, ground.width - 4, ground.height - 2 * STRIP, "board", 12)
    for line in board_lines(rules):
        (x1, y1), (x2, y2) = _spot(rings, *line[0]), _spot(rings, *line[-1])
        ground.line(x1, y1, x2, y2, 2)
    touched = []
    for name, place in zip(point_names(rules), places(rules), strict=True):
        x, y = _spot(rings, *place)
        ground.dot(x, y, 5.5)
        touched.append(Place(name, x, y, 54, 54, True))
    letters, numbers = "abcdefg"[: 2 * rings + 1], [str(number) for number in range(2 * rings + 1, 0, -1)]
    labels = coordinates(letters, EDGE, UNIT, STRIP + 2 * EDGE + size - 18)
    labels += coordinates(numbers, STRIP + EDGE, UNIT, 20, down=True)
    return Stage(
        *(ground.width, ground.height, tuple(ground.shapes), tuple(touched)),
        looks={name: stone(RADIUS, name) for name in NAMES},
        colours=NAMES,
        labels=tuple(labels),
        centre=(ground.width / 2, ground.height / 2),
        views=(UPRIGHT, HALF_TURN),
    )


def scene(position: Position) -> Scene:
    """The men on the board and in hand."""
    rules, words = position.game.settings.rules, position.words
    rings, pieces, names = _rings(rules), [], {}
    for point, (name, place) in enumerate(zip(point_names(rules), places(rules), strict=True)):
        colour = next((NAMES[side] for side in (0, 1) if words[MEN + side] >> point & 1), "")
        names[name] = f"{name}, {colour + ' man' if colour else 'empty'}"
        if colour:
            pieces.append(Piece(colour, name, *_spot(rings, *place)))
    for side in (0, 1):
        pieces += _hand(position.game, side, words[HAND + side])
    hands = tuple(f"{words[HAND + side]} in hand" if words[HAND + side] else "" for side in (0, 1))
    return Scene(tuple(pieces), names, seats=hands)


def hops(turn: Turn) -> tuple[Hop, ...]:
    """Where the man goes, perhaps from where, and the man that is taken."""
    names = point_names(turn.end.game.settings.rules)
    found = []
    for position, action in turn.steps:
        source, target = divmod(action, len(names))
        slides = source < len(names) and not position.words[DUE]
        found.append(Hop(names[source] if slides else "", names[target]))
    return tuple(found)


def _rings(rules: str) -> int:
    return places(rules)[-1][0]


def _spot(rings: int, x: int, y: int) -> tuple[float, float]:
    return EDGE + (rings + x) * UNIT, STRIP + EDGE + (rings - y) * UNIT


def _hand(game: Game, side: int, men: int) -> list[Piece]:
    """The men of a player that are still to be placed: white's below the board, black's above."""
    size = 2 * (_rings(game.settings.rules) * UNIT + EDGE)
    step = min(2 * RADIUS + 4, (size - 2 * EDGE) / max(game.constants["ALLOTTED"] - 1, 1))
    first = size / 2 - step * (men - 1) / 2
    y = STRIP / 2 if side else size + 1.5 * STRIP
    return [Piece(NAMES[side], f"hand{side}", first + step * man, y) for man in range(men)]


def brushes(game: Game) -> tuple[str, ...]:
    """Men of both colours."""
    return NAMES


def composed(game: Game, puts: Sequence[tuple[str, str]], mover: int) -> str:
    """The rings, and the men that were in hand and still are."""
    signs = {place: LETTERS[NAMES.index(look)] for place, look in puts}
    points = point_names(game.settings.rules)
    rings = "/".join("".join(signs.get(points[point], "*") for point in ring) for ring in rings_of(game.settings.rules))
    hands = [sum(place == f"hand{side}" for place, _ in puts) for side in (0, 1)]
    men = [f"{rings.count(LETTERS[side])} {hands[side]}" for side in (0, 1)]
    return f"{rings} {'wb'[mover]} {'p p' if hands[mover] else 'm s'} {' '.join(men)}"

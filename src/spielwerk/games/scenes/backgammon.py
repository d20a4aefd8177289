"""Backgammon to be seen: two woods, checkers in stacks, dice with pips, trays at the right.

Places are X's points 1 to 24, each player's bar and tray, and the dice. X's home is below right, and for O the board
is turned upside down, so that O's home is there too; each view numbers the points as that player does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.backgammon import BAR
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.face.svg import Drawing
from spielwerk.games.scenes import DICE, UPRIGHT, UPSIDE_DOWN, Label, Piece, Place, Scene, Stage
from spielwerk.games.scenes.backgammon_edit import COLOURS
from spielwerk.games.scenes.backgammon_edit import brushes as brushes
from spielwerk.games.scenes.backgammon_edit import composed as composed
from spielwerk.games.scenes.backgammon_turn import hops as hops
from spielwerk.games.scenes.backgammon_turn import partial_turn as partial_turn
from spielwerk.games.scenes.backgammon_turn import place_of
from spielwerk.games.scenes.backgammon_words import margin as margin
from spielwerk.games.scenes.backgammon_words import refusal as refusal
from spielwerk.games.scenes.backgammon_words import task as task
from spielwerk.games.scenes.looks import die, stone

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position

COLUMN, RADIUS, FRAME, RIM = 46, 21, 18, 34
BAR_WIDTH, TRAY_WIDTH, TALL = 54, 60, 214  # a point is so tall
WIDTH = 2 * FRAME + 12 * COLUMN + BAR_WIDTH + 12 + TRAY_WIDTH
HEIGHT = 2 * RIM + 2 * TALL + 56
MIDDLE = FRAME + 6 * COLUMN + BAR_WIDTH / 2
TRAY = WIDTH - FRAME - TRAY_WIDTH / 2
SHOWN = 5  # checkers of a stack that are drawn side by side


def stage(game: Game) -> Stage:
    """The board without checkers."""
    ground = Drawing(WIDTH, HEIGHT)
    ground.rectangle(0, 0, WIDTH, HEIGHT, "wood", 14)
    inner = HEIGHT - 2 * RIM + 16
    for left in (FRAME, MIDDLE + BAR_WIDTH / 2):
        ground.rectangle(left, RIM - 8, 6 * COLUMN, inner, "table", 3)
    for y in (RIM - 8, HEIGHT / 2 + 14):
        ground.rectangle(TRAY - TRAY_WIDTH / 2, y, TRAY_WIDTH, inner / 2 - 14, "dark", 4)
    for point in range(24):
        _triangle(ground, point)
    places = [_point_place(point) for point in range(24)]
    places += [Place(f"bar{player}", MIDDLE, _from_edge(player, 0.5), BAR_WIDTH, TALL) for player in (0, 1)]
    places += [Place(f"off{player}", TRAY, _from_edge(player, 0.5), TRAY_WIDTH, TALL) for player in (0, 1)]
    places.append(Place(DICE, MIDDLE + BAR_WIDTH / 2 + 3 * COLUMN, HEIGHT / 2, 190, 48, fixed=True))
    looks = {colour: stone(RADIUS, colour) for colour in COLOURS}
    for colour in COLOURS:
        for value in range(1, 7):
            looks[f"die {colour}{value}"] = die(38, value, colour)
            looks[f"die {colour}{value} spent"] = die(38, value, colour)
    return Stage(
        *(WIDTH, HEIGHT, tuple(ground.shapes), tuple(places), looks),
        labels=tuple(_number(player, point) for player in (0, 1) for point in range(24)),
        called=tuple({str(n + 1): f"point {_x_point(player, n)}" for n in range(24)} for player in (0, 1)),
        colours=COLOURS,
        centre=(WIDTH / 2, HEIGHT / 2),
        views=(UPRIGHT, UPSIDE_DOWN),
        confirmed=True,
    )


def scene(position: Position, spent: tuple[int, ...] = ()) -> Scene:
    """The checkers, the dice, and pip counts."""
    names: dict[str, str] = {}
    pieces: list[Piece] = []
    labels: list[Label] = []
    seats = []
    for player in (0, 1):
        own = checkers(position.words, player)
        off = position.game.constants["CHECKERS"] - sum(own)
        for place, number in [*enumerate(own), (-1, off)]:
            _stack(pieces, labels, place_of(player, place), player, number)
        names[f"bar{player}"] = f"{COLOURS[player]} bar, {_counted(own[BAR], player)}"
        names[f"off{player}"] = f"{COLOURS[player]} tray, {_counted(off, player)}"
        for point in range(24):
            if own[point] or str(_x_point(player, point)) not in names:
                names[str(_x_point(player, point))] = _counted(own[point], player)
        seats.append(f"{sum(number * (place + 1) for place, number in enumerate(own))} pips")
    pieces += _dice(position, spent)
    rolled = [str(value) for value in position.words[2:4] if value]
    names[DICE] = f"dice, {' and '.join(rolled)}" if rolled else "dice"
    return Scene(tuple(pieces), names, tuple(labels), tuple(seats))


def _x_point(player: int, point: int) -> int:
    """X's number of a player's own point, counted from 0; and a player's number of X's."""
    return point + 1 if player == 0 else 24 - point


def _counted(number: int, player: int) -> str:
    return f"{number} {COLOURS[player]}" if number else "empty"


def _column(point: int) -> float:
    column = point - 12 if point >= 12 else 11 - point
    return FRAME + COLUMN * (column + 0.5) + BAR_WIDTH * (column >= 6)


def _triangle(ground: Drawing, point: int) -> None:
    x, edge, way = _column(point), RIM - 8 if point >= 12 else HEIGHT - RIM + 8, 1 if point >= 12 else -1
    colour = "pale" if point % 2 else "dark"
    ground.polygon([(x - COLUMN / 2 + 2, edge), (x + COLUMN / 2 - 2, edge), (x, edge + way * TALL)], colour)


def _point_place(point: int) -> Place:
    y = RIM + TALL / 2 if point >= 12 else HEIGHT - RIM - TALL / 2
    return Place(str(point + 1), _column(point), y, COLUMN, TALL)


def _from_edge(player: int, share: float) -> float:
    """A height on a player's side: O's is above."""
    return RIM + TALL * share if player else HEIGHT - RIM - TALL * share


def _stack(pieces: list[Piece], labels: list[Label], place: str, player: int, number: int) -> None:
    """Checkers on a place; of more than five only their number tells."""
    for checker in range(number):
        x, y = _checker_spot(place, player, min(checker, SHOWN - 1) if not place.startswith("off") else checker)
        pieces.append(Piece(COLOURS[player], place, x, y))
    if number > (0 if place.startswith("off") else SHOWN):
        x, y = _checker_spot(place, player, SHOWN - 1 if not place.startswith("off") else number - 1)
        labels.append(Label(str(number), x, y, 17, COLOURS[1 - player]))


def spot(place: str, look: str, below: int) -> tuple[float, float]:
    """Where a checker lies that has so many below it."""
    return _checker_spot(place, COLOURS.index(look), min(below, SHOWN - 1))


def _checker_spot(place: str, player: int, height: int) -> tuple[float, float]:
    if place.startswith("off"):
        way = 1 if player else -1
        return TRAY, _from_edge(player, 0.0) + way * (RADIUS - 4 + 10 * height)
    if place.startswith("bar"):
        way = 1 if player else -1
        return MIDDLE, HEIGHT / 2 - way * (40 + (2 * RADIUS - 6) * height)
    point = int(place) - 1
    y = RIM + RADIUS - 5 + 2 * RADIUS * height
    return _column(point), y if point >= 12 else HEIGHT - y


def _number(player: int, point: int) -> Label:
    """How a player numbers one of X's points."""
    y = 13 if point >= 12 else HEIGHT - 13
    return Label(str(_x_point(player, point)), _column(point), y, 13, "brass", view=player)


def _dice(position: Position, spent: tuple[int, ...]) -> list[Piece]:
    """Two dice, four of a double; those that were used are dim."""
    larger, smaller = position.words[2:4]
    if not larger:
        return []
    values = [larger] * 4 if larger == smaller else [larger, smaller]
    used, pieces = list(spent), []
    first = MIDDLE + BAR_WIDTH / 2 + 3 * COLUMN - 23 * (len(values) - 1)
    for number, value in enumerate(values):
        gone = value in used
        if gone:
            used.remove(value)
        look = f"die {COLOURS[position.words[0]]}{value}{' spent' * gone}"
        pieces.append(Piece(look, DICE, first + 46 * number, HEIGHT / 2, True))
    return pieces

"""Nim to be seen and touched: matches side by side; the match that is touched goes, with all to its right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spielwerk.games.face.svg import Drawing, Shape
from spielwerk.games.scenes import Hop, Label, Piece, Place, Scene, Stage

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn
    from spielwerk.games.scenes import PartialTurn

ROW, STEP, LEFT, TOP, LONG = 104, 34, 76, 26, 76
LEAST = 420  # the least width


def stage(game: Game) -> Stage:
    """Rows of slots on a table."""
    sizes = game.constants["SIZES"].tolist()
    width = max(LEFT + STEP * max(sizes) + 26, LEAST)
    ground = Drawing(width, 2 * TOP + ROW * len(sizes) - (ROW - LONG) + 20)
    ground.rectangle(2, 2, width - 4, ground.height - 4, "board", 12)
    places = []
    for row, size in enumerate(sizes):
        for match in range(size):
            x, y = _spot(row, match)
            ground.rectangle(x - 4, y - LONG / 2, 8, LONG, "slot", 4)
            places.append(Place(_name(row, match), x, y, STEP, LONG + 14))
    labels = tuple(Label(str(row + 1), 36, _spot(row, 0)[1], 20) for row in range(len(sizes)))
    return Stage(width, ground.height, tuple(ground.shapes), tuple(places), {"match": _match()}, labels, obvious=True)


def scene(position: Position) -> Scene:
    """The matches that are left; one is touched to take it and all to its right."""
    pieces, names = [], {}
    for row, size in enumerate(position.game.constants["SIZES"].tolist()):
        left = position.words[1 + row]
        for match in range(size):
            name = _name(row, match)
            names[name] = f"stack {row + 1}, {f'take {left - match} of {left}' if match < left else 'gone'}"
            if match < left:
                pieces.append(Piece("match", name, *_spot(row, match)))
    return Scene(tuple(pieces), names)


def hops(turn: Turn) -> tuple[Hop, ...]:
    """The first of the matches that are taken."""
    before, after = turn.steps[0][0].words[1:], turn.end.words[1:]
    row = next(row for row in range(len(before)) if before[row] != after[row])
    return (Hop("", _name(row, after[row])),)


def task(partial: PartialTurn) -> str:
    """The same in every position."""
    return "take matches from one stack"


def refusal(partial: PartialTurn, hop: Hop) -> str:
    """The match is not there any more."""
    row = int(hop.target.partition(".")[0])
    return f"This match cannot be taken: stack {row} has {partial.shown.words[row]} left."


def _name(row: int, match: int) -> str:
    return f"{row + 1}.{match + 1}"


def _spot(row: int, match: int) -> tuple[float, float]:
    return LEFT + STEP * (match + 0.5), TOP + 10 + ROW * row + LONG / 2


def _match() -> tuple[Shape, ...]:
    drawing = Drawing()
    drawing.shaded("rect", "stick", 3, x=-3.5, y=-LONG / 2 + 4, width=7, height=LONG - 4, rx=2)
    drawing.shaded("ellipse", "head", 1, cx=0, cy=-LONG / 2 + 6, rx=6, ry=9)
    return tuple(drawing.shapes)


def brushes(game: Game) -> tuple[str, ...]:
    """Matches."""
    return ("match",)


def composed(game: Game, puts: Sequence[tuple[str, str]], mover: int) -> str:
    """How many matches there are in each row."""
    rows = [place.partition(".")[0] for place in dict(puts)]
    numbers = [rows.count(str(row + 1)) for row in range(len(game.constants["SIZES"]))]
    return f"{'-'.join(map(str, numbers))} {game.player_names[mover]}"

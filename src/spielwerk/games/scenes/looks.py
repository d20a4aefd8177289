"""What several games draw alike: stones, dice, coordinates."""

from __future__ import annotations

from collections.abc import Iterable

from spielwerk.games.face.svg import Drawing, Shape, text_on
from spielwerk.games.scenes import Label

PIPS = ((), (4,), (2, 6), (2, 4, 6), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))  # on a grid of three by three


def stone(radius: float, colour: str) -> tuple[Shape, ...]:
    """A round stone with its shadow."""
    drawing = Drawing()
    drawing.shaded("circle", colour, radius / 9, cx=0, cy=0, r=radius)
    return tuple(drawing.shapes)


def tile(side: float, colour: str, text: str) -> tuple[Shape, ...]:
    """A square tile with a number on it."""
    drawing = Drawing()
    drawing.shaded("rect", colour, side / 20, x=-side / 2, y=-side / 2, width=side, height=side, rx=side / 5)
    drawing.text(0, 0, text, side * 0.52, text_on(colour))
    return tuple(drawing.shapes)


def die(side: float, value: int, colour: str) -> tuple[Shape, ...]:
    """A die that shows its value; 0 is one that was not rolled."""
    drawing = Drawing()
    drawing.shaded("rect", colour, side / 14, x=-side / 2, y=-side / 2, width=side, height=side, rx=side / 5)
    for pip in PIPS[value]:
        x, y = (pip % 3 - 1) * side * 0.27, (pip // 3 - 1) * side * 0.27
        drawing.dot(x, y, side * 0.095, text_on(colour))
    return tuple(drawing.shapes)


def coordinates(files: Iterable[str], first: float, step: float, along: float, down: bool = False) -> list[Label]:
    """Letters or numbers along a side of the board."""
    spots = ((text, first + step * number) for number, text in enumerate(files))
    return [Label(text, *((along, at) if down else (at, along))) for text, at in spots]

"""Boards can be read: labels, numbers and target dots differ enough from what is under them, on light paper and dark.

Contrast as WCAG 2.2 defines it: 4.5 for texts, 3 for large ones and for marks.
"""

from __future__ import annotations

import random

import pytest

import spielwerk as sw
from spielwerk.games.face.svg import PALETTE, THEMES, Shape
from spielwerk.games.position import Position
from spielwerk.games.scenes import Piece, Stage
from spielwerk.games.scenes.showing import scene_of, stage_of

KINDS = ["morris", "othello", "nim", "einstein:board=6,players=4", "backgammon"]
LARGE = 24  # pixels from which on a text is large


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: int) -> float:
    """Of two colours of the palette."""
    dim, bright = sorted(luminance(PALETTE[name][theme]) for name in (one, other))
    return (bright + 0.05) / (dim + 0.05)


def covers(shape: Shape, x: float, y: float) -> bool:
    """Whether a filled shape lies under a point."""
    about = shape.attributes
    if shape.tag == "rect":
        return 0 <= x - about["x"] <= about["width"] and 0 <= y - about["y"] <= about["height"]
    if shape.tag == "circle":
        return (x - about["cx"]) ** 2 + (y - about["cy"]) ** 2 <= about["r"] ** 2
    if shape.tag != "polygon":
        return False
    corners = [tuple(map(float, pair.split(","))) for pair in about["points"].split()]
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    return sum((v < y) != (t < y) and x < u + (s - u) * (y - v) / (t - v) for (u, v), (s, t) in sides) % 2 == 1


def filled(shape: Shape) -> str:
    """Its colour in the palette; empty for shadows and light."""
    return next((name for name in str(shape.attributes.get("class", "")).split() if name in PALETTE), "")


def under(stage: Stage, pieces: tuple[Piece, ...], x: float, y: float) -> str:
    """The colour of what lies uppermost at a point."""
    shapes = [(shape, 0.0, 0.0) for shape in stage.ground]
    shapes += [(shape, piece.x, piece.y) for piece in pieces for shape in stage.looks[piece.look]]
    found = [filled(shape) for shape, left, top in shapes if filled(shape) and covers(shape, x - left, y - top)]
    return found[-1] if found else "page"


def positions(name: str) -> list[Position]:
    here, rng, found = sw.game(name).start(), random.Random(7), []
    while not here.over and len(found) < 80:
        found.append(here)
        here = here.roll(rng.choice(here.rolls())) if here.chance else here.play(rng.choice(here.actions()))
    return found


@pytest.mark.parametrize("theme", range(2), ids=THEMES)
@pytest.mark.parametrize("name", KINDS)
def test_labels_can_be_read(name: str, theme: int) -> None:
    stage, read = stage_of(sw.game(name)), set()
    for position in positions(name):
        scene = scene_of(position)
        for label in (*stage.labels, *scene.labels):
            ground = under(stage, scene.pieces, label.x, label.y)
            read.add((label.colour, ground, 3.0 if label.size >= LARGE else 4.5))
    assert read
    assert [(ink, ground) for ink, ground, least in read if contrast(ink, ground, theme) < least] == []


@pytest.mark.parametrize("theme", range(2), ids=THEMES)
@pytest.mark.parametrize("name", KINDS)
def test_numbers_on_pieces_can_be_read(name: str, theme: int) -> None:
    for look, shapes in stage_of(sw.game(name)).looks.items():
        body = next(filter(None, map(filled, shapes)))
        for text in (shape for shape in shapes if shape.tag == "text"):
            least = 3.0 if text.attributes["font-size"] >= LARGE else 4.5
            assert contrast(filled(text), body, theme) >= least, look


@pytest.mark.parametrize("theme", range(2), ids=THEMES)
@pytest.mark.parametrize("name", KINDS)
def test_targets_are_seen_by_their_fill_or_their_halo(name: str, theme: int) -> None:
    stage = stage_of(sw.game(name))
    grounds = {under(stage, (), place.x, place.y) for place in stage.places}
    for ground in grounds | {look_of for shapes in stage.looks.values() for look_of in map(filled, shapes) if look_of}:
        assert max(contrast(mark, ground, theme) for mark in ("target", "halo")) >= 3, ground

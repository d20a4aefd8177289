"""Scenes: a board for eyes, hands and ears. A stage is what does not change in a game (its ground, the places that can
be touched, how pieces look); a scene is what stands on it. `position.svg()` and the page draw the same scenes.

A game names its module of scenes as `SCENE`. It defines `stage(game)`, `scene(position)` and `hops(turn)`, and where a
turn is more than the hops of its actions also `partial_turn(position, hops)`, which is None where no turn begins so.
Without one, the board is drawn as text and moves are chosen from a list: see `plain.py`.

It may also find words, each a part of a sentence that is shown and read aloud, so the shorter the better:
`task(partial)`, what the mover is to do next ("place a man"); `refusal(partial, hop)`, a sentence why this hop cannot
come next; and `margin(position)`, by how much a game was won ("40–24", "a gammon (2 points)"), or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spielwerk.games.face.svg import Shape
    from spielwerk.games.position import Position, Turn

DICE = "dice"  # the place where dice lie
PASS = "pass"  # the place that is touched to pass
Matrix = tuple[int, int, int, int]  # (a, b, c, d) takes (x, y) to (a x + c y, b x + d y)
UPRIGHT: Matrix = (1, 0, 0, 1)
HALF_TURN: Matrix = (-1, 0, 0, -1)
UPSIDE_DOWN: Matrix = (1, 0, 0, -1)


class Place(NamedTuple):
    """Something on the board that can be touched, around (x, y)."""

    id: str
    x: float
    y: float
    width: float
    height: float
    round: bool = False
    fixed: bool = False  # it stays where it is when the board is turned


class Piece(NamedTuple):
    """Something that stands on a place; pieces of one look are alike."""

    look: str
    place: str
    x: float
    y: float
    fixed: bool = False


class Label(NamedTuple):
    """A text on or beside the board, which stays upright."""

    text: str
    x: float
    y: float
    size: float = 13
    colour: str = "line"
    fixed: bool = False
    view: int = -1  # of the stage, for a label that belongs to it alone


class Hop(NamedTuple):
    """One touch, or a piece taken from one place to another; `source` is empty where one place says it all."""

    source: str
    target: str


@dataclass(frozen=True)
class Stage:
    """What stays the same throughout a game."""

    width: float
    height: float
    ground: tuple[Shape, ...]
    places: tuple[Place, ...] = ()
    looks: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)  # drawn around (0, 0)
    labels: tuple[Label, ...] = ()
    centre: tuple[float, float] = (0, 0)  # around which the board is turned
    views: tuple[Matrix, ...] = ()  # how it is turned for each seat, so that its side is below; empty: never
    called: tuple[Mapping[str, str], ...] = ()  # places that each view calls otherwise; scenes say only what is there
    confirmed: bool = False  # whether a turn counts only once it is confirmed, since its parts can be taken back
    obvious: bool = False  # whether nobody needs to be shown what can be touched, since nearly all can
    listed: bool = False  # whether moves are chosen from a list
    colours: tuple[str, ...] = ()  # of what each player moves; empty: all move the same


@dataclass(frozen=True)
class Scene:
    """What stands on the stage."""

    pieces: tuple[Piece, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)  # of each place and what is on it, to be read aloud
    labels: tuple[Label, ...] = ()
    seats: tuple[str, ...] = ()  # what is to be said of each player, such as "4 in hand"
    ground: tuple[Shape, ...] = ()  # only where no stage can say it


@dataclass(frozen=True)
class PartialTurn:
    """A turn as far as it was shown by hand."""

    hops: tuple[Hop, ...]
    following: tuple[Hop, ...]  # what may come next
    turn: Turn | None  # the whole turn, once it is clear
    shown: Position  # the board in between
    spent: tuple[int, ...] = ()  # dice that were used

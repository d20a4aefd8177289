"""What n-tuples see of morris: the points, the phase, and for both sides men, hands, mills and freedom.

Cells: each point empty (0), with an own man (1) or with one of the other player (2); the phase: 0 while anybody has men
in hand, then 1, plus 1 if the own men may jump, plus 2 if the others may; then, always for the player who looks and
for the other one, the cells that `SIDES` lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.boards.morris import Place, places
from spielwerk.games.cells import Cells, Layout, everywhere
from spielwerk.games.face.morris import point_names
from spielwerk.games.morris import ALL, HAND, MEN, NEIGHBOURS, PARTNERS, POINTS, THROUGH, phase
from spielwerk.kernel.bits import count, lowest

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("men",)
PHASES, MOST_SLIDES, MOST_CLOSING, MOST_MILLS = 5, 7, 2, 3
# left: men on the board and in hand; slides: pairs of them; closing: points on which a mill can be closed next.
OWNERS = ("own", "other")
SIDES = ("left", "hand", "slides", "closing", "mills")

COUNTS = (  # what is looked at together
    "phase own_left other_left own_mills other_mills",
    "own_left other_left own_hand other_hand",
    "phase own_left other_left own_closing other_closing",
    "phase own_slides other_slides own_closing other_closing",
    "own_left other_left own_slides other_slides",
)


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    own, other = state[MEN + player], state[MEN + 1 - player]
    for point in range(POINTS):
        out[point] = (own >> point & 1) + 2 * (other >> point & 1)
    if state[HAND] + state[HAND + 1] > 0:
        out[POINTS] = 0
    else:
        out[POINTS] = 1 + phase(state, player) // 2 + phase(state, 1 - player) // 2 * 2
    side(state, player, ALL & ~(own | other), out, POINTS + 1)
    side(state, 1 - player, ALL & ~(own | other), out, POINTS + 2)


def side(state, who, free, out, at):
    """Writes what is counted of one player into every second cell from `at` on."""
    men = state[MEN + who]
    hand = state[HAND + who]
    out[at] = count(men) + hand
    out[at + 2] = hand
    out[at + 4] = min((slides(men, free) + 1) // 2, MOST_SLIDES)
    out[at + 6] = min(closing(men, free, phase(state, who) != 1), MOST_CLOSING)
    out[at + 8] = min(mills(men), MOST_MILLS)


def slides(men, free):
    """How many slides the men have."""
    n = 0
    while men != 0:
        n += count(NEIGHBOURS[lowest(men)] & free)
        men &= men - 1
    return n


def closing(men, free, anywhere):
    """The free points on which the men could close a mill, by a slide or from anywhere."""
    n = 0
    while free != 0:
        point = lowest(free)
        free &= free - 1
        for mill in range(THROUGH):
            rest = PARTNERS[point, mill]
            if men & rest == rest and (anywhere or NEIGHBOURS[point] & men & ~rest != 0):
                n += 1
                break
    return n


def mills(men):
    """How many mills are closed."""
    n = 0
    left = men
    while left != 0:
        point = lowest(left)
        left &= left - 1
        for mill in range(THROUGH):
            if men & PARTNERS[point, mill] == PARTNERS[point, mill]:
                n += 1
    return n // 3


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a variant."""
    points, most = places(game.settings.rules), game.constants["ALLOTTED"] + 1
    extra = range(len(points), len(points) + 1 + 2 * len(SIDES))
    symmetries = np.array([[*row, *extra] for row in game.constants["TURNED"].tolist()])
    counted = (most, most, MOST_SLIDES + 1, MOST_CLOSING + 1, MOST_MILLS + 1)
    around = game.constants["NEIGHBOURS"].tolist()
    return Layout(
        coding=coding,
        values=(3,) * len(points) + (PHASES,) + tuple(number for number in counted for _ in range(2)),
        neighbours=tuple(_points(ways) for ways in around) + ((),) * len(extra),
        symmetries=symmetries,
        sets=(0, 0),
        tuples=_tuples(points, symmetries),
        cells=cells,
        bindings={},
        names=(*point_names(game.settings.rules), "phase", *_side_names()),
    )


def observation_names(game: Game) -> tuple[str, ...]:
    """Three planes of points; the phases of both, men in hand, who may jump, whether the player is to take a man."""
    points = (f"{plane} {point}" for plane in ("own", "other", "free") for point in point_names(game.settings.rules))
    phases = (f"{owner}_{phase}" for owner in OWNERS for phase in ("placing", "moving", "jumping"))
    return (*points, *phases, *(f"{owner}_{what}" for what in ("hand", "jumps") for owner in OWNERS), "taking")


def _side_names() -> list[str]:
    return [f"{owner}_{what}" for what in SIDES for owner in OWNERS]


def _points(men: int) -> Cells:
    return tuple(point for point in range(men.bit_length()) if men >> point & 1)


def _tuples(points: list[Place], symmetries: np.ndarray) -> dict[str, tuple[Cells, ...]]:
    """Rings, and the parallel sides of all rings with the line that joins them, each phase apart; what is counted."""
    first = len(points)
    at = {name: first + i for i, name in enumerate(["phase", *_side_names()])}
    shapes = everywhere([[*shape, first] for shape in patterns(points)], symmetries)
    counts = tuple(tuple(at[name] for name in group.split()) for group in COUNTS)
    return {"usual": shapes + counts, "shapes": shapes}


def patterns(points: list[Place]) -> list[Cells]:
    """The rings from the outermost on, and one side of all of them."""
    outer = max(y for _, y in points)
    rings = [[i for i, (x, y) in enumerate(points) if max(abs(x), abs(y)) == ring] for ring in range(outer, 0, -1)]
    side = [i for i, (x, y) in enumerate(points) if abs(x) <= y]
    return [tuple(shape) for shape in (*rings, side)]

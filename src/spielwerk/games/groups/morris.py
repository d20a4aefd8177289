"""Morris: the phases of both players, whether a man has to be taken, and the patterns of men."""

from __future__ import annotations

import math

from spielwerk.games.boards.morris import places
from spielwerk.games.cells import shapes
from spielwerk.games.cells.morris import patterns
from spielwerk.games.game import Game
from spielwerk.games.groups import REMOVAL, Groups, Patterns
from spielwerk.games.observations.morris import CLASSES, FILLINGS

PHASES = "phases"
PHASE_PLANES, DUE_PLANE = range(4, 10), 10  # of `points`


def groups(game: Game, inputs: str) -> Groups:
    """Of each form of observation; phases are placing, moving, jumping."""
    points, last = game.constants["POINTS"], math.prod(game.input_form(inputs)[0]) - 1
    if inputs == "points":
        phases, removal = _planes(PHASE_PLANES, points), _planes(range(DUE_PLANE, DUE_PLANE + 1), points)
        return Groups(0, {PHASES: phases, REMOVAL: removal}, _patterns(game))
    if inputs == "tactics":
        men = len(CLASSES) + FILLINGS * len(game.constants["MILLS"])
        return Groups(0, {PHASES: tuple(range(len(CLASSES))), REMOVAL: (last,)}, _patterns(game, men))
    first = 3 * points
    may_jump = (first + 8, first + 9)
    return Groups(first, {PHASES: (*range(first, first + 6), *may_jump), REMOVAL: (last,)}, _patterns(game))


def _patterns(game: Game, own: int = 0) -> Patterns:
    """Rings and sides, where the own men begin at a number and the other's follow them."""
    found = shapes(patterns(places(game.settings.rules)), game.constants["TURNED"].astype(int))
    return Patterns(own, own + game.constants["POINTS"], found)


def _planes(planes: range, points: int) -> tuple[int, ...]:
    """All numbers of some planes."""
    return tuple(range(planes.start * points, planes.stop * points))

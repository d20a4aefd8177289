"""Morris: the phases of both players, and whether a man has to be taken."""

from __future__ import annotations

import math

from spielwerk.games.game import Game
from spielwerk.games.groups import REMOVAL, Groups
from spielwerk.games.observations.morris import CLASSES

PHASES = "phases"
PHASE_PLANES, DUE_PLANE = range(4, 10), 10  # of `points`


def groups(game: Game, inputs: str) -> Groups:
    """Of each form of observation; phases are placing, moving, jumping."""
    points, last = game.constants["POINTS"], math.prod(game.input_form(inputs)[0]) - 1
    if inputs == "points":
        return Groups(
            0, {PHASES: _planes(PHASE_PLANES, points), REMOVAL: _planes(range(DUE_PLANE, DUE_PLANE + 1), points)}
        )
    if inputs == "tactics":
        return Groups(0, {PHASES: tuple(range(len(CLASSES))), REMOVAL: (last,)})
    first = 3 * points
    may_jump = (first + 8, first + 9)
    return Groups(first, {PHASES: (*range(first, first + 6), *may_jump), REMOVAL: (last,)})


def _planes(planes: range, points: int) -> tuple[int, ...]:
    """All numbers of some planes."""
    return tuple(range(planes.start * points, planes.stop * points))

"""Morris: steps along the rings and between them, and the lines on which a mill can be closed."""

from __future__ import annotations

from itertools import pairwise, product

from spielwerk.games.boards.morris import Place, board_lines, places
from spielwerk.games.face.morris import point_names
from spielwerk.games.game import Game
from spielwerk.games.graphs import Graph

MILL = 3  # points


def graph(game: Game) -> Graph:
    """The board of a variant."""
    rules: str = game.settings.rules
    points, lines = places(rules), board_lines(rules)
    numbers = [tuple(sorted(map(points.index, line))) for line in lines]
    rings = [_ring(line[0]) == _ring(line[-1]) for line in lines]

    def edges(ring: bool) -> tuple[tuple[int, int], ...]:
        chosen = [line for line, is_ring in zip(numbers, rings, strict=True) if is_ring == ring]
        return tuple((a, b) for line in chosen for a, b in pairwise(line))

    mills = tuple(line for line in numbers if len(line) == MILL)
    joined = {"ring": edges(True), "spoke": edges(False)}
    return Graph(point_names(rules), joined, {"mill": mills}, _actions(len(points)))


def _actions(points: int) -> tuple[tuple[int, int], ...]:
    """Slides and jumps, then placements, which are also removals."""
    return tuple(product((*range(points), -1), range(points)))


def _ring(place: Place) -> int:
    """The ring that a point lies on, counted from the middle."""
    return max(map(abs, place))

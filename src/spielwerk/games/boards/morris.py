"""The boards of morris: points, lines, and the tables that its rules read."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

Place = tuple[int, int]  # of a point, seen from the middle of the board


def places(rules: str) -> list[Place]:
    """Each point's place, (0, 0) being the middle of the board, in reading order."""
    rings = 2 if rules == "six" else 3
    grid = [(x, -y) for y, x in product(range(-rings, rings + 1), repeat=2)]
    return [(x, y) for x, y in grid if (x, y) != (0, 0) and (x == 0 or y == 0 or abs(x) == abs(y))]


def board_lines(rules: str) -> list[list[Place]]:
    """The lines of the board: the sides of the rings, then what joins the rings."""
    rings = range(1, 3 if rules == "six" else 4)
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    corners = [(1, 1), (1, -1), (-1, -1), (-1, 1)] if rules == "morabaraba" else []
    sides = [[(r * (x + i * y), r * (y + i * x)) for i in (-1, 0, 1)] for r in rings for x, y in ways]
    return sides + [[(r * x, r * y) for r in rings] for x, y in ways + corners]


def neighbours(points: list[Place], lines: list[list[Place]]) -> np.ndarray:
    """[points]: the points that a man can slide to, a bit each."""
    table = np.zeros(len(points), np.int32)
    for pair in (pair for line in lines for pair in pairwise(line)):
        a, b = map(points.index, pair)
        table[a] |= 1 << b
        table[b] |= 1 << a
    return table


def mills(points: list[Place], lines: list[list[Place]]) -> np.ndarray:
    """The three points of each mill, a bit each."""
    return np.array([sum(1 << points.index(place) for place in line) for line in lines if len(line) == 3], np.int32)


def partners(points: list[Place], lines: list[list[Place]]) -> np.ndarray:
    """[points, mills through a point]: the other two points of each mill; a bit beyond the board fills the rows."""
    all_mills = [int(mill) for mill in mills(points, lines)]
    rows = [[mill ^ 1 << point for mill in all_mills if mill >> point & 1] for point in range(len(points))]
    most = max(map(len, rows))
    return np.array([row + [1 << len(points)] * (most - len(row)) for row in rows], np.int32)


def turnings(points: list[Place]) -> np.ndarray:
    """[16, points]: the eight symmetries of the square, each also with the outer and inner ring exchanged."""
    rings = max(x for x, _ in points)
    table = []
    for exchange, swap, flip_x, flip_y in product((False, True), (False, True), (1, -1), (1, -1)):
        images = []
        for x, y in points:
            ring = max(abs(x), abs(y))
            scale = rings + 1 - ring if exchange else ring
            across, up = flip_x * x // ring * scale, flip_y * y // ring * scale
            images.append(points.index((up, across) if swap else (across, up)))
        table.append(images)
    return np.array(table, np.int8)

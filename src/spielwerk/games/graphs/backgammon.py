"""Backgammon: the points in a line, from player 0's point 1 on."""

from __future__ import annotations

from itertools import pairwise

from spielwerk.games.game import Game
from spielwerk.games.graphs import Graph

POINTS = 24


def graph(game: Game) -> Graph:
    """Each point and the next."""
    return Graph(tuple(f"p{point + 1}" for point in range(POINTS)), {"next": tuple(pairwise(range(POINTS)))})

"""Othello: the patterns that strong programs look up, in all forms of observation."""

from __future__ import annotations

from spielwerk.games.cells import shapes
from spielwerk.games.cells.othello import patterns
from spielwerk.games.game import Game
from spielwerk.games.groups import Groups, Patterns
from spielwerk.games.observations.othello import DISCS, SIDE_PLANES


def groups(game: Game, inputs: str) -> Groups:
    """Of each form of observation."""
    cells, size = game.constants["CELLS"], game.constants["SIZE"]
    other = DISCS + SIDE_PLANES if inputs == "tactics" else 1  # the plane of the other's discs; the own are the first
    found = shapes(patterns(size), game.constants["TURNED"][:, :cells].astype(int))
    return Groups(patterns=Patterns(DISCS * cells, other * cells, found))

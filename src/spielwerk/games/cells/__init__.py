"""What an n-tuple network sees of a position: the cells of the board, and a few more, as small whole numbers.

A game's rules name a module in `LAYOUT`. Such a module defines `CODINGS`, the ways in which a cell can be written, the
usual one first, and `layout(game, coding)`; if it likes, also `observation_names(game)`. Without one, the cells are the
numbers that the game observes (`observed.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.kernel.specialise import interface

OBSERVED = "spielwerk.games.cells.observed"
Cells = tuple[int, ...]  # an n-tuple, or the neighbours of a cell


@interface
def cells(state, player, out):
    """Writes the cells as `player` sees them, who has just ended its turn.

    Law: in two positions that a symmetry of the game turns into each other, the players who take the same part see the
    same cells, rearranged by a symmetry of the layout.
    """
    raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Layout:
    """The cells of one game in one coding, and the n-tuples that are worth taking from them."""

    coding: str
    values: Cells  # how many values each cell can take; 0 stands for nothing there, where that makes sense
    neighbours: tuple[Cells, ...]  # of each cell, both ways; none for cells that are no part of the board
    symmetries: np.ndarray  # [k, cells]: cell c read from symmetries[k, c] is the same situation; row 0 changes nothing
    sets: Cells  # of each player: the number of the weights that it shares with players who see the game alike
    tuples: Mapping[str, tuple[Cells, ...]]  # by name, the default first
    cells: Callable[..., Any]  # the kernel bound to the interface above
    bindings: Mapping[str, Any]  # constants that it needs besides those of the game
    names: tuple[str, ...]  # of the cells
    amounts: bool = False  # whether the value of a cell says how much is there, not what


def layout(game: Game, coding: str = "") -> Layout:
    """What an n-tuple network sees of `game`; by default in its usual coding."""
    known = codings(game)
    coding = coding or known[0]
    if coding not in known:
        raise names.unknown(f"{game.kind} has no coding", coding, known, "Codings")
    return part(game.kind, "layout", game.layout or OBSERVED, "layout")(game, coding)


def codings(game: Game) -> tuple[str, ...]:
    """The ways in which the cells of `game` can be written, the usual one first."""
    return part(game.kind, "layout", game.layout or OBSERVED, "CODINGS")


def observation_names(game: Game) -> tuple[str, ...]:
    """What the numbers are called that `observe` writes, in their order; x1, x2, … where a game does not say."""
    if game.layout and (names_of := part(game.kind, "layout", game.layout, "observation_names", None)):
        return names_of(game)
    return tuple(f"x{k + 1}" for k in range(int(np.prod(game.constants["OBSERVATION"]))))


def everywhere(tuples: Iterable[Iterable[int]], symmetries: np.ndarray) -> tuple[Cells, ...]:
    """The tuples and their images on the turned board, of those with the same cells only the first."""
    found: dict[frozenset[int], Cells] = {}
    for cells in tuples:
        for image in symmetries[:, list(cells)].tolist():
            found.setdefault(frozenset(image), tuple(image))
    return tuple(found.values())


def shapes(tuples: Iterable[Iterable[int]], symmetries: np.ndarray) -> tuple[tuple[Cells, ...], ...]:
    """The same, apart for each tuple that is no image of one before it."""
    found: list[tuple[Cells, ...]] = []
    for cells in map(tuple, tuples):
        if not any(set(cells) == set(image) for images in found for image in images):
            found.append(everywhere([cells], symmetries))
    return tuple(found)

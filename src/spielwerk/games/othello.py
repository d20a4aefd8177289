"""Othello: a disc is placed so that it encloses discs of the other colour in a line, which change sides.

State words: [mover or OVER, discs of player 0, discs of player 1, placements of the mover]; the last three
are sets of cells, bit row * SIZE + column, row 0 the rank "1" at the top, column 0 the file "a".
Action: the cell of the new disc; SIZE * SIZE passes, which is legal only where no placement is. Player 0 is
black and begins; the game is over when neither side can place. Empty cells then count for nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.boards.othello import CELLS, flipped, placements
from spielwerk.games.observations.othello import bits, bits_shape, tactics, tactics_shape
from spielwerk.games.rules import OVER
from spielwerk.kernel.bits import count, lowest, shift_left, shift_right, without_lowest, wrap
from spielwerk.kernel.specialise import unbound
from spielwerk.names import choice

TITLE = "Othello"
FACE = "spielwerk.games.face.othello"
SCENE = "spielwerk.games.scenes.othello"
EVALUATIONS = {"hand": "spielwerk.games.evaluation.othello"}
LAYOUT = "spielwerk.games.cells.othello"
ORACLE = "spielwerk.solvers.othello.oracle:OthelloOracle"
FORMATS = {"transcript": "spielwerk.arena.records.formats.transcript"}
GRAPH = "spielwerk.games.graphs.grid:from_the_top"
GROUPS = "spielwerk.games.groups.othello:groups"
MOVE_PARTS = "spielwerk.games.move_parts.othello"
VARIANTS = ("size=6", "size=4", "scoring=discs", "size=6,scoring=discs", "size=4,scoring=discs")


@dataclass(frozen=True)
class Settings:
    """The settings of othello."""

    size: int = choice(8, 6, 4, help="cells of a row and of a column")
    scoring: str = choice("win", "discs", help="discs: the difference of discs, divided by the number of cells")


BLACK_STARTS: int = unbound("BLACK_STARTS")
WHITE_STARTS: int = unbound("WHITE_STARTS")
BY_DISCS: bool = unbound("BY_DISCS")
TURNED: np.ndarray = unbound("TURNED")  # [symmetry, action]: where the cell goes


def start(state, rng):
    state[1] = BLACK_STARTS
    state[2] = WHITE_STARTS
    settle(state, 0)


def mover(state):
    return state[0]


def moves(state, out):
    left = state[3]
    if left == 0:
        out[0] = CELLS
        return 1
    n = 0
    while left != 0:
        out[n] = lowest(left)
        n += 1
        left = without_lowest(left)
    return n


def play(state, action):
    who = state[0]
    if action != CELLS:
        own = state[1 + who]
        other = state[2 - who]
        disc = shift_left(1, action)
        flips = flipped(disc, own, other)
        state[1 + who] = own | disc | flips
        state[2 - who] = other ^ flips
    settle(state, 1 - who)


def settle(state, who):
    """Makes `who` the mover, or ends the game if neither side can place."""
    own = state[1 + who]
    other = state[2 - who]
    found = placements(own, other)
    state[3] = found
    state[0] = OVER if found == 0 and placements(other, own) == 0 else who


def scores(state, out):
    lead = count(state[1]) - count(state[2])
    if BY_DISCS:
        score = lead / CELLS
    else:
        score = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    out[0] = score
    out[1] = 0.0 - score  # not -score: a draw is 0.0 for both


def observe(state, player, out):
    """Planes: own discs 1, the other's discs 1, placements 1 if `player` is the mover, otherwise -1."""
    own = state[1 + player]
    other = state[2 - player]
    sign = 1.0 if state[0] == player else -1.0
    for cell in range(CELLS):
        out[cell] = 1.0 if shift_right(own, cell) & 1 else 0.0
        out[CELLS + cell] = 1.0 if shift_right(other, cell) & 1 else 0.0
        out[2 * CELLS + cell] = sign if shift_right(state[3], cell) & 1 else 0.0


def turned_state(k, state, out):
    out[0] = state[0]
    for word in range(1, 4):
        out[word] = 0
        for cell in range(CELLS):
            out[word] |= shift_left(shift_right(state[word], cell) & 1, TURNED[k, cell])


def turned(k, action):
    return TURNED[k, action]


OBSERVATIONS = {"tactics": (tactics_shape, tactics), "bits": (bits_shape, bits)}


def constants(settings: Settings) -> dict[str, Any]:
    """The constants of a variant."""
    size, cells = settings.size, settings.size**2
    corner = (size // 2 - 1) * (size + 1)  # of the four discs at the start
    return {
        "PLAYERS": 2,
        "TEAM": (0, 1),
        "WORDS": 4,
        "ACTIONS": cells + 1,
        "MOST_MOVES": cells - 4,
        "MOST_OUTCOMES": 0,
        "SYMMETRIES": 8,
        "OBSERVATION": (3, size, size),
        "LONGEST": 2 * (cells - 4) - 1,  # a pass only between two placements
        "SIZE": size,
        "CELLS": cells,
        "BOARD": wrap((1 << cells) - 1),
        "INNER": sum(1 << cell for cell in range(cells) if 0 < cell % size < size - 1),
        "CORNERS": wrap(1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1),
        "BLACK_STARTS": 1 << corner + 1 | 1 << corner + size,
        "WHITE_STARTS": 1 << corner | 1 << corner + size + 1,
        "BY_DISCS": settings.scoring == "discs",
        "TURNED": _turnings(size),
    }


def states(settings: Settings) -> int:
    """An upper bound: either mover, the four centre cells never empty."""
    return 2 * 2**4 * 3 ** (settings.size**2 - 4)


def _turnings(size: int) -> np.ndarray:
    """Quarter turns, and the same after a reflection; the pass stays."""
    board = np.arange(size * size).reshape(size, size)
    images = [np.rot90(side, turns).ravel() for side in (board, board.T) for turns in range(4)]
    return np.array([[*image, size * size] for image in images], np.int8)

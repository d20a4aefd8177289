"""What n-tuples see of einstein: the board from the player's own corner, which stones are left, and where they are.

Cells: the board row by row, the player's corner top-left. Then, player by player, counted round from the one who looks:
one cell each with a bit for each stone that is left; and three cells for each stone, all 0 if it is gone: the steps
that it needs to its goal, 1 + the number of the cell it stands on, and the same on the board reflected in the diagonal
(which makes the reflection a rearrangement of cells).

Codings of a board cell, 0 being empty, then owner by owner, the one who looks first: `stones` tells all stones apart;
`groups` takes 1 and 2, 3 and 4, 5 and 6 together where there are more than three stones; `owner` tells only whose they
are. The number of values follows the stones that there are: with `stones` and two players 7 on 4×4, for which the
published study reserved 13.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.cells import Cells, Layout, grid
from spielwerk.games.einstein import GONE, SIZE, STONES, cell_of
from spielwerk.games.rules import PLAYERS
from spielwerk.kernel.specialise import unbound

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("stones", "groups", "owner")
ABOUT = 3  # cells about each stone
FEW = 3  # stones of a player, of which all fours are looked at

VIEWED: np.ndarray = unbound("VIEWED")  # [player, cell]: the cell as the player sees it; GONE stays GONE
STEPS: np.ndarray = unbound("STEPS")  # [player, cell]: from there to the player's goal; 0 for GONE
NUMBER: np.ndarray = unbound("NUMBER")  # [cell]: 1 + the number of the cell; 0 for GONE
REFLECTED: np.ndarray = unbound("REFLECTED")  # [cell]: the same on the board reflected in the diagonal
KIND: np.ndarray = unbound("KIND")  # [player counted round, stone]: what stands on the stone's cell


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    for cell in range(SIZE * SIZE):
        out[cell] = 0
    at = SIZE * SIZE + PLAYERS
    owner = player
    for turn in range(PLAYERS):
        stones = state[2 + owner]
        left = 0
        for stone in range(STONES):
            cell = cell_of(stones, stone)
            seen = VIEWED[player, cell]
            if cell != GONE:
                left |= 1 << stone
                out[seen] = KIND[turn, stone]
            out[at] = STEPS[owner, cell]
            out[at + 1] = NUMBER[seen]
            out[at + 2] = REFLECTED[seen]
            at += ABOUT
        out[SIZE * SIZE + turn] = left
        owner = owner + 1 if owner + 1 < PLAYERS else 0


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a variant."""
    size, players, stones = game.constants["SIZE"], game.players, game.constants["STONES"]
    together = {"stones": 1, "groups": 2 if stones > 3 else 1, "owner": stones}[coding]
    kinds = -(-stones // together)
    views = 2 if players == 4 else players
    about = (size, size**2 + 1, size**2 + 1) * (players * stones)
    return Layout(
        coding=coding,
        values=(1 + players * kinds,) * size**2 + (2**stones,) * players + about,
        neighbours=grid.neighbours(size) + ((),) * (players + len(about)),
        symmetries=_symmetries(size, players, stones),
        sets=(0, 0) if players == 2 else tuple(player % views for player in range(players)),
        tuples=_tuples(size, players, stones),
        cells=cells,
        bindings=_seen(game, views) | {"KIND": _kinds(players, stones, together)},
        names=_names(size, players, stones),
    )


def _seen(game: Game, views: int) -> dict[str, np.ndarray]:
    """The board as each player sees it; players before number `views` see it turned, the others reflected as well."""
    size, turned, mirrored = (game.constants[name] for name in ("SIZE", "SEEN", "MIRRORED"))
    viewed = np.array([turned[player % views, mirrored[player // views]] for player in range(game.players)])
    cells = np.full(GONE + 1, -1)
    cells[: size**2] = np.arange(size**2)
    steps = size - 1 - np.minimum(turned // size, turned % size)
    return {
        "VIEWED": viewed,
        "STEPS": np.where(turned == GONE, 0, steps),
        "NUMBER": 1 + cells,
        "REFLECTED": 1 + np.where(cells < 0, -1, cells % size * size + cells // size),
    }


def _kinds(players: int, stones: int, together: int) -> np.ndarray:
    """What each stone is in the coding, after 0 for empty: owner by owner, so many neighbouring numbers together."""
    kinds = -(-stones // together)
    return 1 + np.arange(players)[:, None] * kinds + np.arange(stones) // together


def _symmetries(size: int, players: int, stones: int) -> np.ndarray:
    """With two players the transposition, which keeps both corners; the flip of four players is in their views."""
    board, first = np.arange(size**2).reshape(size, size), size**2 + players
    about = np.arange(first, first + ABOUT * players * stones).reshape(-1, ABOUT)
    left = range(size**2, first)
    images = [(board, about), (board.T, about[:, [0, 2, 1]])] if players == 2 else [(board, about)]
    return np.array([[*cells.ravel(), *left, *stone.ravel()] for cells, stone in images])


def _tuples(size: int, players: int, stones: int) -> dict[str, tuple[Cells, ...]]:
    """Rectangles for what stands side by side, the steps of all stones for the race, and where few stones are."""
    rectangles = grid.rectangles(size, 3, 2) + grid.rectangles(size, 2, 3)
    squares, first = grid.rectangles(size, 2, 2), size**2 + players
    about = np.arange(first, first + ABOUT * players * stones).reshape(players, stones, ABOUT)
    left = tuple(combinations(range(size**2, first), 2))
    steps = tuple(tuple(row) for row in about[:, :, 0].tolist())
    fours: tuple[Cells, ...] = ()
    if stones <= FEW:
        steps = tuple(one + other for one, other in combinations(steps, 2))
        fours = tuple(combinations(about[:, :, 1].ravel().tolist(), 4)) if players == 2 else ()
    return {
        "usual": rectangles + left + steps + fours,
        "small": (fours or rectangles) + left + steps,
        "published": squares if size < 5 else rectangles,
        "rectangles": rectangles,
        "squares": squares,
    }


def observation_names(game: Game) -> tuple[str, ...]:
    """Planes of the board: one a stone, one a face of the die, one a player who may be to act, one for the seat."""
    size, players, stones = game.constants["SIZE"], game.players, game.constants["STONES"]
    planes = (
        *_stones(players, stones),
        *(f"die{face + 1}" for face in range(stones)),
        *(f"{owner}_turn" for owner in _owners(players)),
        *(("seat",) if players > 2 else ()),
    )
    return tuple(f"{plane} {cell}" for plane in planes for cell in _board(size))


def _names(size: int, players: int, stones: int) -> tuple[str, ...]:
    about = (f"{stone}_{what}" for stone in _stones(players, stones) for what in ("steps", "cell", "reflected"))
    return (*_board(size), *(f"{owner}_stones" for owner in _owners(players)), *about)


def _board(size: int) -> tuple[str, ...]:
    """Player 0 sees the board as it is written; the others read its names from their own corner."""
    return tuple(f"{'abcdef'[cell % size]}{size - cell // size}" for cell in range(size**2))


def _owners(players: int) -> tuple[str, ...]:
    return ("own", "next", "third", "fourth")[:players] if players > 2 else ("own", "other")


def _stones(players: int, stones: int) -> tuple[str, ...]:
    return tuple(f"{owner}{stone + 1}" for owner in _owners(players) for stone in range(stones))

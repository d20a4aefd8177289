"""What networks see of Othello: the planes of `tactics`, found again cell by cell without any bit tricks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.observations.othello import (
    CORNER,
    DISCS,
    EXPOSED,
    FLIPPABLE,
    FLIPS,
    FREE,
    MANY_FLIPS,
    MANY_REPLIES,
    ODD,
    ODD_REGIONS,
    REPLIES,
    SIDE_PLANES,
    STABLE,
    TO_PLACE,
)
from variants import random_positions

Cell = tuple[int, int]
Board = dict[Cell, int]  # who has a disc on a cell; those without one are empty
DIRECTIONS: list[Cell] = [(row, column) for row, column in product((-1, 0, 1), (-1, 0, 1)) if row or column]
AXES = DIRECTIONS[:4]


def seen(position: sw.Position) -> np.ndarray:
    """[planes, rows, columns]"""
    return position.game.batch([position]).observe("tactics")[0]


def board_of(position: sw.Position) -> Board:
    size = position.game.constants["SIZE"]
    cells = list(product(range(size), range(size)))
    return {cell: player for player in (0, 1) for i, cell in enumerate(cells) if position.words[1 + player] >> i & 1}


def plane(size: int, cells: set[Cell] | dict[Cell, float]) -> np.ndarray:
    found = np.zeros((size, size), np.float32)
    for cell in cells:
        found[cell] = cells[cell] if isinstance(cells, dict) else 1
    return found


def beyond(cell: Cell, step: Cell, size: int) -> list[Cell]:
    """The cells that follow in one direction."""
    ahead = [(cell[0] + n * step[0], cell[1] + n * step[1]) for n in range(1, size)]
    return [(row, column) for row, column in ahead if 0 <= row < size and 0 <= column < size]


def flips(board: Board, cell: Cell, player: int, size: int) -> set[Cell]:
    found = set[Cell]()
    if cell in board:
        return found
    for step in DIRECTIONS:
        run = list[Cell]()
        for there in beyond(cell, step, size):
            if board.get(there) != 1 - player:
                found |= set(run) if board.get(there) == player else set()
                break
            run.append(there)
    return found


def placed(board: Board, cell: Cell, player: int, size: int) -> Board:
    return board | dict.fromkeys({cell, *flips(board, cell, player, size)}, player)


def free(board: Board, player: int, size: int) -> set[Cell]:
    return {cell for cell in product(range(size), range(size)) if flips(board, cell, player, size)}


def stable(board: Board, player: int, size: int) -> set[Cell]:
    found = set[Cell]()
    while True:
        more = {
            cell
            for cell, owner in board.items()
            if owner == player and all(held(board, cell, step, found, size) for step in AXES)
        }
        if more == found:
            return found
        found = more


def held(board: Board, cell: Cell, step: Cell, found: set[Cell], size: int) -> bool:
    one, two = beyond(cell, step, size), beyond(cell, (-step[0], -step[1]), size)
    return not one or not two or all(there in board for there in one + two) or one[0] in found or two[0] in found


def regions(board: Board, size: int) -> list[set[Cell]]:
    left, found = set(product(range(size), range(size))) - set(board), list[set[Cell]]()
    while left:
        region, edge = set[Cell](), {left.pop()}
        while edge:
            region |= edge
            edge = {cell for here in edge for step in DIRECTIONS for cell in beyond(here, step, size)[:1]} & left
            left -= edge
        found.append(region)
    return found


def positions_of(name: str, games: int) -> list[sw.Position]:
    return [position for seed in range(games) for position in random_positions(sw.game(name), seed)]


@pytest.mark.parametrize(("name", "games"), [("othello", 2), ("othello:size=6", 4), ("othello:size=4", 4)])
def test_every_plane_is_what_the_board_shows(name: str, games: int) -> None:
    stable_discs = odd = 0
    for position in positions_of(name, games):
        planes, board, size = seen(position), board_of(position), position.game.constants["SIZE"]
        viewer = position.mover if not position.over else 0
        empty = set(product(range(size), range(size))) - set(board)
        corners = set(product((0, size - 1), (0, size - 1)))
        for side, player in enumerate((viewer, 1 - viewer)):
            mine = {cell for cell, owner in board.items() if owner == player}
            may = free(board, player, size)
            after = {cell: free(placed(board, cell, player, size), 1 - player, size) for cell in may}
            exposed = {cell for cell in mine if any(set(beyond(cell, step, size)[:1]) & empty for step in DIRECTIONS)}
            wanted = {
                DISCS: mine,
                FREE: may,
                FLIPS: {cell: len(flips(board, cell, player, size)) / MANY_FLIPS for cell in may},
                REPLIES: {cell: len(replies) / MANY_REPLIES for cell, replies in after.items()},
                CORNER: {cell for cell, replies in after.items() if replies & corners},
                FLIPPABLE: {flip for cell in may for flip in flips(board, cell, player, size)},
                EXPOSED: exposed,
                STABLE: stable(board, player, size),
            }
            for number, cells in wanted.items():
                assert np.array_equal(planes[side * SIDE_PLANES + number], plane(size, cells))
            stable_discs += len(wanted[STABLE])
        shared = {cell for region in regions(board, size) if len(region) % 2 for cell in region}
        odd += len(shared)
        assert np.array_equal(planes[ODD_REGIONS], plane(size, shared))
        assert (planes[ODD] == len(empty) % 2).all()
        assert (planes[TO_PLACE] == (not position.over)).all()
    assert stable_discs > 0
    assert odd > 0


def test_a_stable_disc_is_never_flipped() -> None:
    game = sw.game("othello:size=6")
    for seed in range(40):
        held: list[set[Cell]] = [set(), set()]
        for position in random_positions(game, seed):
            board, planes = board_of(position), seen(position)
            assert all(board[cell] == player for player in (0, 1) for cell in held[player])
            if position.over:
                break
            for player in (0, 1):
                number = STABLE if player == position.mover else SIDE_PLANES + STABLE
                held[player] |= {(int(row), int(column)) for row, column in np.argwhere(planes[number])}
        assert held[0] | held[1]


@pytest.mark.parametrize("name", ["othello", "othello:size=6"])
def test_the_planes_turn_with_the_board(name: str) -> None:
    game = sw.game(name)
    batch = game.batch(positions_of(name, 2))
    planes = batch.observe("tactics").reshape(len(batch), -1, game.constants["CELLS"])
    for k, turned in enumerate(game.constants["TURNED"]):
        mirrored = batch.turned(k).observe("tactics").reshape(planes.shape)
        assert np.array_equal(mirrored[:, :, turned[:-1]], planes)

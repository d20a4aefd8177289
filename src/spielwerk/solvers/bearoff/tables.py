"""The bear-off tables: made by the rules of the game, pips by pips, and kept on disk."""

from __future__ import annotations

import math
import os

import numpy as np

from spielwerk.games.game import Game
from spielwerk.solvers import tables
from spielwerk.solvers.bearoff import kernels
from spielwerk.solvers.bearoff.index import MOST, POINTS, BearOffIndex, build
from spielwerk.solvers.bearoff.kernels import MOST_ENDS, MOST_ROLLS, ROLLS, Against, Alone, EndLists
from spielwerk.solvers.oracle import SolveProgress, no_progress

ONE_SIDED_BYTES = 16 << 20
FOLDER = "backgammon"  # all variants share what scores the same


def one_sided(game: Game, callback: SolveProgress = no_progress) -> np.ndarray:
    """[positions, MOST_ROLLS + 2]: the expected rolls of a side alone, and the probability of 0, 1, 2 … rolls."""
    path = tables.folder(FOLDER) / "one-sided.table"
    about = {"game": FOLDER, "table": "one-sided", "checkers": MOST, "rolls": MOST_ROLLS}
    if not path.exists():
        tables.need(path.parent, disk=ONE_SIDED_BYTES)
    count = math.comb(MOST + POINTS, POINTS) * (MOST_ROLLS + 2)
    table = tables.opened_or_made(path, about, lambda: alone(game, build(MOST), callback), count, np.float64)
    return np.asarray(table.whole()).reshape(-1, MOST_ROLLS + 2)


def two_sided(game: Game, index: BearOffIndex, callback: SolveProgress = no_progress) -> np.ndarray:
    """[on roll, other]: the expected score of the player on roll."""
    most = int(index.checkers.sum(axis=1).max())
    gammon = gammon_of(game, most)
    path = tables.folder(FOLDER) / f"two-sided-{most}{'-gammons' if gammon > 1 else ''}.table"
    about = {"game": FOLDER, "table": "two-sided", "checkers": most, "gammon": gammon}
    count = len(index) ** 2
    table = tables.opened_or_made(path, about, lambda: against(game, index, callback), count, np.float64)
    return np.asarray(table.whole()).reshape(len(index), len(index))


def gammon_of(game: Game, most: int) -> float:
    """What a win against `most` checkers at home scores: more than 1 only where that is all of them."""
    return game.constants["GAMMON"] if most == game.constants["CHECKERS"] else 1.0


def alone(game: Game, index: BearOffIndex, callback: SolveProgress) -> np.ndarray:
    """Makes the one-sided table, for all positions of the index."""
    table = np.zeros((len(index), MOST_ROLLS + 2))
    table[0, 1] = 1.0
    ends = np.zeros((int(np.diff(index.begins).max()), MOST_ENDS), np.int32)
    run = game.rows(kernels.bear_off_alone, threads=_threads())
    rolls, chances = _dice(game)
    for pips in range(1, index.most_pips + 1):
        ranks = index.order[index.begins[pips] : index.begins[pips + 1]]
        run(len(ranks), Alone(ranks, index.boards, rolls, chances, ends, table))
        callback(pips, index.most_pips)
    return table


def against(game: Game, index: BearOffIndex, callback: SolveProgress) -> np.ndarray:
    """Makes the two-sided table, for all pairs of positions of the index."""
    count, left = len(index), index.checkers.sum(axis=1)
    scratch = ROLLS * MOST_ENDS * np.dtype(np.int32).itemsize * count
    tables.need(tables.folder(FOLDER), disk=8 * count**2, memory=8 * count**2 + scratch)
    ends, counts = np.zeros((count, ROLLS, MOST_ENDS), np.int32), np.zeros((count, ROLLS), np.int32)
    rolls, chances = _dice(game)
    game.rows(kernels.list_ends, threads=_threads())(count, EndLists(index.boards, rolls, ends, counts))
    table = np.zeros((count, count))
    table[:, 0] = -np.where(left == left.max(), gammon_of(game, int(left.max())), 1.0)  # who is on roll has lost
    run = game.rows(kernels.bear_off_against, threads=_threads())
    for pips in range(2, 2 * index.most_pips + 1):
        run(count, Against(pips, index.pips, index.order, index.begins, chances, ends, counts, table))
        callback(pips, 2 * index.most_pips)
    return table


def _dice(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Every roll as an outcome of the rules, and its probability."""
    outcomes = game.parse(".A......................a. X roll").outcomes()
    return np.array([outcome for outcome, _ in outcomes]), np.array([chance for _, chance in outcomes])


def _threads() -> int:
    return os.cpu_count() or 1

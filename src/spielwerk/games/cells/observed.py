"""What n-tuples see of a game that does not say: the numbers that `observe` writes, each rounded to one of its levels.

The levels are those that random games show, at most `MOST_LEVELS` of each number; what lies between two goes to the
nearer. Numbers that never change are left out. The first cells, `_1`, `_2` …, are scratch for `observe` and always 0.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.cells import Cells, Layout, observation_names
from spielwerk.games.chance import random_action, random_outcome
from spielwerk.games.rules import CHANCE, OVER, PLAYERS, mover, observe, play, roll, start
from spielwerk.kernel.random import stream
from spielwerk.kernel.specialise import unbound
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("observed",)
POSITIONS = 10_000  # of random games
LONGEST_GAME = 1_000  # positions, since some games need not end
MOST_LEVELS = 16
TUPLE = 6  # cells of a tuple, where not all fit in one
DRAWN = 32  # tuples of any cells
LARGEST_TABLE = 2_000_000  # weights of one tuple

SCRATCH_CELLS: int = unbound("SCRATCH_CELLS")  # cells that `observe` writes into, two numbers each
OBSERVED_NUMBERS: np.ndarray = unbound("OBSERVED_NUMBERS")  # [cells]: the numbers that are looked at
OBSERVED_BORDERS: np.ndarray = unbound(
    "OBSERVED_BORDERS"
)  # [cells, MOST_LEVELS - 1]: the least number of each level but the lowest


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    numbers = out.view(np.float32)
    observe(state, player, numbers)
    for cell in range(OBSERVED_NUMBERS.shape[0]):
        level = 0
        while level < MOST_LEVELS - 1 and numbers[OBSERVED_NUMBERS[cell]] >= OBSERVED_BORDERS[cell, level]:
            level += 1
        out[SCRATCH_CELLS + cell] = level
    for cell in range(SCRATCH_CELLS):
        out[cell] = 0


def note_values(state, numbers, weights, rng, seen):
    """Plays random games and writes what every player observes in each position; seen [positions, PLAYERS, numbers]."""
    start(state, rng)
    played = 0
    for i in range(seen.shape[0]):
        for player in range(PLAYERS):
            observe(state, player, seen[i, player])
        who = mover(state)
        played += 1
        if who == OVER or played == LONGEST_GAME:
            start(state, rng)
            played = 0
        elif who == CHANCE:
            roll(state, random_outcome(state, rng, numbers, weights))
        else:
            play(state, random_action(state, rng, numbers))


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a game, from what random games show."""
    shown = _shown(game)
    levels = {number: _levels(column) for number, column in enumerate(shown.T)}
    changing = [number for number, found in levels.items() if len(found) > 1]
    if not changing:
        raise BadInput(f"{game.name} has nothing for n-tuples to look at: its observation never changes.")
    scratch = -(-shown.shape[1] // 2)
    values = tuple(len(levels[number]) for number in changing)
    names = observation_names(game)
    return Layout(
        coding=coding,
        values=(1,) * scratch + values,
        neighbours=((),) * scratch + _neighbours(game.constants["OBSERVATION"], changing, scratch),
        symmetries=np.arange(scratch + len(values)).reshape(1, -1),
        sets=(0,) * game.players,
        tuples=_tuples(values, scratch),
        cells=cells,
        bindings={
            "SCRATCH_CELLS": scratch,
            "OBSERVED_NUMBERS": np.array(changing, np.int32),
            "OBSERVED_BORDERS": _borders(levels, changing),
        },
        names=(*(f"_{i + 1}" for i in range(scratch)), *(names[number] for number in changing)),
    )


def _shown(game: Game) -> np.ndarray:
    """[positions × players, numbers]: what is observed in random games."""
    numbers = int(np.prod(game.constants["OBSERVATION"]))
    seen = np.zeros((POSITIONS, game.players, numbers), np.float32)
    state, actions, weights, _ = game.workspace()
    game.kernel(note_values)(state, actions, weights, stream(0, "observed cells"), seen)
    return seen.reshape(-1, numbers)


def _levels(column: np.ndarray) -> np.ndarray:
    """The different numbers of a column; where they are too many, as many that stand for equal parts of it."""
    found = np.unique(column)
    if len(found) <= MOST_LEVELS:
        return found
    return np.unique(np.quantile(column, (np.arange(MOST_LEVELS) + 0.5) / MOST_LEVELS, method="nearest"))


def _borders(levels: dict[int, np.ndarray], changing: list[int]) -> np.ndarray:
    """Half-way between a level and the next; nothing lies beyond the last."""
    table = np.full((len(changing), MOST_LEVELS - 1), np.inf, np.float32)
    for row, number in zip(table, changing, strict=True):
        found = levels[number]
        row[: len(found) - 1] = (found[1:] + found[:-1]) / 2
    return table


def _neighbours(shape: tuple[int, ...], changing: list[int], scratch: int) -> tuple[Cells, ...]:
    """One step along an axis of the observation; and the cells before and after, so that all hang together."""
    places = {tuple(map(int, np.unravel_index(number, shape))): scratch + i for i, number in enumerate(changing)}
    steps = [
        tuple(sign * (axis == other) for other in range(len(shape)))
        for axis, sign in product(range(len(shape)), (-1, 1))
    ]
    found: list[Cells] = []
    for place, cell in places.items():
        around: set[Any] = {places.get(tuple(a + b for a, b in zip(place, step, strict=True))) for step in steps}
        around |= {beside for beside in (cell - 1, cell + 1) if scratch <= beside < scratch + len(changing)}
        found.append(tuple(sorted(around - {None})))
    return tuple(found)


def _tuples(values: Cells, scratch: int) -> dict[str, tuple[Cells, ...]]:
    """All cells in one tuple where that is a small table; those that stand together, and some from everywhere."""
    every = range(len(values))
    rng = np.random.default_rng(0)
    windows = [range(first, min(first + TUPLE, len(values))) for first in range(max(len(values) - TUPLE, 0) + 1)]
    anywhere = [rng.permutation(len(values))[:TUPLE].tolist() for _ in range(DRAWN)]
    usual = tuple(_fitting(cells, values, scratch) for cells in (*windows, *anywhere))
    named = {"all": (_fitting(every, values, scratch),)} if prod(values) <= LARGEST_TABLE else {}
    return named | {"usual": usual}


def _fitting(cells: Any, values: Cells, scratch: int) -> Cells:
    """As many of the cells as one table takes."""
    fitting: list[int] = []
    for cell in cells:
        if prod(values[other] for other in (*fitting, cell)) <= LARGEST_TABLE:
            fitting.append(cell)
    return tuple(scratch + cell for cell in fitting)

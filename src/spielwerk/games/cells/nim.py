"""What n-tuples see of nim: the matches of each stack. Who has just moved sees the same as the other would."""

from __future__ import annotations

from itertools import chain, combinations
from math import prod
from typing import TYPE_CHECKING

from spielwerk.games.cells import Cells, Layout
from spielwerk.games.nim import STACKS

if TYPE_CHECKING:
    from spielwerk.games.game import Game

CODINGS = ("matches",)
LARGEST_TABLE = 2_000_000  # weights of one tuple of all stacks


def cells(state, player, out):
    """See `games/cells/__init__.py`."""
    for stack in range(STACKS):
        out[stack] = state[1 + stack]


def layout(game: Game, coding: str) -> Layout:
    """The cells and tuples of a variant."""
    stacks = range(game.constants["STACKS"])
    values = tuple(size + 1 for size in game.constants["SIZES"].tolist())
    every: tuple[Cells, ...] = (tuple(stacks),)
    few = tuple(chain(*(combinations(stacks, n) for n in (1, 2, 3))))
    named = {"all": every, "triples": few} if prod(values) <= LARGEST_TABLE else {"triples": few}
    return Layout(
        coding=coding,
        values=values,
        neighbours=tuple(tuple(other for other in stacks if other != stack) for stack in stacks),
        symmetries=game.constants["TURNED"].astype(int),
        sets=(0, 0),
        tuples=named,
        cells=cells,
        bindings={},
        names=_names(game),
        amounts=True,
    )


def _names(game: Game) -> tuple[str, ...]:
    return tuple(f"stack{stack + 1}" for stack in range(game.constants["STACKS"]))


def observation_names(game: Game) -> tuple[str, ...]:
    """The matches of each stack, as a share of the largest, and whether the player is to move."""
    return (*_names(game), "turn")

"""What a network sees: the numbers of a game's cells, their bits, a node for each value, or what `observe` writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.games.cells import cells, layout, observation_names
from spielwerk.games.game import Game
from spielwerk.games.rules import observe
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.learn.evolution.settings import AUTO, BITS, CELLS, OBSERVE, ONEHOT

KINDS = (CELLS, BITS, ONEHOT, OBSERVE)  # all but auto, which is one of them

CELLS_SEEN: int = unbound("CELLS_SEEN")
INPUTS_SEEN: int = unbound("INPUTS_SEEN")
WIDTHS: tuple[int, ...] = unbound("WIDTHS")  # the inputs of each cell: its bits, or its values but 0


@interface
def see(state, player, values, seen, observed):
    """Writes the inputs into the first `values`, as `player` sees the position.

    seen int64 [cells] and observed float32 [numbers] are scratch.
    """
    raise NotImplementedError


def see_cells(state, player, values, seen, observed):
    """Each cell is an input."""
    cells(state, player, seen)
    for cell in range(CELLS_SEEN):
        values[cell] = seen[cell]


def see_bits(state, player, values, seen, observed):
    """Each binary digit of a cell is an input, the lowest first."""
    cells(state, player, seen)
    at = 0
    for cell in range(CELLS_SEEN):
        for bit in range(WIDTHS[cell]):
            values[at] = (seen[cell] >> bit) & 1
            at += 1


def see_onehot(state, player, values, seen, observed):
    """Each value of a cell but 0 is an input."""
    cells(state, player, seen)
    at = 0
    for cell in range(CELLS_SEEN):
        for value in range(1, WIDTHS[cell] + 1):
            values[at] = 1.0 if seen[cell] == value else 0.0
            at += 1


def see_observation(state, player, values, seen, observed):
    """Each number that `observe` writes is an input."""
    observe(state, player, observed)
    for k in range(INPUTS_SEEN):
        values[k] = observed[k]


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a game's networks."""

    kind: str  # never auto
    names: tuple[str, ...]
    cells: int  # length of the scratch arrays that their kernel needs
    observed: int
    bindings: dict[str, Any]


def inputs_of(game: Game, kind: str) -> Inputs:
    """The inputs by the name of their kind; `auto` are cells where they are amounts, and else the observation."""
    if kind == AUTO:
        kind = CELLS if game.layout and layout(game).amounts else OBSERVE
    if kind == OBSERVE:
        names = observation_names(game)
        return Inputs(kind, names, 1, len(names), {"see": see_observation, "INPUTS_SEEN": len(names)})
    seen = layout(game)
    bindings = {**seen.bindings, "cells": seen.cells, "CELLS_SEEN": len(seen.values)}
    if kind == CELLS:
        return Inputs(kind, seen.names, len(seen.values), 1, {**bindings, "see": see_cells})
    if kind == BITS:
        widths = [(values - 1).bit_length() for values in seen.values]
        named = [f"{name}·{1 << bit}" for name, width in zip(seen.names, widths, strict=True) for bit in range(width)]
        see: Any = see_bits
    else:
        widths = [values - 1 for values in seen.values]
        named = [f"{name}={k + 1}" for name, width in zip(seen.names, widths, strict=True) for k in range(width)]
        see = see_onehot
    return Inputs(kind, tuple(named), len(seen.values), 1, {**bindings, "see": see, "WIDTHS": tuple(widths)})

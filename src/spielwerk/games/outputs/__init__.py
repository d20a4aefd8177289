"""What the outputs of a network mean as a move, in games that have ways of their own besides judging positions.

A game's rules name a module in `OUTPUTS`. Such a module defines `outputs(game)`: each way by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.kernel.specialise import interface, unbound

ILLEGAL = -1
SAFE_MOVES: bool = unbound("SAFE_MOVES")  # whether an illegal output becomes the nearest legal move


@interface
def meant(state, values, first):
    """The action of the mover that the outputs mean: `values` from `first` on; ILLEGAL where they mean none."""
    raise NotImplementedError


@dataclass(frozen=True)
class Outputs:
    """One way to read a move from outputs."""

    names: tuple[str, ...]  # of the outputs
    meant: Callable[..., Any]  # the kernel bound to the interface above


def outputs(game: Game) -> Mapping[str, Outputs]:
    """The ways in which the outputs of a network can mean a move of `game`, by name; none where it does not say."""
    return part(game.kind, "outputs", game.outputs, "outputs")(game) if game.outputs else {}

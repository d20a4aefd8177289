"""A move in parts: what a network says of it one after the other that learns from observed moves alone.

A game's module names a module in `MOVE_PARTS`. Such a module defines `NAMES`, the parts of a move, `sizes(constants)`,
how many values each has (the last one means none), and the kernel `write_parts`. It may define `ACTIONS_A_MOVE` (so
many actions of a turn make one move; 1), `RULES` with the kernel `broken`, `PHASES` with the kernel `phase_of`,
and in `ALWAYS` the parts that are never none.
A game that names no module has moves of one part, the action. `rows.py` lists moves on many boards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spielwerk.games.move_parts import action as usual
from spielwerk.games.parts import module
from spielwerk.kernel.specialise import interface
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game

BITS = "bits"  # the inputs that tell a position and nothing of the rules


@interface
def write_parts(state, action, values):
    """Writes the parts of a move that `action` decides in a position; the others stay as they are.

    Law: different legal moves of a position have different parts.
    """
    raise NotImplementedError


@interface
def broken(state, values):
    """The number of the first rule that a move breaks, given by its parts; -1 where it is legal.

    Law: it is -1 for the legal moves of a position, and for no others.
    """
    raise NotImplementedError


@interface
def phase_of(state):
    """The number of the mover's phase."""
    raise NotImplementedError


@dataclass(frozen=True)
class MoveParts:
    """The parts of the moves of one game."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    actions: int  # of a turn that make one move
    write_parts: Callable[..., Any]
    rules: tuple[str, ...]  # that a move may break; none where the game does not tell them apart
    broken: Callable[..., Any] | None
    phases: tuple[str, ...]
    phase_of: Callable[..., Any] | None
    always: tuple[str, ...]  # parts that are never none
    inputs: str  # the named form of observation that tells nothing of the rules; "" is the usual one

    @property
    def moves(self) -> int:
        """How many combinations of values there are."""
        return math.prod(self.sizes)

    @property
    def possible(self) -> int:
        """The same without those in which a part is none that never is."""
        return math.prod(size - (name in self.always) for name, size in zip(self.names, self.sizes, strict=True))

    def places(self, order: str) -> tuple[int, ...]:
        """The parts in an order of their first letters, such as TFR; BadInput where that is none."""
        letters = [name[0].upper() for name in self.names]
        given = list(order.upper()) if order else letters
        if sorted(given) != sorted(letters):
            named = ", ".join(f"{name[0].upper()} ({name})" for name in self.names)
            raise BadInput(f'order cannot be "{order}"; it has each part once, by its first letter: {named}.')
        return tuple(letters.index(letter) for letter in given)


def move_parts(game: Game) -> MoveParts:
    """The parts of the moves of a game."""
    found: Any = module(game.kind, "move parts", game.move_parts_module) if game.move_parts_module else usual
    return MoveParts(
        tuple(found.NAMES),
        tuple(found.sizes(game.constants)),
        getattr(found, "ACTIONS_A_MOVE", 1),
        found.write_parts,
        tuple(getattr(found, "RULES", ())),
        getattr(found, "broken", None),
        tuple(getattr(found, "PHASES", ())),
        getattr(found, "phase_of", None),
        tuple(getattr(found, "ALWAYS", ())),
        BITS if BITS in game.observations else "",
    )


def value_name(game: Game, part: int, value: int) -> str:
    """A value of a part for people: a point of the board where the game says so, else its number."""
    parts = game.move_parts
    graph = game.graph
    if value == parts.sizes[part] - 1:
        return "none"
    on_board: Sequence[str] = graph.points if graph and parts.sizes[part] == len(graph.points) + 1 else ()
    return on_board[value] if on_board else str(value)

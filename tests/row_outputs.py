"""A way of its own to read a move of chomp from the outputs of a network: a whole row, by its number."""

from __future__ import annotations

from math import floor

from spielwerk.games.game import Game
from spielwerk.games.outputs import ILLEGAL, SAFE_MOVES, Outputs
from spielwerk.kernel.specialise import unbound

SIZE: int = unbound("SIZE")


def outputs(game: Game) -> dict[str, Outputs]:
    """See `games/outputs/__init__.py`."""
    return {"row": Outputs(("row",), by_row)}


def by_row(state, values, first):
    """The first piece of the row that the output names, and with it all above; the whole bar is always legal."""
    row = floor(min(max(values[first], -1), SIZE))
    if row < 0 or row >= SIZE or state[1 + row] == 0:
        return 0 if SAFE_MOVES else ILLEGAL
    return row * SIZE

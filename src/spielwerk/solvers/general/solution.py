"""Solution: every position of a game by its words, with its value and distance, in memory or in a file.

The file is one table of bytes, in which the arrays lie one after the other; its facts say how to read them. Its name
holds a digest of the rules, so that a game whose rules were changed is never answered from an old table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.data import is_whole
from spielwerk.games.game import Game
from spielwerk.kernel.specialise import digest
from spielwerk.names import BadInput
from spielwerk.solvers import tables
from spielwerk.solvers.general.induction import proceed
from spielwerk.solvers.general.solver import GeneralSolver
from spielwerk.solvers.general.store import bindings, slot_of, slots_for
from spielwerk.solvers.tables import Table

LINE = 64  # bytes to which arrays are aligned
KINDS = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True)
class Solution:
    """The positions of a game and what is known of each."""

    game: Game
    states: np.ndarray  # [positions, words], as small as its numbers allow
    slots: np.ndarray
    values: np.ndarray  # [positions, values]
    turns: np.ndarray

    def find(self, state: np.ndarray) -> int:
        """The number of a position; -1 if it is not there."""
        return int(self.slots[self._slot_of(state, self.states, self.slots)]) - 1

    @cached_property
    def _slot_of(self) -> Any:
        return self.game.kernel(slot_of)


def solved(solver: GeneralSolver) -> Solution:
    """What a solver has found, in arrays of the size that it needs."""
    store, n = solver.store, solver.positions
    states = store.states[:n].astype(_smallest(store.states[:n]))
    slots = np.zeros(slots_for(n), np.int32)
    turns = store.turns[:n].astype(_smallest(store.turns[:n]))
    solver.fill(slots)
    return Solution(solver.game, states, slots, store.values[:n].copy(), turns)


def save(found: Solution, facts: Mapping[str, Any]) -> Table:
    """Writes the table; `facts` are what `solve` prints."""
    parts = {name: getattr(found, name) for name in ("states", "slots", "values", "turns")}
    size = sum(_padded(part.nbytes) for part in parts.values())
    tables.need(path_of(found.game).parent, disk=size, memory=size)
    whole, at, places = np.zeros(size, np.uint8), 0, {}
    for name, part in parts.items():
        whole[at : at + part.nbytes] = part.reshape(-1).view(np.uint8)
        places[name] = [at, part.dtype.str, list(part.shape)]
        at += _padded(part.nbytes)
    return tables.write(path_of(found.game), whole, _about(found.game), {"places": places, "solved": dict(facts)})


def opened(game: Game) -> tuple[Solution, dict[str, Any]] | None:
    """What was saved and the facts about it; None where nothing was."""
    path = path_of(game)
    if not path.exists():
        return None
    table = tables.open_table(path, _about(game), dtype=np.uint8)
    whole, facts = table.whole(), table.header["facts"]
    try:
        parts = {name: _part(whole, *place) for name, place in facts["places"].items()}
        return _checked(Solution(game, **parts)), facts["solved"]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadInput(f"{path} is damaged; delete it, and it will be computed again.") from None


def _checked(found: Solution) -> Solution:
    """Refuses arrays in which a search could leave its bounds or not end."""
    n, slots = len(found.states), len(found.slots)
    shapes = found.states.shape[1:] == (found.game.constants["WORDS"],) and len(found.values) == len(found.turns) == n
    if not shapes or slots != slots_for(n) or found.slots.dtype != np.int32 or found.values.dtype != np.float64:
        raise ValueError
    if int(found.slots.min()) < 0 or int(found.slots.max()) > n or np.count_nonzero(found.slots) != n:
        raise ValueError
    return found


def path_of(game: Game) -> Path:
    """Where the table of a game with these rules lies."""
    rules = digest(proceed, {**game.bindings, **bindings(game), "MOST_FOLLOWERS": 0})
    return tables.folder(game.name) / f"general-{rules}.table"


def _part(whole: np.ndarray, at: int, dtype: str, shape: list[int]) -> np.ndarray:
    if dtype not in tables.DTYPES or not all(is_whole(one, 0, len(whole)) for one in (at, *shape)):
        raise ValueError
    size = math.prod(shape) * np.dtype(dtype).itemsize
    return whole[at : at + size].view(dtype).reshape(shape)


def _about(game: Game) -> dict[str, Any]:
    return {"game": game.name, "holds": "values of the first side, or of each, and turns to the end"}


def _padded(size: int) -> int:
    return -(-size // LINE) * LINE


def _smallest(array: np.ndarray) -> type:
    """The smallest kind of whole number that holds an array."""
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return next(kind for kind in KINDS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)

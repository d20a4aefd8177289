"""What is possible against a player who plays in a fixed way: exact win rates in EinStein for two players.

A policy says with which probability a player chooses each action. Against a policy the best response wins more than
optimal play does, which expects an opponent without faults: it is the ceiling of every rate against that player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.solvers import tables
from spielwerk.solvers.einstein.index import build, estimated_slots, slot_of_state, with_fixed_start
from spielwerk.solvers.einstein.values import EinsteinSolver, best_value, uniform, value_after

CLOSE = 1e-9  # values that differ by less are equal


@dataclass(frozen=True)
class Policy:
    """A way to play: the kernel `share` (see `policy` in `values.py`) and its arrays.

    `alike` says that it does the same in all positions that share a slot of the folded index: turned round, reflected,
    with the stones numbered from the other end. Then there is much less to compute.
    """

    share: Callable[..., Any]
    memory: tuple[Any, ...] = ()
    alike: bool = False


class Rates(NamedTuple):
    """Probabilities of winning from the fixed start."""

    first: float
    second: float
    mean: float  # over both seats


RANDOM = Policy(uniform, alike=True)


def optimal_share(state, actions, n, i, memory):
    """The policy of perfect play, all best actions equally often; `memory` holds the tables."""
    best = best_value(state, actions, n, memory)
    if value_after(state, actions[i], memory) < best - CLOSE:
        return 0.0
    equal = 0
    for j in range(n):
        if value_after(state, actions[j], memory) >= best - CLOSE:
            equal += 1
    return 1.0 / equal


def optimal(known: tuple[Any, Any]) -> Policy:
    """Perfect play by the tables of an oracle that knows every position."""
    return Policy(optimal_share, known, alike=True)


def best_response(game: Game, policy: Policy = RANDOM) -> Rates:
    """How often the best possible play wins against a policy."""
    return met(game, None, policy)


def met(game: Game, ours: Policy | None, theirs: Policy = RANDOM) -> Rates:
    """How often one policy wins against another from the fixed start; None is the best possible play."""
    alike = theirs.alike and (ours is None or ours.alike)
    every = 2 * game.constants["STONES"]
    tables.need(tables.folder(game.name), memory=16 * estimated_slots(game, every, alike))
    solver = EinsteinSolver(game, build(game, every, alike))
    slot = game.kernel(slot_of_state)(with_fixed_start(game).start().state, solver.index.maps)
    as_first = _values(solver, ours, theirs, 0)
    as_second = as_first if alike else _values(solver, ours, theirs, 1)
    first, second = (1 + float(as_first[0][slot])) / 2, (1 - float(as_second[1][slot])) / 2
    return Rates(first, second, (first + second) / 2)


def _values(solver: EinsteinSolver, ours: Policy | None, theirs: Policy, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """What whoever rolls can expect, if that is we, who sit at `seat`, and if it is they; [slots] each."""
    slots = solver.index.ends[-1]
    we, they = ((np.zeros(slots), np.zeros(1, np.int16)) for _ in range(2))
    ours_bound = {} if ours is None else {"BEST": False, "policy": ours.share, "memory": ours.memory}
    theirs_bound = {"BEST": False, "policy": theirs.share, "memory": theirs.memory}

    def work(now: tuple[int, int]) -> None:
        solver.work_off(now, we, they, seat, **ours_bound)
        solver.work_off(now, they, we, 1 - seat, **theirs_bound)

    solver.over_levels(range(2, solver.index.most + 1), work, lambda done, total: None)
    return we[0], they[0]

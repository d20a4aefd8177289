"""Evaluations written by hand, one file a game, beside the rules: what searches cut short put in place of the score.

A game's module names them in `EVALUATIONS`, the usual one first: a name and the module that holds it. Such a module
defines `evaluate(state, player, data)`, and may define `data(game)`, an array or a tuple of arrays that the evaluation
reads, its weights or tables, and `before(state, data)`, called once in the position in which an agent decides.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.kernel.specialise import interface

NONE = "none"


@interface
def evaluate(state, player, data):
    """The score that `player` may expect in a position that is not over, of which nobody has decided more.

    Laws: members of a team expect the same; the values of one player of each team sum to 0; between the lowest and the
    highest score of the game.
    """
    raise NotImplementedError


@interface
def before(state, data):
    """Notes in `data` what the evaluation must know of the position in which the agent decides."""
    raise NotImplementedError


def even(state, player, data):
    """No idea: nobody is ahead."""
    return 0.0


def nothing(state, data):
    """Nothing to note."""


@dataclass(frozen=True)
class Evaluation:
    """An evaluation of one game, ready to be bound to a search."""

    name: str
    evaluate: Callable[..., Any]
    before: Callable[..., Any]
    data: Any  # whatever kernels take: an array, or a tuple of arrays
    more: Mapping[str, Any] = field(default_factory=dict)  # what else `evaluate` needs bound
    again: Callable[[], Any] | None = None  # the same data with scratch of its own, where `evaluate` needs any

    @property
    def bindings(self) -> dict[str, Any]:
        """What a kernel that uses `evaluate` and `before` needs."""
        return {"evaluate": self.evaluate, "before": self.before, **self.more}

    def own_data(self) -> Any:
        """The data for one more thread, in which no other writes."""
        if self.again:
            return self.again()
        return self.data if self.before is nothing else copy.deepcopy(self.data)


def evaluation(game: Game, name: str = "") -> Evaluation:
    """The evaluation of `game` that goes by `name`; by default its usual one, or none."""
    known = game.evaluations
    name = name or next(iter(known), NONE)
    if name == NONE:
        return Evaluation(NONE, even, nothing, np.zeros(1))
    if name not in known:
        raise names.unknown(f"{game.kind} has no evaluation", name, [*known, NONE], "Evaluations")
    place = (game.kind, f'evaluation "{name}"', known[name])
    data = part(*place, "data", _no_data)
    return Evaluation(name, part(*place, "evaluate"), part(*place, "before", nothing), data(game))


def _no_data(game: Game) -> np.ndarray:
    """For evaluations that read none."""
    return np.zeros(1)

"""Places: where the logit of each action stands among scores of points. Needs no torch.

A network over the board scores pairs of points (from one to the other), single points, and what concerns no point.
Side by side these are [n, points² + points + nowhere]; a kind that no action of the game needs is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.games.game import Game
from spielwerk.learn.neural.forms import Form


@dataclass(frozen=True, eq=False)
class Places:
    """Which scores a game needs, and where its actions find theirs."""

    pairs: bool
    single: bool
    nowhere: int  # actions that concern no point
    order: np.ndarray | None  # [actions] int64: the place of each action's logit among all scores; None: as they stand


def places_of(game: Game, form: Form) -> Places | None:
    """The places of a game; None where its actions are not of the points of its inputs."""
    graph = game.graph
    if not graph or not graph.actions or len(graph.points) != form.points:
        return None
    source, target = np.array(graph.actions).T
    points, none = form.points, target < 0
    pairs, single = bool((source >= 0).any()), bool(((source < 0) & ~none).any())
    first = points * points if pairs else 0
    last = first + (points if single else 0)
    order = np.where(source >= 0, source * points + target, first + target)
    order[none] = last + np.arange(none.sum())
    straight = np.array_equal(order, np.arange(last + none.sum()))
    return Places(pairs, single, int(none.sum()), None if straight else order)


def removal_actions(game: Game) -> np.ndarray:
    """The actions that place on a point or take from it."""
    assert game.graph
    source, target = np.array(game.graph.actions).T
    return np.flatnonzero((source < 0) & (target >= 0))


def own_order(actions: int, removals: np.ndarray) -> np.ndarray:
    """Where actions find their logits among those of all actions and, behind them, those of removals."""
    order = np.arange(actions)
    order[removals] = actions + np.arange(len(removals))
    return order

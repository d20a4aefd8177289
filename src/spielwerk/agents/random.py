"""`random`: every legal action with the same probability."""

from __future__ import annotations

import numpy as np

from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.compiled import Compiled
from spielwerk.games.position import Position
from spielwerk.search.playout import random_choice


class Random(Compiled):
    """Plays at random: the yardstick of every agent."""

    decide = random_choice

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The probability of each move."""
        shares = dict.fromkeys((turn.end.words for turn in position.turns()), 0.0)
        _share(position, position.mover, 1.0, shares)
        judged = [Judged(turn.text, probability=shares[turn.end.words]) for turn in position.turns()]
        return Analysis(str(position), None, tuple(sorted(judged, key=lambda move: -(move.probability or 0))))


def _share(position: Position, mover: int, share: float, shares: dict[tuple[int, ...], float]) -> None:
    """Adds to each end of the turn the probability that random actions lead there."""
    actions = position.actions()
    for action in actions:
        after = position.play(action)
        if after.mover == mover:
            _share(after, mover, share / len(actions), shares)
        else:
            shares[after.words] += share / len(actions)

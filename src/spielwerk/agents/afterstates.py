"""Agents that take the turn with the best end, valued outside of compiled code: the ends of all boards at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent, first_decision
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimator, asked


class ByAfterstates(Agent):
    """Takes the first of the turns with the best end."""

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def worths(self, ends: Batch, players: np.ndarray) -> np.ndarray:
        """What each end of a turn is worth to the player who took it; [m]."""
        raise NotImplementedError

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The first action of the best turn of each board."""
        after = batch.afterstates()
        best = best_ends(after.offsets, self.worths(after.batch, batch.movers[after.owners]))
        return np.where(best < 0, -1, np.append(after.first, -1)[best])

    def ready(self) -> None:
        """Compiles, by choosing once."""
        self.turn(first_decision(self.game))


class ByEstimate(ByAfterstates):
    """Values the ends of turns by any estimator."""

    def __init__(self, game: Game, settings: Any, estimator: Estimator) -> None:
        super().__init__(game, settings)
        self.estimator = estimator

    def worths(self, ends: Batch, players: np.ndarray) -> np.ndarray:
        """What the players may expect."""
        return asked(self.estimator, ends).values[np.arange(len(players)), players]

    def ready(self) -> None:
        """Compiles or loads what the estimator needs, and what every choice does."""
        self.estimator.ready()
        super().ready()

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The value of every turn, and where the estimator has priors how likely each is; before a roll, the value."""
        if position.over:
            return Analysis(str(position), None, ())
        if position.chance:
            value = asked(self.estimator, self.game.batch([position], threads=1)).values[0, position.roller]
            return Analysis(str(position), float(value), ())
        turns = position.turns()
        ends = self.game.batch([turn.end for turn in turns], threads=1)
        worths = self.worths(ends, np.full(len(turns), position.mover)).tolist()
        likely = self._priors(position) if self.estimator.has_priors else {}
        order = sorted(range(len(turns)), key=lambda i: -worths[i])
        judged = [Judged(turns[i].text, worths[i], probability=likely.get(turns[i].end)) for i in order]
        return Analysis(str(position), judged[0].value, tuple(judged))

    def _priors(self, position: Position) -> dict[Position, float]:
        """The prior of each end of the mover's turn: the product along its actions, summed over all ways there."""
        ends: dict[Position, float] = {}
        here = {position: 1.0}
        while here:
            batch, further = self.game.batch(list(here), threads=1), {}
            legal = batch.actions()
            priors = asked(self.estimator, batch, np.diff(legal.offsets)).priors
            for i, (origin, share) in enumerate(here.items()):
                for k in range(legal.offsets[i], legal.offsets[i + 1]):
                    after = origin.play(legal.values[k])
                    reached = further if after.mover == position.mover else ends
                    reached[after] = reached.get(after, 0.0) + share * float(priors[k]) if priors is not None else 0.0
            here = further
        return ends

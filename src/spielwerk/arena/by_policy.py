"""ByPolicy: plays the action that an estimator's priors call most likely, without any search."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent, first_decision, fresh, turn_by
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import BadInput
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimator, asked_priors
from spielwerk.search.stop import Stop


class ByPolicy(Agent):
    """Takes the most likely action."""

    def __init__(self, game: Game, settings: Any, estimator: Estimator) -> None:
        super().__init__(game, settings)
        if not estimator.has_priors:
            raise BadInput(f"{estimator.name} has no policy to play by.")
        self.estimator = estimator

    def ready(self) -> None:
        """Compiles or loads what the estimator needs."""
        self.estimator.ready()
        self._likely(self.game.batch([first_decision(self.game)], threads=1))

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The most likely action of each board; -1 where nobody is to move."""
        legal, likely, _ = self._likely(batch)
        best = best_ends(legal.offsets, likely)
        return np.where(best >= 0, np.append(legal.values, -1)[best], -1)

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes."""
        rngs = fresh(rng).reshape(1, 1)

        def action(here: Position) -> int:
            return int(self.choose_many(self.game.batch([here], threads=1), rngs)[0])

        return turn_by(action, position)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """How likely each turn is, and what the position is worth."""
        need_mover(position)
        _, _, values = self._likely(self.game.batch([position], threads=1))
        likely = turn_priors(self.estimator, position)
        turns = sorted(position.turns(), key=lambda turn: -likely[turn.end])
        moves = tuple(Judged(turn.text, None, probability=likely[turn.end]) for turn in turns)
        return Analysis(str(position), float(values[0, position.mover]), moves)

    def _likely(self, batch: Batch) -> tuple[Any, np.ndarray, np.ndarray]:
        """The legal actions, how likely each is, and values by seat."""
        legal, found = asked_priors(self.estimator, batch)
        return legal, np.asarray(found.priors), np.asarray(found.values)


def turn_priors(estimator: Estimator, position: Position) -> dict[Position, float]:
    """The prior of each end of the mover's turn: the product along its actions, summed over all ways there."""
    ends: dict[Position, float] = {}
    here = {position: 1.0}
    while here:
        batch, further = position.game.batch(list(here), threads=1), {}
        legal, found = asked_priors(estimator, batch)
        priors = np.asarray(found.priors)
        for i, (origin, share) in enumerate(here.items()):
            for k in range(legal.offsets[i], legal.offsets[i + 1]):
                after = origin.play(legal.values[k])
                reached = further if after.mover == position.mover else ends
                reached[after] = reached.get(after, 0.0) + share * float(priors[k])
        here = further
    return ends

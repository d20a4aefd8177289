"""GraphEstimator: an evolved network in an ONNX file, which scores the ends of turns (see `evaluation.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import OVER, mover
from spielwerk.learn.evolution.evaluation import before_next, bounded
from spielwerk.learn.evolution.genome.inputs import KINDS, inputs_of, see
from spielwerk.learn.evolution.settings import AFTERSTATE
from spielwerk.learn.onnx.estimator import by_seat
from spielwerk.learn.onnx.model import OnnxModel, parts
from spielwerk.names import BadInput, unknown
from spielwerk.search.estimator import Estimate, Estimator, on_host

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch


def view_rows(i, work, actions, weights, results, arrays):
    """Row kernel: the player before the one who acts next on board `i`; -1 where the game is over."""
    states, players = arrays  # [n, WORDS], [n]
    players[i] = -1 if mover(states[i]) == OVER else before_next(states[i])


def see_rows(i, work, actions, weights, results, arrays):
    """Row kernel: what a player sees on board `i`; nothing where the player is below 0."""
    states, players, inputs, seen, observed = arrays  # [n, WORDS], [n], [n, inputs], scratch of each row
    if players[i] >= 0:
        see(states[i], players[i], inputs[i], seen[i], observed[i])


class GraphEstimator(Estimator):
    """Estimates by an evolved network that ONNX Runtime computes."""

    def __init__(self, game: Game, model: OnnxModel, name: str) -> None:
        super().__init__(game)
        self.name, self.model = name, model
        if model.outputs != [AFTERSTATE]:
            raise BadInput(
                f"{model.path} does not score positions: its outputs are {' '.join(model.outputs)}, not {AFTERSTATE}."
            )
        if model.inputs not in KINDS:
            raise unknown(f"{model.path}: {game.kind} has no inputs", model.inputs, KINDS, "Inputs")
        self._inputs = inputs_of(game, model.inputs)
        model.need_inputs(len(self._inputs.names))
        model.need_output(AFTERSTATE, 1)

    def scores(self, batch: Batch, players: np.ndarray) -> np.ndarray:
        """The network's own score of each position, in which that player has ended its turn; [n]."""
        found = [self._scores(part, players[first : first + len(part)]) for first, part in parts(batch)]
        return np.concatenate(found)

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """The scores as values, by seat."""
        players = np.empty(len(batch), np.int64)
        batch.run(view_rows, batch.states, players)
        values = by_seat(
            self.game, bounded(self.scores(batch, players))[:, None] * self.game.constants["BEST"], players
        )
        over = players < 0
        values[over] = batch.scores()[over]
        return Estimate(values)

    def _scores(self, batch: Batch, players: np.ndarray) -> np.ndarray:
        count = len(batch)
        inputs = np.zeros((count, len(self._inputs.names)))
        seen = np.zeros((count, self._inputs.cells), np.int64)
        observed = np.zeros((count, self._inputs.observed), np.float32)
        kernel = self.game.rows(see_rows, **self._inputs.bindings)
        kernel(count, batch.states, players, inputs, seen, observed)
        return self.model.run(inputs)[0][:, 0].astype(np.float64)

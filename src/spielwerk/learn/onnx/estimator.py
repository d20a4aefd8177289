"""OnnxEstimator: a network in an ONNX file as an estimator.

The network sees each position from the side of the player who acts next (before a roll: who rolls). Its output `value`
is what that player may expect, in score units, `[n, 1]`, or what every player may expect, `[n, players]`, that player
first and the others in the order of their seats. In its place there may be `chances` `[n, chances]`, in games that have
them (see `games/chances`): what they are worth, the game's scoring says. An output `policy` `[n, ACTIONS]` holds
logits, of which those of the legal actions become priors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk import names
from spielwerk.games.chances import chances
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.learn.onnx.model import CHANCES, OnnxModel, parts
from spielwerk.search.estimator import Estimate, Estimator, on_host

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch, Ragged

OBSERVE = "observe"  # the usual form of observation, which has no name of its own
VALUE, POLICY = "value", "policy"
OUTPUTS = (VALUE, POLICY, CHANCES)


class OnnxEstimator(Estimator):
    """Estimates by a network that ONNX Runtime computes."""

    def __init__(self, game: Game, model: OnnxModel, name: str) -> None:
        super().__init__(game)
        self.name, self.model = name, model
        for output in model.outputs:
            if output not in OUTPUTS:
                raise names.unknown(f"{model.path}: a network that plays has no output", output, OUTPUTS, "Outputs")
        self.inputs = "" if model.inputs == OBSERVE else model.inputs
        if self.inputs and self.inputs not in game.observations:
            known = [OBSERVE, *game.observations]
            raise names.unknown(f"{model.path}: {game.kind} has no inputs", self.inputs, known, "Inputs")
        model.need_inputs(*game.observation(self.inputs)[0])
        self.chances = chances(game) if CHANCES in model.outputs else None
        if self.chances:
            self._value = model.need_output(CHANCES, len(self.chances.names))
        else:
            self._value = model.need_output(VALUE, 1, game.players)
        self.has_priors = POLICY in model.outputs
        self._policy = model.need_output(POLICY, game.constants["ACTIONS"]) if self.has_priors else -1

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, and priors where the network has a policy."""
        found = [self._estimate(part) for _, part in parts(batch)]
        priors = np.concatenate([one.priors for one in found if one.priors is not None]) if self.has_priors else None
        said = np.concatenate([one.chances for one in found if one.chances is not None]) if self.chances else None
        return Estimate(np.concatenate([one.values for one in found]), priors, said)

    def _estimate(self, batch: Batch) -> Estimate:
        made = self.model.run(batch.observe(self.inputs))
        actors, best = batch.actors, self.game.constants["BEST"]
        said, over = made[self._value], actors == OVER
        expected = self.chances.scores(said)[:, None] if self.chances else said
        values = by_seat(self.game, np.clip(expected, -best, best), actors)
        values[over] = batch.scores()[over]
        priors = softmax(made[self._policy], batch.actions()) if self.has_priors else None
        return Estimate(values, priors, self._chances(batch, said, actors) if self.chances else None)

    def _chances(self, batch: Batch, said: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """Those of player 0; what came true, where the game is over."""
        assert self.chances
        seen = np.where(actors[:, None] == 0, said, self.chances.turned(said))
        return np.where(actors[:, None] == OVER, self.chances.results(batch), seen)


def by_seat(game: Game, values: np.ndarray, actors: np.ndarray) -> np.ndarray:
    """What each player expects, from what the one who acts next expects, or all from that one on; [n, players]."""
    if values.shape[1] == 1:
        teams = np.array(game.constants["TEAM"])
        own = teams[None] == teams[actors][:, None]
        return np.where(own, values, -values / (game.sides - 1))
    places = (np.arange(game.players) - actors[:, None]) % game.players
    return np.take_along_axis(values, places, axis=1)


def softmax(logits: np.ndarray, legal: Ragged) -> np.ndarray:
    """The probability of each legal action of each board, as ragged as they are."""
    if not len(legal.values):
        return np.zeros(0)
    given = logits[legal.owners, legal.values]
    boards = np.flatnonzero(np.diff(legal.offsets))  # those with legal actions
    first = legal.offsets[boards]
    place = np.searchsorted(boards, legal.owners)
    weights = np.exp(given - np.maximum.reduceat(given, first)[place])
    return weights / np.add.reduceat(weights, first)[place]

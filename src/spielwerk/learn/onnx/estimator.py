"""OnnxEstimator: a network in an ONNX file as an estimator.

The network sees each position from the side of the player who acts next (before a roll: who rolls). Its output `value`
is what that player may expect, in score units, `[n, 1]`, or what every player may expect, `[n, players]`, that player
first and the others in the order of their seats. In its place there may be `chances` `[n, chances]`, in games that have
them (see `games/chances`): what they are worth, the game's scoring says. An output `policy` `[n, ACTIONS]` holds
logits, of which a search makes priors. In its place there may be a `score` `[n, 1]` of the position
as the end of a turn: priors then compare the ends of all turns of a board (see `search/turn_priors.py`).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from spielwerk import names
from spielwerk.games.chances import chances
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.learn.onnx.model import CHANCES, POLICY, SCORE, VALUE, OnnxModel, parts
from spielwerk.names import BadInput
from spielwerk.search import turn_priors
from spielwerk.search.estimator import Estimate, Estimator, on_host

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch

OBSERVE = "observe"  # the usual form of observation, which has no name of its own
OUTPUTS = (VALUE, POLICY, SCORE, CHANCES)


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
        self._policy, self._score = self._place(POLICY, game.constants["ACTIONS"]), self._place(SCORE, 1)
        if self._policy is not None and self._score is not None:
            raise BadInput(f'{model.path} has both outputs "{POLICY}" and "{SCORE}"; priors come from one of them.')
        self.has_priors = self._policy is not None or self._score is not None
        self.apart = self._score is not None

    def _place(self, output: str, width: int) -> int | None:
        """The place of an output that need not be there."""
        return self.model.need_output(output, width) if output in self.model.outputs else None

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, and logits or priors where the network has a policy."""
        found = [self._estimate(part) for _, part in parts(batch)]
        if len(found) == 1:
            return found[0]
        columns = zip(*found, strict=True)
        return Estimate(*(None if column[0] is None else np.concatenate(column) for column in columns))

    @on_host
    def value(self, batch: Batch) -> Estimate:
        """Values by seat alone."""
        found = [self._said(part)[2] for _, part in parts(batch)]
        return Estimate(found[0] if len(found) == 1 else np.concatenate(found))

    def _said(self, batch: Batch) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        """What the network makes of the boards, who acts next there, and values by seat."""
        made = self.model.run(batch.observe(self.inputs))
        actors, best = batch.actors, self.game.constants["BEST"]
        said, over = made[self._value].astype(np.float64), actors == OVER
        expected = self.chances.scores(said)[:, None] if self.chances else said
        values = by_seat(self.game, np.clip(expected, -best, best), actors)
        if over.any():  # seldom in a search, which knows by itself what the end of a game is worth
            values[over] = batch.scores()[over]
        return made, actors, values

    def _estimate(self, batch: Batch) -> Estimate:
        made, actors, values = self._said(batch)
        said = made[self._value].astype(np.float64)
        likely = None if self._score is None else self._priors(batch, self._score)
        logits = None if self._policy is None else np.ascontiguousarray(made[self._policy], np.float32)
        return Estimate(values, likely, self._chances(batch, said, actors) if self.chances else None, logits)

    def _priors(self, batch: Batch, score: int) -> np.ndarray:
        """By the scores of the ends of their turns."""
        ends = batch.afterstates()
        viewers = ends.viewers(batch)
        found = [
            self.model.run(part.observe(self.inputs, viewers[at : at + len(part)]))[score][:, 0]
            for at, part in parts(ends.batch)
        ]
        scores = np.concatenate(found).astype(np.float64)
        return turn_priors.of_scores(scores, ends, batch.actions(), self.game.constants["ACTIONS"])

    def _chances(self, batch: Batch, said: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """Those of player 0; what came true, where the game is over."""
        assert self.chances
        seen = np.where(actors[:, None] == 0, said, self.chances.turned(said))
        return np.where(actors[:, None] == OVER, self.chances.results(batch), seen)


def by_seat(game: Game, values: np.ndarray, actors: np.ndarray) -> np.ndarray:
    """What each player expects, from what the one who acts next expects, or all from that one on; [n, players]."""
    if values.shape[1] == 1:
        return np.where(_allies(game)[actors], values, -values / (game.sides - 1))
    places = (np.arange(game.players) - actors[:, None]) % game.players
    return np.take_along_axis(values, places, axis=1)


@functools.cache
def _allies(game: Game) -> np.ndarray:
    """Whether each two players are on the same side: [players, players]."""
    teams = np.array(game.constants["TEAM"])
    return teams[:, None] == teams

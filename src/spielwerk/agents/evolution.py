"""`evolution`: plays by the champion of an evolution, a network that was bred and not taught."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.learn.evolution.genome.outputs import worth
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.saved import trained
from spielwerk.learn.evolution.settings import AFTERSTATE
from spielwerk.learn.resolve import RunSettings

NOTE = "Scores are the network's own: the higher the better, but no expectations."


class Evolution(EvolutionPlayer):
    """Plays by an evolved network: the champion of the last generation, or with fitness=grade the best of all."""

    Settings = RunSettings

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, *trained(game, settings.run, settings.at))
        self.settings = settings

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The score of every turn, the one it takes first; of a network whose outputs are a move, only that one."""
        if position.over or position.chance:
            return Analysis(str(position), None, ())
        if self.blueprint.settings.output != AFTERSTATE:
            return super().analyse(position, rng)
        worths = {turn: self._worth(turn.end, position.mover) for turn in position.turns()}
        taken = self.turn(position).end
        best = sorted(worths, key=lambda turn: (turn.end != taken, -worths[turn]))
        judged = tuple(_judged(turn, worths[turn], position.mover) for turn in best)
        scored = any(one.score is not None for one in judged)
        return Analysis(str(position), judged[0].value, judged, NOTE if scored else "")

    def _worth(self, end: Position, player: int) -> float:
        """What the end of a turn is worth to the player whose turn it was."""
        return float(self.game.kernel(worth, **self.bindings)(end.state, player, self.memory))


def _judged(turn: Turn, worth: float, player: int) -> Judged:
    """A turn as the network sees it; of one that ends the game the result is known."""
    if turn.end.scores:
        return Judged(turn.text, turn.end.scores[player])
    return Judged(turn.text, score=worth)

"""`expectimax`, `maxn`: depth-first search over turns; `pubeval`, `race`: the best next position by one evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.values import estimator
from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.arena.compiled import Compiled
from spielwerk.games.evaluation import Evaluation, evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, setting
from spielwerk.search import depth
from spielwerk.search.stop import Stop

DEEPEST = 100  # turns
ONE_TURN = 8  # levels that a turn may have: its roll and its actions


@dataclass(frozen=True)
class Searching:
    """The settings of a search by depth."""

    depth: int = setting(2, "turns to look ahead; 1 takes the best next position", 1, DEEPEST)
    value: str = setting("", "what values positions at that depth; by default the game's own evaluation")


class DepthSearch(Compiled):
    """Looks some turns ahead: each player takes what is best for its team, dice count by their weights."""

    decide = depth.best_action

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.depth, self.evaluation = self.chosen()

    def new_memory(self) -> depth.Memory:
        """See `search/depth.py`."""
        bound, turns = self.game.constants, self.depth
        levels = 1 + min(ONE_TURN * turns, 2 * bound["LONGEST"] or ONE_TURN * turns)
        most = max(bound["MOST_MOVES"], bound["MOST_OUTCOMES"])
        return depth.Memory(
            turns,
            Stop().flag,
            states=np.zeros((levels, bound["WORDS"]), np.int64),
            frames=np.zeros((levels, depth.FRAME), np.int64),
            options=np.zeros((levels, most), np.int64),
            weights=np.zeros((levels, most), np.int64),
            values=np.zeros((levels, self.game.players)),
            data=self.evaluation.own_data(),
        )

    def chosen(self) -> tuple[int, Evaluation]:
        """The depth and the evaluation."""
        raise NotImplementedError

    @property
    def bindings(self) -> Mapping[str, Any]:
        """The evaluation, and how many sides there are."""
        return {**self.evaluation.bindings, "SIDES": self.game.sides}

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The value of every turn; before a roll, of the position only."""
        if position.over:
            return Analysis(str(position), None, ())
        if position.chance:
            return Analysis(str(position), self._worth(position, position, self.depth, position.roller), ())
        values = {turn: self._worth(position, turn.end, self.depth - 1, position.mover) for turn in position.turns()}
        taken = self.turn(position).end
        best = sorted(values, key=lambda turn: (-values[turn], turn.end != taken))
        return Analysis(str(position), values[best[0]], tuple(Judged(turn.text, values[turn]) for turn in best))

    def _worth(self, start: Position, position: Position, left: int, player: int) -> float:
        """What `player` expects in `position`, looked at `left` turns deep from a decision in `start`."""
        kernel, stop = self.game.kernel(depth.worth, **self.bindings), Stop()
        kernel(start.state, position.state, left, self.ended_by(stop))
        stop.check()
        return float(self.memory.values[0, player])


class Expectimax(DepthSearch):
    """Looks `depth` turns ahead: each player takes what is best for its team, dice count by their weights.

    In games with more than two sides that is max-n, in games without dice plain minimax; it goes by both names.
    """

    Settings = Searching

    def __init__(self, game: Game, settings: Any, value: Evaluation) -> None:
        self.value = value
        super().__init__(game, settings)

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """With a value that cannot be compiled, an agent that asks it of many positions at once."""
        value = estimator(game, settings.value)
        if value.compiled is None:
            return ByEstimate(game, settings, value, settings.depth)
        return cls(game, settings, value.compiled)

    def chosen(self) -> tuple[int, Evaluation]:
        """Both as they were set."""
        return self.settings.depth, self.value


class MaxN(Expectimax):
    """The same search by the name it has where more than two sides play."""


class Pubeval(DepthSearch):
    """Tesauro's public evaluation of backgammon, which looks at the next position only."""

    Settings = Compiled.Settings

    def chosen(self) -> tuple[int, Evaluation]:
        """The next position, by pubeval."""
        if self.game.kind != "backgammon":
            raise BadInput(f"pubeval plays backgammon, not {self.game.kind}.")
        return 1, evaluation(self.game, "pubeval")


@dataclass(frozen=True)
class Racing:
    """The settings of the race."""

    depth: int = setting(1, "turns to look ahead; 1 takes the best next position", 1, DEEPEST)


class Race(DepthSearch):
    """Plays einstein by the probability to arrive first if nobody takes anything."""

    Settings = Racing

    def chosen(self) -> tuple[int, Evaluation]:
        """The depth that was set, by the race."""
        if self.game.kind != "einstein":
            raise BadInput(f"race plays einstein, not {self.game.kind}.")
        if self.game.players == 3:
            raise BadInput("race plays einstein with two or four players; of three, only one has a goal to race to.")
        return self.settings.depth, evaluation(self.game, "race")

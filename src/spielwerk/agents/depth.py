"""`expectimax`, `maxn`: depth-first search over turns; `pubeval`, `race`: the best next position by one evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.values import valuation
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.compiled import Compiled
from spielwerk.games.evaluation import Evaluation, evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, setting
from spielwerk.search import depth

DEEPEST = 100  # turns
ONE_TURN = 8  # levels that a turn may have: its roll and its actions


@dataclass(frozen=True)
class Searching:
    """The settings of a search by depth."""

    depth: int = setting(2, help="turns to look ahead; 1 takes the best next position")
    value: str = setting("", help="an evaluation or a run, at that depth, or none; by default the game's usual one")


class Expectimax(Compiled):
    """Looks `depth` turns ahead: each player takes what is best for its team, dice count by their weights.

    In games with more than two sides that is max-n, in games without dice plain minimax; it goes by both names.
    """

    Settings = Searching
    decide = depth.best_action

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.depth, self.evaluation = self.chosen()
        if not 1 <= self.depth <= DEEPEST:
            raise BadInput(f"The depth of a search is 1 to {DEEPEST} turns, not {self.depth}.")

    def new_memory(self) -> depth.Memory:
        """See `search/depth.py`."""
        bound, turns = self.game.constants, self.depth
        levels = 1 + min(ONE_TURN * turns, 2 * bound["LONGEST"] or ONE_TURN * turns)
        most = max(bound["MOST_MOVES"], bound["MOST_OUTCOMES"])
        widths = (bound["WORDS"], depth.FRAME, most, most)
        rows = (np.zeros((levels, width), np.int64) for width in widths)
        return depth.Memory(turns, *rows, np.zeros((levels, self.game.players)), self.evaluation.own_data())

    def chosen(self) -> tuple[int, Evaluation]:
        """The depth and the evaluation."""
        return self.settings.depth, valuation(self.game, self.settings.value)

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
        kernel = self.game.kernel(depth.worth, **self.bindings)
        kernel(start.state, position.state, left, self.memory)
        return float(self.memory.values[0, player])


class MaxN(Expectimax):
    """The same search by the name it has where more than two sides play."""


class Pubeval(Expectimax):
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

    depth: int = setting(1, help="turns to look ahead; 1 takes the best next position")


class Race(Expectimax):
    """Plays einstein by the probability to arrive first if nobody takes anything."""

    Settings = Racing

    def chosen(self) -> tuple[int, Evaluation]:
        """The depth that was set, by the race."""
        if self.game.kind != "einstein":
            raise BadInput(f"race plays einstein, not {self.game.kind}.")
        if self.game.players == 3:
            raise BadInput("race plays einstein with two or four players; of three, only one has a goal to race to.")
        return self.settings.depth, evaluation(self.game, "race")

"""`alphabeta`: looks some turns ahead, or as far as its time allows, in games of two sides without chance."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.values import estimator
from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.arena.compiled import Compiled
from spielwerk.games.evaluation import Evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import LONGEST_THOUGHT, BadInput, setting
from spielwerk.search import alphabeta
from spielwerk.search.stop import Stop
from spielwerk.search.table import ENTRY

DEEPEST = 100  # turns
MOST_NODES = 100_000_000
ONE_TURN = 8  # actions that a turn may have on average, along a line of play
DIGITS = 9  # of a value that is shown


@dataclass(frozen=True)
class Settings:
    """The settings of alphabeta."""

    depth: int = setting(4, "turns to look ahead", 1, DEEPEST)
    milliseconds: int = setting(0, "time for each turn instead of a depth; 0: none", 0, LONGEST_THOUGHT)
    nodes: int = setting(1 << 20, "positions in the transposition table", 2, MOST_NODES)
    value: str = setting("", "an evaluation or a run, at that depth, or none; by default the game's own")


class AlphaBeta(Compiled):
    """Alpha-beta search: the best turn against the best replies, and the shortest way to a win that it sees."""

    Settings = Settings
    decide = alphabeta.best_action

    @property
    def draws(self) -> bool:
        """Only the clock brings chance in."""
        return self.settings.milliseconds > 0

    def __init__(self, game: Game, settings: Any, value: Evaluation) -> None:
        super().__init__(game, settings)
        self.depth = _depth(settings)
        self.evaluation = value

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """With a value that cannot be compiled, a search without cut-offs that asks it of many positions at once."""
        _check(game)
        value = estimator(game, settings.value)
        if value.compiled is None:
            return ByEstimate(game, settings, value, _depth(settings), settings.milliseconds, resist=True)
        return cls(game, settings, value.compiled)

    def new_memory(self) -> alphabeta.Memory:
        """See `search/alphabeta.py`."""
        words, actions, most = (self.game.constants[name] for name in ("WORDS", "ACTIONS", "MOST_MOVES"))
        longest = ONE_TURN * self.depth
        frames = min(longest, self.game.constants["LONGEST"] or longest) + 2
        counters = np.zeros(alphabeta.COUNTERS, np.int64)
        counters[alphabeta.DEPTH] = self.depth
        return alphabeta.Memory(
            counters,
            Stop().flag,
            frames=np.zeros((frames, alphabeta.FIELDS), np.int64),
            states=np.zeros((frames, words), np.int64),
            lists=np.zeros((frames, most), np.int64),
            ranks=np.zeros((frames, most), np.int64),
            table=np.zeros((1 << self.settings.nodes.bit_length() - 1, ENTRY), np.int64),
            history=np.zeros((2, actions), np.int64),
            data=self.evaluation.own_data(),
        )

    @property
    def bindings(self) -> Mapping[str, Any]:
        """The evaluation."""
        return self.evaluation.bindings

    @property
    def in_kernel(self) -> bool:
        """Unless the clock has a say in each turn."""
        return not self.settings.milliseconds

    def ready(self) -> None:
        """Compiles, with a clock by a search of one turn."""
        super().ready()
        if not self.in_kernel:
            position = self.game.start()
            self._kernel("prepare")(position.state, self.memory)
            self._deepened(position, 1, 1, math.inf)

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for; `stop` ends the search early."""
        limit = self.settings.milliseconds
        ends = time.monotonic() + limit / 1000 if limit else math.inf
        steps, here, first = [], position, 1
        while here.mover == position.mover:
            if first == 1:
                self._kernel("prepare")(here.state, self.memory)
            depth, action = self._deepened(here, first, self.depth, ends, stop)
            first = depth if limit else 1  # with a clock, the table still knows what comes next
            steps.append((here, action))
            here = here.play(action)
        return Turn(tuple(steps), here)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The value of every turn, searched as deep as the choice between them."""
        if position.over:
            return Analysis(str(position), None, ())
        chosen, turns = self.turn(position, rng).end, position.turns()
        values = self._values(position, [turn.end for turn in turns])
        order = sorted(range(len(turns)), key=lambda i: (-values[i], turns[i].end != chosen))
        judged = tuple(Judged(turns[i].text, self._score(values[i])) for i in order)
        return Analysis(str(position), judged[0].value, judged)

    def _kernel(self, name: str) -> Any:
        return self.game.kernel(getattr(alphabeta, name), **self.bindings)

    def _deepened(
        self, position: Position, first: int, last: int, ends: float, stop: Stop | None = None
    ) -> tuple[int, int]:
        """Searches to depth `first` in any case, and on to `last` while there is time; the depth, and the action."""
        begin, proceed, frames = self._kernel("begin"), self._kernel("proceed"), self.memory.frames
        results = np.zeros(self.game.players)
        depth = action = 0
        for deeper in range(first, last + 1):
            begin(position.state, deeper, self.memory)
            while not proceed(alphabeta.PORTION, results, self.memory):
                if deeper > first and (time.monotonic() >= ends or (stop and stop.is_set)):
                    return depth, action
            depth, action = deeper, int(frames[0, alphabeta.CHOICE])
            if time.monotonic() >= ends or self._kernel("decided")(frames):
                break
        return depth, action

    def _values(self, position: Position, after: list[Position]) -> list[int]:
        """What the mover expects in each position `after` its turn; with a clock, as deep as time allows."""
        limit = self.settings.milliseconds
        ends = time.monotonic() + limit / 1000 if limit else math.inf
        self._kernel("prepare")(position.state, self.memory)
        values: list[int] = []
        for depth in range(self.depth):
            found: list[int] = []
            for end in after:
                if values and time.monotonic() >= ends:
                    return values
                found.append(self._worth(end, position.mover, depth))
            values = found
        return values

    def _worth(self, position: Position, me: int, depth: int) -> int:
        """What `me`, who has just ended a turn, expects in the position."""
        if position.over or depth == 0:
            return int(self._kernel("worth")(position.state, me, np.zeros(self.game.players), self.memory.data))
        self._deepened(position, depth, depth, math.inf)
        value, who = self.memory.frames[0, [alphabeta.VALUE, alphabeta.MOVER]].tolist()
        return int(self._kernel("seen")(value, who, me))

    def _score(self, value: int) -> float:
        """The score that a value of the search stands for, without its distance."""
        score = -(-abs(value) // alphabeta.SPAN) / alphabeta.UNIT * self.game.constants["BEST"]
        return round(score if value >= 0 else 0.0 - score, DIGITS)


def _depth(settings: Any) -> int:
    """The deepest search; with a clock, any."""
    return DEEPEST if settings.milliseconds else settings.depth


def _check(game: Game) -> None:
    sides = game.sides
    if game.constants["MOST_OUTCOMES"] or sides != 2:
        found = "dice" if game.constants["MOST_OUTCOMES"] else f"{sides} sides"
        raise BadInput(f"alphabeta plays games of two sides without chance; {game.name} has {found}.")

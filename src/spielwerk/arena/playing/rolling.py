"""Rolling play: a new game begins where one has ended, so that agents of many boards always have many to play.

Blocks of whole games would wait for their longest ones, while the agents are asked about fewer and fewer boards. Games
are handed over in the order of their numbers: the first ones to end are short, and would not stand for all.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.block import Block, begun, played_on
from spielwerk.arena.playing.boards import Boards
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.playing.portions import Portions
from spielwerk.games.game import Game

EVERY = 1.0  # seconds after which games are handed over
HALF = 0.5  # of a game, on average, that is under way


class Rolling:
    """Games of a match under way, and those that have ended and were not handed over yet."""

    def __init__(self, plan: Plan, game: Game, agents: Sequence[Agent], keep: bool) -> None:
        self.plan, self.game, self.agents, self.keep = plan, game, agents, keep
        self.boards: Boards | None = None
        self.numbers = np.zeros(0, np.int64)  # of the games on the boards
        self.ended: dict[int, Block] = {}

    def begin(self, first: int, count: int) -> None:
        """Begins games `first` to `first + count - 1` beside those that are under way."""
        fresh = begun(self.plan, self.game, first, count, self.keep)
        self.boards = self.boards.joined(fresh) if self.boards else fresh
        self.numbers = np.append(self.numbers, np.arange(first, first + count))

    def play(self) -> int:
        """Lets every agent play on all boards until it is not to act, and takes away games that end; how many do."""
        assert self.boards is not None
        over, scores = played_on(self.boards, self.plan, self.agents)
        if not over.any():
            return 0
        rows = np.flatnonzero(over)
        gone = self.boards.of(rows)
        traces = gone.traces() if self.keep else ()
        for i, number in enumerate(self.numbers[rows].tolist()):
            faults = {number: gone.faults[i]} if i in gone.faults else {}
            self.ended[number] = Block(number, scores[rows[i : i + 1]], faults, traces[i : i + 1])
        self.boards, self.numbers = self.boards.of(np.flatnonzero(~over)), self.numbers[~over]
        return len(rows)

    def handed_over(self) -> Iterator[Block]:
        """Blocks of games that have ended, up to the first one that is under way."""
        numbers = np.array(sorted(self.ended))
        numbers = numbers[numbers < self.numbers.min(initial=self.plan.games)]
        for run in np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1) if len(numbers) else ():
            yield _whole([self.ended.pop(number) for number in run.tolist()])


def _whole(games: list[Block]) -> Block:
    """One block of games that follow each other."""
    faults = {number: fault for game in games for number, fault in game.faults.items()}
    traces = tuple(trace for game in games for trace in game.traces)
    return Block(games[0].first, np.concatenate([game.scores for game in games]), faults, traces)


def play_rolling(
    plan: Plan, game: Game, agents: Sequence[Agent], portions: Portions, keep: bool
) -> Generator[Block, None, None]:
    """Plays all games; a portion is how many are under way at once. About every second it hands some over."""
    rolling, clock = Rolling(plan, game, agents, keep), time.perf_counter
    start = last = clock()
    played = fresh = 0  # games that have ended: in all, and since the last look
    while portions.left or len(rolling.numbers):
        while portions.left and (room := portions.size - len(rolling.numbers)) > 0:
            rolling.begin(*portions.next(room))
        fresh += rolling.play()
        over = not portions.left and not len(rolling.numbers)
        if over or fresh >= portions.size or (fresh and clock() - last >= EVERY):
            played += fresh
            portions.learn(played + HALF * len(rolling.numbers), clock() - start)
            yield from rolling.handed_over()
            fresh, last = 0, clock()

"""A match: two agents, many games, kept in the store block by block, and counted."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from spielwerk.arena.matches.sprt import Sprt, Verdict
from spielwerk.arena.matches.statistics import Summary, Totals, summary
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan, gains
from spielwerk.arena.playing.workers import Maker, Player, blocks
from spielwerk.arena.records.retrace import records
from spielwerk.arena.records.rows import Ranges, merged
from spielwerk.arena.records.store import Store
from spielwerk.games.game import Game

TRIED = 8  # set-ups, to see whether they differ
RECORDED = 10_000  # matches of fewer games keep what was played

MatchProgress = Callable[[int, float], None]  # called with the games played so far and the rate


@dataclass(frozen=True)
class Match:
    """A match that was played."""

    plan: Plan
    summary: Summary
    faults: dict[int, tuple[int, str]]  # game → the player who forfeited, and why
    number: int | None = None  # in the store
    verdict: Verdict | None = None  # of a sequential test
    repeats: bool = False  # nothing is drawn at random, so that only the first group was played
    illegal: dict[str, float] = field(
        default_factory=dict
    )  # agents that do not know the rules: the share of such moves


class Scoreboard:
    """The results of a match so far; games come in any order. Only a test needs to remember each of them."""

    def __init__(self, plan: Plan, game: Game, games: int, test: Sprt | None = None) -> None:
        self.plan, self.game, self.games, self.test = plan, game, games, test
        self.totals = Totals(len(plan.layouts(game)))
        self.played: Ranges = []
        self.gains = np.zeros((2, games if test else 0))
        self.faults: dict[int, tuple[int, str]] = {}

    def add(self, block: Block) -> None:
        """Counts the games of a block."""
        count = len(block.scores)
        found = gains(self.game, self.plan.seats(self.game, block.first, count), block.scores)
        self.played = merged(sorted([*self.played, (block.first, count)]))
        self.totals.add(block.first, found)
        if self.test:
            self.gains[:, block.first : block.first + count] = found
        self.faults |= block.faults

    @property
    def rate(self) -> float:
        """Wins and half the draws over the games so far."""
        return self.totals.rate

    def missing(self) -> list[range]:
        """The games that have not been played."""
        ends = [0, *(first + count for first, count in self.played)]
        return [range(*gap) for gap in zip(ends, [*(first for first, _ in self.played), self.games], strict=True)]

    def verdict(self) -> tuple[Verdict | None, int]:
        """What the test says of the games that leave no gap from the first on, and how many games count."""
        if self.test is None or not self.played or self.played[0][0] > 0:
            return None, self.games
        whole = self.played[0][1]
        verdict, used = self.test.stop(self.gains[:, :whole], self.plan.groups(self.game, 0, whole))
        return verdict, used if verdict else self.games

    def summary(self, games: int) -> Summary:
        """How it stands; of the first `games` alone where a test has stopped there."""
        if games == self.games:
            return self.totals.summary()
        return summary(self.gains[:, :games], self.plan.groups(self.game, 0, games))


def play_match(
    plan: Plan,
    make: Maker,
    *,
    store: Store | None = None,
    number: int | None = None,
    processes: int = 1,
    keep: bool | None = None,
    test: Sprt | None = None,
    callback: MatchProgress | None = None,
) -> Match:
    """Plays a match. `make` makes an agent from a name; with a `store` every block is kept as soon as it is played.

    `number` is that of a match begun in the store; its games are not played again (default: a new match). `keep` keeps
    what was played as records (default: below 10,000 games). A `test` may stop it early. With several `processes` a
    script must guard its main part by `if __name__ == "__main__"`, as always with Python's multiprocessing.
    """
    keep = (plan.games < RECORDED if keep is None else keep) and store is not None
    with contextlib.closing(Player(plan, make, keep)) as player:
        if number is None:
            player.ready()  # who cannot play is refused before anything is stored
        drawn = plan.opening or varies(player.game) or any(agent.draws for agent in player.agents)
        # Where nothing is drawn, the first group says all that there is to say.
        games = plan.games if drawn else min(plan.games, len(plan.layouts(player.game)))
        board = Scoreboard(plan, player.game, games, test)
        if store is not None:
            number = store.begin(plan) if number is None else number
            for block in _stored(store, number):
                board.add(block)
        verdict, counted = board.verdict()
        missing = [] if verdict else board.missing()
        with contextlib.closing(blocks(player, missing, processes)) as playing:
            for block in playing:
                board.add(block)
                if store is not None and number is not None:
                    texts = {game: record.text() for game, record in records(plan, player.game, block, number).items()}
                    store.add(number, block, texts)
                if callback:
                    callback(board.totals.games, board.rate)
                verdict, counted = board.verdict()
                if verdict:
                    break
    if store is not None and number is not None:
        store.finish(number, counted)
    faults = {game: fault for game, fault in board.faults.items() if game < counted}
    illegal = {agent.name: agent.choices.share for agent in player.agents if agent.choices and agent.choices.made}
    return Match(plan, board.summary(counted), faults, number, verdict, not drawn, illegal)


def varies(game: Game) -> bool:
    """Whether chance has a part in the game: in its dice, or in its set-ups."""
    return game.constants["MOST_OUTCOMES"] > 0 or len({game.start(seed) for seed in range(TRIED)}) > 1


def _stored(store: Store, number: int) -> Iterator[Block]:
    """The games of a match that were played before."""
    faults = store.faults(number)
    for first, scores in store.pieces(number):
        own = {game: fault for game, fault in faults.items() if first <= game < first + len(scores)}
        yield Block(first, scores, own)

"""Makes a dataset: shard by shard, each written whole, so that after a kill it goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spielwerk import folders
from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.workers import Maker
from spielwerk.data import json_text
from spielwerk.files import clear_parts, write_text
from spielwerk.games.game import Game
from spielwerk.games.random_positions import REACHABLE, START, positions
from spielwerk.games.registry import game as game_of
from spielwerk.learn.imitation.data.collecting import observed_games
from spielwerk.learn.imitation.data.expansion import orbits
from spielwerk.learn.imitation.data.folder import ABOUT, PAIRS, STATES, about
from spielwerk.learn.imitation.data.observed import Observed, firsts
from spielwerk.learn.imitation.data.plan import SELF, SHARD, STATES_SHARD, DatasetPlan, check_same
from spielwerk.learn.imitation.data.rows import read_rows, rows_of
from spielwerk.learn.imitation.data.shards import check_format, shard_file, shards, write_shard
from spielwerk.names import BadInput

Progress = Callable[[int, int], None]  # called with how many games, or further positions, are done, and pairs or states
DRY = 50  # shards of drawn positions in a row that brought nothing new, before it is given up


@dataclass
class Generator:
    """Carries out a plan in a folder; `make` makes agents from names."""

    plan: DatasetPlan
    folder: Path
    make: Maker

    def __post_init__(self) -> None:
        self.game: Game = game_of(self.plan.game)
        self.pairs = self.states = 0
        self.seen = np.zeros(0, np.uint64)

    def begin(self) -> None:
        """Opens the folder, new or begun before; BadInput where it was begun otherwise."""
        check_format(self.plan.form)
        folders.made(self.folder)
        found = about(self.folder)
        if found is None and any(self.folder.iterdir()):
            raise BadInput(f"{self.folder} holds other files; name an empty folder, or one that does not exist yet.")
        if found is not None:
            check_same(self.plan, found, str(self.folder))
        clear_parts(self.folder)
        write_text(self.folder / ABOUT, json_text(self.plan.facts()))
        for what in (PAIRS, STATES):
            for file in shards(self.folder, what):
                known, bad = read_rows(file, self.game, what == PAIRS)
                if bad.found:
                    raise BadInput(f"{file} is damaged: line {bad.found[0][0]}: {bad.found[0][1]}")
                self._know(known, what)

    def go(self, played: Progress, drawn: Progress) -> dict[str, int]:
        """Plays what is missing, then draws further positions; how many there are of both."""
        teacher = self.make(self.plan.teacher, self.game)
        others = {name: self.make(name, self.game) for name in self.plan.opponents if name != SELF}
        agents = [teacher, *others.values()]
        try:
            for agent in agents:
                agent.ready()
            for number in range(len(shards(self.folder, PAIRS)), self.plan.shards):
                self._keep(PAIRS, number, self._played(number, teacher, others))
                played(min((number + 1) * SHARD, self.plan.games), self.pairs)
        finally:
            for agent in agents:
                agent.close()
        self._draw(drawn)
        return {PAIRS: self.pairs, STATES: self.states}

    def _played(self, number: int, teacher: Agent, others: dict[str, Agent]) -> Observed:
        """What the teacher moved in the games of a shard."""
        plan, first = self.plan, number * SHARD
        count = min(SHARD, plan.games - first)
        starts = positions(self.game, START, plan.seed, count, first)
        if plan.starts != START:
            drawn = positions(self.game, plan.starts, plan.seed, count, first)
            some = (np.arange(first, first + count) + 0.5) * plan.random % 1 < plan.random
            starts[some] = drawn[some]
        opponent = plan.opponents[number % len(plan.opponents)]
        other = None if opponent == SELF else others[opponent]
        return observed_games(teacher, other, starts, plan.seed, first, plan.opening)

    def _draw(self, drawn: Progress) -> None:
        """Further positions, reached by random play."""
        number, dry = len(shards(self.folder, STATES)), 0
        while self.states < self.plan.states and dry < DRY:
            before = self.states
            found = positions(self.game, REACHABLE, self.plan.seed, STATES_SHARD, number * STATES_SHARD)
            self._keep(STATES, number, Observed(self.game, found), self.plan.states - self.states)
            drawn(self.states, self.states)
            number, dry = number + 1, dry + 1 if self.states == before else 0

    def _keep(self, what: str, number: int, found: Observed, most: int | None = None) -> None:
        """Writes what is new of a shard."""
        own = orbits(self.game, found.states)
        chosen = firsts(own)
        chosen = chosen[~np.isin(own[chosen], self.seen)][:most]
        kept = found.rows(chosen)
        write_shard(shard_file(self.folder, what, number, self.plan.form), rows_of(kept))
        self._know(kept, what, own[chosen])

    def _know(self, found: Observed, what: str, own: np.ndarray | None = None) -> None:
        """From now on these positions come no more."""
        more = orbits(self.game, found.states) if own is None else own
        self.seen = np.union1d(self.seen, more)
        if what == PAIRS:
            self.pairs += len(found)
        else:
            self.states += len(found)

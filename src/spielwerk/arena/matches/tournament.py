"""Tournaments: everyone meets everyone, or those who did as well so far (Swiss); resumed where they were stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spielwerk.arena.matches.pairing import BYE, Pair, most_rounds, round_robin, swiss
from spielwerk.arena.matches.ratings import Rating, Tally, ratings, tally
from spielwerk.arena.matches.statistics import Summary
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.game import Game
from spielwerk.names import BadInput

Play = Callable[[Plan], Summary]  # plays a match, and stores it


@dataclass(frozen=True)
class Terms:
    """Everything that decides a tournament."""

    game: str
    agents: tuple[str, ...]
    games: int  # of each pair
    seed: int = 1
    rounds: int = 0  # of a Swiss tournament; 0: everyone meets everyone

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise BadInput(f"A tournament needs at least two agents, not {len(self.agents)}.")
        for agent in self.agents:
            if self.agents.count(agent) > 1:
                raise BadInput(f'"{agent}" is named twice.')
        if self.games < 1:
            raise BadInput(f"A pair plays at least one game, not {self.games}.")
        most = most_rounds(len(self.agents))
        if not 0 <= self.rounds <= most:
            raise BadInput(f"{len(self.agents)} agents can play at most {most} Swiss rounds, not {self.rounds}.")


@dataclass
class Tournament:
    """Plays the matches of a tournament, one after the other, except those already `done`."""

    terms: Terms
    game: Game
    play: Play
    done: Mapping[Plan, Summary] = field(default_factory=dict)
    results: dict[Plan, Summary] = field(default_factory=dict, init=False)

    @property
    def pairs(self) -> int:
        """How many meet in all."""
        count = len(self.terms.agents)
        return self.terms.rounds * (count // 2) if self.terms.rounds else count * (count - 1) // 2

    @property
    def games(self) -> int:
        """How many games there will be."""
        return self.pairs * sum(plan.games for plan in plans(self.terms, self.game, self.terms.agents[:2]))

    @property
    def played(self) -> int:
        """How many games there have been."""
        return sum(found.games for found in self.results.values())

    def run(self) -> None:
        """Plays all matches."""
        for pair in self._meetings():
            for plan in plans(self.terms, self.game, pair):
                self.results[plan] = self.done[plan] if plan in self.done else self.play(plan)

    def _meetings(self) -> Iterator[Pair]:
        """Who meets whom; a Swiss round is paired when the one before has been played."""
        if not self.terms.rounds:
            yield from round_robin(self.terms.agents)
        past: set[frozenset[str]] = set()
        for _ in range(self.terms.rounds):
            pairs = swiss(self._standings(), past)
            past |= {frozenset(pair) for pair in pairs}
            yield from (pair for pair in pairs if BYE not in pair)

    def _standings(self) -> list[str]:
        """The agents by their mean rate so far; a bye is no match."""
        tallies = self.tallies()
        rates = {agent: _mean(tallies, agent) for agent in self.terms.agents}
        return sorted(self.terms.agents, key=lambda agent: -rates[agent])

    def tallies(self) -> list[Tally]:
        """The totals of the matches played, for ratings."""
        return [tally(plan, self.game, found) for plan, found in self.results.items()]

    def ratings(self) -> list[Rating]:
        """Every agent's rating, the best first."""
        return ratings(self.tallies())

    def facts(self) -> dict[str, Any]:
        """What `--json` prints: ratings and cross table, the best agent first."""
        tallies, rated = self.tallies(), self.ratings()
        return {
            "game": self.terms.game,
            "games": self.played,
            "ratings": [rating.facts() for rating in rated],
            "cross": cross(rated, tallies),
        }


def plans(terms: Terms, game: Game, pair: Sequence[str]) -> list[Plan]:
    """The matches of a pair: one, or, where more than two teams play, one for each that is alone, half as long."""
    first, second = pair
    orders = [(first, second)] if game.sides == 2 else [(first, second), (second, first)]
    games = -(-terms.games // len(orders))
    return [Plan(terms.game, order, games, pair_seed(terms.seed, order)) for order in orders]


def pair_seed(seed: int, pair: Pair) -> int:
    """The seed of a pair's match; who else takes part does not matter."""
    digest = hashlib.sha256("/".join((str(seed), *pair)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def cross(rated: Sequence[Rating], tallies: Sequence[Tally]) -> dict[str, dict[str, float]]:
    """The rate of each agent (row) against each that it met; with more than two teams, where the row is the single."""
    sides = [side for one in tallies for side in ((one, one.turned) if one.others == 1 else (one,))]
    rates = {(one.first, one.second): (one.wins + one.draws / 2) / one.games for one in sides}
    agents = [rating.agent for rating in rated]
    return {row: {column: rates[row, column] for column in agents if (row, column) in rates} for row in agents}


def _mean(tallies: Sequence[Tally], agent: str) -> float:
    """The mean rate of an agent over its matches, ½ before the first."""
    sides = [side for one in tallies for side in (one, one.turned) if side.first == agent]
    games = sum(one.games for one in sides)
    return sum(one.wins + one.draws / 2 for one in sides) / games if games else 0.5

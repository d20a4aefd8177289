"""Ratings: Bradley–Terry, a draw being half a win, in Elo, from nothing but the totals of each pair, in any order.

`bradley_terry.py` says how. A rating is 400·log10 of a strength, above the anchor: `random`, or the weakest where
`random` did not take part; d Elo more than another agent are a rate of 1 / (1 + 10^(-d/400)) against it. Intervals take
games as independent, those that share dice included.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielwerk.arena.matches.bradley_terry import BradleyTerry
from spielwerk.arena.matches.statistics import NORMAL, Interval, Summary
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.game import Game

ANCHOR = "random"  # rated 0 where it took part
ELO = 400 / math.log(10)  # Elo a unit of log strength


@dataclass(frozen=True)
class Tally:
    """Games of one agent against another; wins are the first one's. The second one plays `others` teams."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    others: int = 1

    @property
    def games(self) -> int:
        """How many they are."""
        return self.wins + self.draws + self.losses

    @property
    def turned(self) -> Tally:
        """What the second agent won, drew and lost."""
        return Tally(self.second, self.first, self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class Rating:
    """An agent's rating above `anchor`, the 95 % interval of that difference, and what the agent played."""

    agent: str
    rating: float
    interval: Interval
    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    anchor: str

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return asdict(self) | {"interval": list(self.interval)}


def tally(plan: Plan, game: Game, found: Summary) -> Tally:
    """The games of a match."""
    return Tally(*plan.agents, found.wins, found.draws, found.losses, game.sides - 1)


def ratings(tallies: Iterable[Tally]) -> list[Rating]:
    """Every agent's rating, the best first.

    Agents that are not joined by a chain of matches cannot be compared: each such group has ratings of its own, above
    its own anchor, and the group of `random`, then the largest, comes first.
    """
    merged = totals(tallies)
    groups = sorted(_joined(merged), key=lambda agents: (ANCHOR not in agents, -len(agents), agents))
    return [rating for agents in groups for rating in _rated(agents, [t for t in merged if t.first in agents])]


def totals(tallies: Iterable[Tally]) -> list[Tally]:
    """One tally a pair, in the order of names: games of the same pair added up, and turned where that is the same."""
    added: dict[tuple[str, str, int], list[int]] = {}
    for one in tallies:
        one = one.turned if one.others == 1 and one.second < one.first else one
        _add(added.setdefault((one.first, one.second, one.others), [0, 0, 0]), one)
    pairs = sorted((key, counts) for key, counts in added.items() if key[0] != key[1] and any(counts))
    return [Tally(first, second, won, drawn, lost, m) for (first, second, m), (won, drawn, lost) in pairs]


def _joined(tallies: Sequence[Tally]) -> list[list[str]]:
    """The agents that a chain of matches joins, group by group."""
    group: dict[str, set[str]] = {}
    for one in tallies:
        both = group.get(one.first, {one.first}) | group.get(one.second, {one.second})
        group.update(dict.fromkeys(both, both))
    return sorted({id(members): sorted(members) for members in group.values()}.values())


def _rated(agents: list[str], tallies: Sequence[Tally]) -> list[Rating]:
    """The ratings of agents who are joined, the best first."""
    number = {agent: i for i, agent in enumerate(agents)}
    pairs = np.array([(number[one.first], number[one.second]) for one in tallies])
    counts = np.array([(one.wins, one.draws, one.losses) for one in tallies])
    strengths, covariance = BradleyTerry(pairs, counts, np.array([one.others for one in tallies])).fit()
    anchor = agents.index(ANCHOR) if ANCHOR in agents else int(np.argmin(strengths))
    spread = np.diag(covariance) + covariance[anchor, anchor] - 2 * covariance[anchor]
    heights = ELO * (strengths - strengths[anchor])
    halves = ELO * NORMAL * np.sqrt(np.maximum(spread, 0.0))
    halves[anchor] = 0.0
    records = _records(tallies)
    rated = []
    for agent, height, half in zip(agents, heights.tolist(), halves.tolist(), strict=True):
        won, drawn, lost = records[agent]
        played = won + drawn + lost
        interval, rate = (height - half, height + half), (won + drawn / 2) / played
        rated.append(Rating(agent, height, interval, played, won, drawn, lost, rate, agents[anchor]))
    return sorted(rated, key=lambda rating: (-rating.rating, rating.agent))


def _records(tallies: Sequence[Tally]) -> dict[str, list[int]]:
    """Wins, draws and losses of each agent over all its matches."""
    counts: dict[str, list[int]] = {}
    for one in (side for both in tallies for side in (both, both.turned)):
        _add(counts.setdefault(one.first, [0, 0, 0]), one)
    return counts


def _add(counts: list[int], one: Tally) -> None:
    for i, count in enumerate((one.wins, one.draws, one.losses)):
        counts[i] += count

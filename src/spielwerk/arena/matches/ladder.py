"""The ladder: a standing leaderboard of one variant of a game, computed from all its matches in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.arena.matches.ratings import Rating, Tally, ratings, tally
from spielwerk.arena.matches.stored_match import stored_totals
from spielwerk.arena.records.rows import StoredMatch
from spielwerk.arena.records.store import Store
from spielwerk.data import left_out
from spielwerk.games.game import Game


@dataclass(frozen=True)
class Place:
    """An agent's place on the ladder."""

    rating: Rating
    last_played: str  # ISO time, UTC, at which its last match began

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return self.rating.facts() | {"last_played": self.last_played}


def ladder(store: Store, game: Game) -> list[Place]:
    """All agents that have played the variant, the best first."""
    tallies: list[Tally] = []
    last: dict[str, str] = {}
    for match in _distinct(store.matches(game=game.name)):
        if not rates(match, game):
            continue
        with left_out():
            found = stored_totals(store, match, game)
            if not found.games:  # all of them were left before their end
                continue
            tallies.append(tally(match.plan, game, found.summary()))
            for agent in match.plan.agents:
                last[agent] = max(last.get(agent, ""), match.started)
    return [Place(rating, last[rating.agent]) for rating in ratings(tallies)]


def rates(match: StoredMatch, game: Game) -> bool:
    """Whether a match counts for ratings: games were played, and neither agent had the other one as its ally."""
    return match.played > 0 and (match.plan.seating == "teams" or game.sides == game.players)


def _distinct(matches: list[StoredMatch]) -> list[StoredMatch]:
    """Leaves out matches that repeat another one: the same seed gives the same games, which are no new evidence."""
    longest: dict[Any, StoredMatch] = {}
    for match in sorted(matches, key=lambda match: match.played):
        plan = match.plan
        longest[match.number if match.imported else (plan.agents, plan.seed, plan.seating, plan.opening)] = match
    return list(longest.values())

"""Ratings and matches for the page: the ladder of a game, tournaments with their cross tables, and stored matches."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from spielwerk.api.tournament import ladder
from spielwerk.arena.matches.ratings import Rating, Tally, ratings, tally
from spielwerk.arena.matches.statistics import Summary
from spielwerk.arena.matches.stored_match import stored_summary
from spielwerk.arena.matches.tournament import cross
from spielwerk.arena.records.rows import StoredMatch, StoredTournament
from spielwerk.arena.records.store import Store
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput
from spielwerk.web.limits import bounded_game

LISTED = 200


def games_played() -> list[str]:
    """The games of which a match is stored, those played most first."""
    with Store() as store:
        counts: dict[str, int] = {}
        for match in store.matches():
            counts[match.plan.game] = counts.get(match.plan.game, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])


def ladder_facts(name: str) -> dict[str, Any]:
    """The standing of all agents that have played a game."""
    found = ladder(bounded_game(name))
    rows = [_rating_facts(place.rating) | {"last_played": place.last_played} for place in found.places]
    return {"game": found.game.name, "games": found.games, "ratings": rows}


def matches() -> list[dict[str, Any]]:
    """The last matches, the newest first, with the first agent's rate and its interval."""
    with Store() as store:
        return [match_facts(store, one) for one in reversed(store.matches()[-LISTED:])]


def match_facts(store: Store, match: StoredMatch) -> dict[str, Any]:
    """A match in the list."""
    plan = match.plan
    facts = {"number": match.number, "game": plan.game, "agents": list(plan.agents), "games": plan.games}
    facts |= {"played": match.played, "finished": match.finished, "started": match.started}
    facts |= {"tournament": match.tournament, "rate": None, "interval": None, "counts": None}
    found = _summary(store, match)
    if found is None or not found.games:
        return facts
    counts = [found.wins, found.draws, found.losses]
    return facts | {"rate": found.rate, "interval": list(found.rate_interval), "counts": counts}


def tournaments() -> list[dict[str, Any]]:
    """All tournaments, the newest first."""
    with Store() as store:
        return [_tournament(one) for one in reversed(store.tournaments()[-LISTED:])]


def tournament_facts(number: int) -> dict[str, Any]:
    """A tournament: ratings and a cross table, as far as it was played."""
    with Store() as store:
        stored = store.tournament(number)
        game = game_of(stored.game)
        tallies: list[Tally] = []
        for match in store.matches(tournament=number):
            found = _summary(store, match)
            if found and found.games:
                tallies.append(tally(match.plan, game, found))
    rated = ratings(tallies)
    rows = [_rating_facts(rating) for rating in rated]
    return _tournament(stored) | {"ratings": rows, "cross": cross(rated, tallies)}


def _tournament(stored: StoredTournament) -> dict[str, Any]:
    return {
        "number": stored.number,
        "game": stored.game,
        "agents": list(stored.agents),
        "games": stored.settings.get("games"),
        "started": stored.started,
        "finished": stored.finished,
    }


def _rating_facts(rating: Rating) -> dict[str, Any]:
    return rating.facts() | {"rate": rating.rate}


def _summary(store: Store, match: StoredMatch) -> Summary | None:
    """The figures of a match; None where it cannot be read, or has no game yet. A finished one is counted once."""
    if not match.played:
        return None
    try:
        game = game_of(match.plan.game)
        return _counted(_Found(store, match)) if match.finished else stored_summary(store, match, game)
    except BadInput:
        return None


class _Found:
    """A finished match of a store, equal to itself as long as the store is the same file."""

    def __init__(self, store: Store, match: StoredMatch) -> None:
        self.store, self.match = store, match
        self.key = (str(store.path), match.number, match.played, match.started)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Found) and other.key == self.key


@lru_cache(2000)
def _counted(found: _Found) -> Summary:
    return stored_summary(found.store, found.match, game_of(found.match.plan.game))

"""Tournaments that live in the store: stopped at any moment, they can be resumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from spielwerk.arena.matches.match import play_match
from spielwerk.arena.matches.statistics import Summary
from spielwerk.arena.matches.stored_match import stored_summary
from spielwerk.arena.matches.tournament import Terms, Tournament
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.playing.workers import Maker
from spielwerk.arena.records.rows import StoredTournament, damaged
from spielwerk.arena.records.store import Store
from spielwerk.games.registry import game as game_of


def begin_tournament(store: Store, terms: Terms) -> int:
    """Writes down a new tournament and returns its number."""
    settings = asdict(terms)
    return store.begin_tournament(settings.pop("game"), settings.pop("agents"), settings)


def stored_tournament(
    store: Store, number: int, make: Maker, processes: int = 1, callback: Callable[[int], None] = lambda games: None
) -> Tournament:
    """A tournament of the store, whose matches are stored; `callback` receives how many of its games have been played.

    A match that is finished is not played again, and of one that was begun only what is missing.
    """
    stored = store.tournament(number)
    game, matches = game_of(stored.game), store.matches(tournament=number)

    def play(plan: Plan) -> Summary:
        before = tournament.played
        match = store.begun(plan, number)

        def in_all(games: int, _: float) -> None:
            callback(before + games)

        return play_match(plan, make, store=store, number=match, processes=processes, callback=in_all).summary

    done = {match.plan: stored_summary(store, match, game) for match in matches if match.finished}
    tournament = Tournament(_terms(stored), game, play, done)
    return tournament


def _terms(stored: StoredTournament) -> Terms:
    """What decides a tournament of the store; BadInput where it does not say."""
    try:
        if not all(type(value) is int for value in stored.settings.values()):
            raise TypeError
        return Terms(stored.game, stored.agents, **stored.settings)
    except TypeError:
        raise damaged("Tournament", stored.number) from None

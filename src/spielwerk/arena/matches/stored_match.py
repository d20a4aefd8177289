"""The figures of matches in the store."""

from __future__ import annotations

from typing import Any

from spielwerk.arena.matches.statistics import Summary, Totals
from spielwerk.arena.playing.plan import gains
from spielwerk.arena.records.rows import StoredMatch
from spielwerk.arena.records.store import Store
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of


def stored_summary(store: Store, match: StoredMatch, game: Game) -> Summary:
    """The figures of a stored match, as far as it was played."""
    return stored_totals(store, match, game).summary()


def match_facts(store: Store, match: StoredMatch) -> dict[str, Any]:
    """What `--json` prints of a stored match; rate and mean score are those of the first agent."""
    plan = match.plan
    totals = stored_totals(store, match, game_of(plan.game))
    return {
        "number": match.number,
        "game": plan.game,
        "agents": plan.agents,
        "games": plan.games,
        "played": match.played,
        "unfinished": match.played - totals.games,
        "rate": totals.rate if totals.games else None,
        "score": totals.score if totals.games else None,
        "seed": None if match.imported else plan.seed,
        "seating": plan.seating,
        "opening": plan.opening,
        "tournament": match.tournament,
        "started": match.started,
        "finished": match.finished,
        "imported": match.imported,
        "version": match.version,
    }


def stored_totals(store: Store, match: StoredMatch, game: Game) -> Totals:
    """The sums over the games that were played to their end, one piece after the other."""
    totals = Totals(len(match.plan.layouts(game)))
    for first, scores in store.pieces(match.number):
        totals.add(first, gains(game, store.seats_of(match, game, first, len(scores)), scores))
    return totals

"""The figures of matches in the store."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.arena.matches.statistics import Summary, summary
from spielwerk.arena.playing.plan import gains
from spielwerk.arena.records.store import Store, StoredMatch
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of


def stored_summary(store: Store, match: StoredMatch, game: Game) -> Summary:
    """The figures of a stored match, as far as it was played."""
    groups = store.numbers(match.number) // len(match.plan.layouts(game))
    return summary(_gains(store, match, game), groups)


def match_facts(store: Store, match: StoredMatch) -> dict[str, Any]:
    """What `--json` prints of a stored match; rate and mean score are those of the first agent."""
    plan, rate, score = match.plan, None, None
    if match.played:
        score, rate = _gains(store, match, game_of(plan.game)).mean(axis=1).tolist()
    return {
        "number": match.number,
        "game": plan.game,
        "agents": plan.agents,
        "games": plan.games,
        "played": match.played,
        "rate": rate,
        "score": score,
        "seed": None if match.imported else plan.seed,
        "seating": plan.seating,
        "opening": plan.opening,
        "tournament": match.tournament,
        "started": match.started,
        "finished": match.finished,
        "imported": match.imported,
        "version": match.version,
    }


def _gains(store: Store, match: StoredMatch, game: Game) -> np.ndarray:
    """The first agent's score, and 1, ½ or 0, in each game that was played; [2, n]."""
    return gains(game, store.seats(match.number), store.scores(match.number))

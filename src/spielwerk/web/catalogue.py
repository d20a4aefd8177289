"""What there is to choose from: games with their variants, and the agents that play one of them."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import lru_cache
from typing import Any

from spielwerk.agents import registry as agents
from spielwerk.api.catalogue import agent_facts
from spielwerk.arena.agent import first_decision
from spielwerk.arena.sitting import HUMAN
from spielwerk.games import registry
from spielwerk.games.game import Game
from spielwerk.games.scenes.showing import partial_turn, scene_of, stage_of
from spielwerk.names import BadInput
from spielwerk.web.limits import REFUSED

NOT_LISTED = (*REFUSED, "mctse", "maxn", "race")  # they can be typed
_lock = threading.Lock()  # finding out who plays a game loads networks, once


def games() -> list[dict[str, Any]]:
    """Every game, with the variants that are worth listing."""
    return [
        {
            "kind": game.kind,
            "title": game.title,
            "players": list(game.player_names),
            "variants": [_variant(name) for name in registry.variants(game.kind)],
        }
        for game in registry.usual_games()
    ]


def warm() -> None:
    """Loads what every game needs to be shown, so that the first board does not wait."""
    for game in registry.usual_games():
        stage_of(game)
        partial_turn(first_decision(game))
        scene_of(example(game))


def agents_of(game: Game) -> list[dict[str, str]]:
    """The agents that can play a game: a person, the kinds of agents, and trained runs."""
    with _lock:
        return _agents(game) + [{"name": name, "title": "A trained run"} for name in _runs(game)]


@lru_cache(64)
def _variant(name: str) -> dict[str, Any]:
    game = registry.game(name)
    return {"name": name, "title": game.title, "players": list(game.player_names)}


@lru_cache(64)
def _agents(game: Game) -> list[dict[str, str]]:
    found = [{"name": HUMAN, "title": "A person"}]
    for kind in agents.kinds():
        if kind not in NOT_LISTED and _plays(kind, game):
            found.append({"name": kind, "title": agent_facts(kind)["title"]})
    return found


def _plays(name: str, game: Game) -> bool:
    with suppress(BadInput):
        agents.agent(name, game).close()
        return True
    return False


def _runs(game: Game) -> list[str]:
    """Trained runs of this variant, as agents."""
    from spielwerk.learn.runs import names_of_runs, open_run

    found = []
    for name in names_of_runs():
        with suppress(BadInput):
            config = open_run(name).config
            if registry.game(config.game) == game:
                found.append(f"{config.kind}:{name}")
    return found


def example(game: Game) -> Any:
    """A position in which something has happened, for a small picture."""
    position, action = game.start(), 5
    for number in range(EXAMPLE.get(game.kind, 0)):
        if position.over:
            break
        if position.chance:
            outcomes = position.outcomes()
            position = position.roll(outcomes[(number * 5 + 2) % len(outcomes)][0])
        else:
            legal = position.actions()
            position = position.after(legal[(number * action + 3) % len(legal)])
    return position


EXAMPLE = {"morris": 11, "othello": 12, "backgammon": 10, "einstein": 9}

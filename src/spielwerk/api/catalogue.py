"""What there is to choose from: the facts of games, of agents, and of the settings of agents and learners."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from spielwerk.agents.registry import understood
from spielwerk.data import cleaned
from spielwerk.games.game import Game
from spielwerk.names import printable


def game_facts(game: Game) -> dict[str, Any]:
    """A game in a list of games."""
    constants = game.constants
    sizes = {"actions": constants["ACTIONS"], "symmetries": constants["SYMMETRIES"], "states": game.states}
    return {"name": game.name, "title": game.title, "players": game.players, **sizes}


def agent_facts(kind: str) -> dict[str, Any]:
    """A kind of agents in a list of agents, which may be written with settings; BadInput where there is none."""
    cls, kind, _ = understood(kind)
    title = (cls.__doc__ or "").strip().partition("\n")[0]
    return {"name": printable(kind), "title": printable(title), "settings": settings_facts(cls.Settings)}


def settings_facts(cls: type) -> list[dict[str, Any]]:
    """The settings of an agent or a learner, one after the other."""
    return [
        {"name": field.name, "default": cleaned(field.default)}
        | cleaned({"help": field.metadata.get("help", ""), "choices": list(field.metadata.get("choices", ()))})
        for field in fields(cls)
    ]

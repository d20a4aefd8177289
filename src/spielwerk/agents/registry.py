"""From a name to an agent: the built-in ones, those of learners, and those that other packages add as entry points."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from spielwerk import names
from spielwerk.arena.agent import Agent
from spielwerk.data import PLUGIN_FAULTS
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.learn import registry as learners
from spielwerk.names import BadInput

BUILT_IN = {
    "random": "random:Random",
    "mc": "mc:MonteCarlo",
    "mcts": "mcts:Mcts",
    "mctse": "mcts:Mctse",
    "expectimax": "depth:Expectimax",
    "maxn": "depth:MaxN",
    "alphabeta": "alphabeta:AlphaBeta",
    "pubeval": "depth:Pubeval",
    "race": "depth:Race",
    "engine": "engine:Engine",
    "gnubg": "gnubg:Gnubg",
    "oracle": "oracle:OracleAgent",
}


def kinds() -> list[str]:
    """The names of all agents that can play here."""
    return list(dict.fromkeys([*BUILT_IN, *learners.kinds(), *_added()]))


def agent(name: str, game: Game | str, **settings: Any) -> Agent:
    """The agent that `name` writes, such as "mcts:iterations=500", for `game`; settings may follow as keywords."""
    game = game_of(game) if isinstance(game, str) else game
    cls, kind, chosen = understood(name, **settings)
    made = cls.made(game, chosen)
    made.name = names.write(kind, chosen)
    return made


def understood(name: str, **settings: Any) -> tuple[type[Agent], str, Any]:
    """The class, the kind and the settings that `name` and keywords write, where no game is known yet."""
    kind, values = names.split(name)
    if kind == "human":
        raise BadInput("A human plays at the terminal: spielwerk play GAME --against AGENT.")
    if kind not in kinds():
        raise names.unknown("There is no agent", kind, kinds(), "Agents")
    cls = kind_class(kind)
    return cls, kind, names.settings(cls.Settings, kind, names.joined(kind, values, settings))


def kind_class(kind: str) -> type[Agent]:
    """The class of a kind of agents, imported only when it is asked for."""
    if kind in BUILT_IN:
        module, _, cls = BUILT_IN[kind].partition(":")
        return getattr(importlib.import_module(f"spielwerk.agents.{module}"), cls)
    if kind in learners.kinds():
        return learners.learner_kind(kind).agent_class
    point = _added()[kind]
    try:
        cls = point.load()
    except PLUGIN_FAULTS as problem:
        raise BadInput(f'The agent "{kind}" of {point.value} cannot be loaded: {problem!r}.') from problem
    if not (isinstance(cls, type) and issubclass(cls, Agent)):
        raise BadInput(f'The agent "{kind}" of {point.value} is not a subclass of spielwerk.Agent.')
    if not dataclasses.is_dataclass(cls.Settings):
        raise BadInput(f'The agent "{kind}" of {point.value} has a "Settings" that is not a dataclass.')
    return cls


@functools.cache
def _added() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="spielwerk.agents")}

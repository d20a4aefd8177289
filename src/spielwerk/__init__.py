"""Spielwerk: teach machines to play board games, and know exactly how well they play."""

import importlib
from typing import TYPE_CHECKING, Any

from spielwerk.version import __version__

if TYPE_CHECKING:
    from spielwerk.agents.registry import agent
    from spielwerk.api.analyse import analyse
    from spielwerk.api.compare import compare
    from spielwerk.api.dataset import dataset
    from spielwerk.api.grade import grade
    from spielwerk.api.match import match
    from spielwerk.api.review import review
    from spielwerk.api.rollout import rollout
    from spielwerk.api.runs import run, runs
    from spielwerk.api.solve import solve
    from spielwerk.api.tournament import ladder, tournament
    from spielwerk.api.train import resume, train
    from spielwerk.arena.agent import Agent
    from spielwerk.games.batch import Batch
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position
    from spielwerk.games.registry import game
    from spielwerk.names import BadInput
    from spielwerk.search.estimator import Estimator

# Imported when they are first asked for, so that a command starts at once, and hears Ctrl-C from its first moment.
_LAZY = {"ladder": "api.tournament", "resume": "api.train", "run": "api.runs"}
_LAZY |= {
    name: f"api.{name}"
    for name in (
        "analyse",
        "compare",
        "dataset",
        "grade",
        "match",
        "review",
        "rollout",
        "runs",
        "solve",
        "tournament",
        "train",
    )
}
_LAZY |= {"agent": "agents.registry", "game": "games.registry", "BadInput": "names"}
_LAZY |= {"Agent": "arena.agent", "Batch": "games.batch", "Estimator": "search.estimator"}
_LAZY |= {"Game": "games.game", "Position": "games.position"}

__all__ = [
    "Agent",
    "BadInput",
    "Batch",
    "Estimator",
    "Game",
    "Position",
    "__version__",
    "agent",
    "analyse",
    "compare",
    "dataset",
    "game",
    "grade",
    "ladder",
    "match",
    "resume",
    "review",
    "rollout",
    "run",
    "runs",
    "solve",
    "tournament",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"spielwerk.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return __all__

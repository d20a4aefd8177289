"""From a name to a way of learning, imported only when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.learner import Learner

Export = Callable[[Game, Checkpoint, Path, Mapping[str, str]], None]  # writes what a checkpoint has learned, and about

KINDS = {"td": "spielwerk.learn.td.learner:TdLearner"}
EXPORTS = {"td": "spielwerk.learn.td.saved:export"}  # how small files to play with are made, where that is possible


def learner_class(kind: str) -> Any:
    """The class of a way of learning, with its `Settings`."""
    if kind not in KINDS:
        raise names.unknown("There is no way of learning", kind, KINDS, "Possible")
    return _imported(KINDS[kind])


def exporter(kind: str) -> Export | None:
    """What makes small files to play with; None where a way of learning has nothing of that kind."""
    return _imported(EXPORTS[kind]) if kind in EXPORTS else None


def settings_of(kind: str, values: dict[str, Any]) -> Any:
    """The settings of a way of learning, given as text or objects."""
    return names.settings(learner_class(kind).Settings, kind, values)


def learner_of(kind: str, game: Game, settings: Any, seed: int) -> Learner:
    """A new learner, which has learned nothing yet."""
    return learner_class(kind)(game, settings, seed)


def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)

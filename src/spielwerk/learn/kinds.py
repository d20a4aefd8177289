"""From a name to a way of learning, imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.learner import Learner

KINDS = {"td": "spielwerk.learn.td.learner:TdLearner"}


def learner_class(kind: str) -> Any:
    """The class of a way of learning, with its `Settings`."""
    if kind not in KINDS:
        raise names.unknown("There is no way of learning", kind, KINDS, "Possible")
    module, _, cls = KINDS[kind].partition(":")
    return getattr(importlib.import_module(module), cls)


def settings_of(kind: str, values: dict[str, Any]) -> Any:
    """The settings of a way of learning, given as text or objects."""
    return names.settings(learner_class(kind).Settings, kind, values)


def learner_of(kind: str, game: Game, settings: Any, seed: int) -> Learner:
    """A new learner, which has learned nothing yet."""
    return learner_class(kind)(game, settings, seed)

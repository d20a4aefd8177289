"""From a name to a game: the built-in ones, and those that other packages add as entry points."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from spielwerk import names
from spielwerk.data import PLUGIN_FAULTS
from spielwerk.games import parts
from spielwerk.games.game import Game
from spielwerk.names import BadInput

TARGETS = (None, "cpu", "python")
BUILT_IN = ("backgammon", "einstein", "morris", "nim", "othello")


def kinds() -> list[str]:
    """The names of all games that can be played here."""
    return [*BUILT_IN, *(name for name in _added() if name not in BUILT_IN)]


def game(name: str, *, target: str | None = None, **settings: Any) -> Game:
    """The game that `name` writes, such as "einstein:board=6,players=4"; settings may follow as keywords.

    `target` is "cpu" (the default) or "python", which runs the rules uncompiled and guarded.
    """
    if target not in TARGETS:
        raise BadInput(f'Rules cannot run as "{target}"; possible: cpu, python.')
    kind, values = names.split(name)
    if kind not in kinds():
        raise names.unknown("There is no game", kind, kinds(), "Games")
    module = _module(kind)
    chosen = names.settings(module.Settings, kind, names.joined(kind, values, settings))
    return _game(kind, chosen, target)


def usual_games() -> Iterator[Game]:
    """The usual variant of every game; one of another package that cannot be loaded is passed over."""
    for kind in kinds():
        with suppress(BadInput):
            yield game(kind)


@functools.cache
def _game(kind: str, settings: Any, target: str | None) -> Game:
    from spielwerk.games.face import Face

    rules = _module(kind)
    face = Face(parts.module(kind, "face", rules.FACE) if hasattr(rules, "FACE") else rules, kind in BUILT_IN)
    try:
        return Game(kind, rules, face, settings, target)
    except BadInput:
        raise
    except PLUGIN_FAULTS as problem:
        if kind in BUILT_IN:
            raise
        raise BadInput(f'The game "{kind}" of {_added()[kind].value} cannot be used: {problem!r}.') from problem


def variants(kind: str) -> list[str]:
    """The full names of the variants of a game that are worth listing, the default first."""
    return [kind, *(f"{kind}:{variant}" for variant in getattr(_module(kind), "VARIANTS", ()))]


def settings_class(kind: str) -> Any:
    """The settings of a game."""
    return _module(kind).Settings


def _module(kind: str) -> ModuleType:
    if kind in BUILT_IN:
        return importlib.import_module(f"spielwerk.games.{kind}")
    try:
        module = _added()[kind].load()
    except PLUGIN_FAULTS as problem:
        raise BadInput(f'The game "{kind}" of {_added()[kind].value} cannot be loaded: {problem!r}.') from problem
    for name in ("TITLE", "Settings", "constants", "states"):
        if not hasattr(module, name):
            raise BadInput(f'The game "{kind}" of {_added()[kind].value} does not define "{name}".')
    parts.check_settings(f'The game "{kind}" of {_added()[kind].value}', module.Settings)
    return module


@functools.cache
def _added() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="spielwerk.games")}

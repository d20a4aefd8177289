"""From a name to a game: the built-in ones, and those that other packages add as entry points."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from spielwerk import names
from spielwerk.data import PLUGIN_FAULTS
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


@functools.cache
def _game(kind: str, settings: Any, target: str | None) -> Game:
    module = _module(kind)
    from spielwerk.games.face import Face

    try:
        face = importlib.import_module(module.FACE) if hasattr(module, "FACE") else module
        return Game(kind, module, Face(face, kind in BUILT_IN), settings, target)
    except BadInput:
        raise
    except PLUGIN_FAULTS as problem:
        if kind in BUILT_IN:
            raise
        raise BadInput(f'The game "{kind}" of {_added()[kind].value} cannot be used: {problem!r}.') from problem


def games() -> Iterator[Game]:
    """The default variant of each game; one of another package that cannot be loaded is left out."""
    for kind in kinds():
        with suppress(BadInput):
            yield game(kind)


def variants(kind: str) -> list[str]:
    """The full names of the variants of a game that are worth listing, the default first."""
    return [kind, *(f"{kind}:{variant}" for variant in getattr(_module(kind), "VARIANTS", ()))]


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
    if not dataclasses.is_dataclass(module.Settings):
        raise BadInput(f'The game "{kind}" of {_added()[kind].value} has "Settings" that are no dataclass.')
    return module


@functools.cache
def _added() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="spielwerk.games")}

"""From a name to a way of learning, imported only when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk import names

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.checkpoint import Checkpoint
    from spielwerk.learn.learner import Learner

    Earlier = Callable[[Game, Checkpoint, int], Checkpoint]  # with which the agent of that generation plays
    Export = Callable[[Game, Checkpoint, Path, Mapping[str, str]], None]  # writes what a checkpoint learned, and about

KINDS = {
    "td": "spielwerk.learn.td.learner:TdLearner",
    "evolution": "spielwerk.learn.evolution.learner:EvolutionLearner",
}
EXPORTS = {  # how small files to play with are made, where that is possible
    "td": "spielwerk.learn.td.saved:export",
    "evolution": "spielwerk.learn.evolution.saved:export",
}
EARLIER = {
    "evolution": "spielwerk.learn.evolution.history.generation:played_by"
}  # where agents of the past were kept as well
SAFETENSORS, JSON, ONNX = ".safetensors", ".json", ".onnx"
SUFFIXES = {"td": (SAFETENSORS,), "evolution": (SAFETENSORS, JSON, ONNX)}  # how the names of such files may end
PLAYED = (SAFETENSORS, JSON, ONNX)
LENGTHS = {"td": "episodes", "evolution": "generations"}  # what a training is counted in: the setting of its length


def learner_class(kind: str) -> Any:
    """The class of a way of learning, with its `Settings`."""
    if kind not in KINDS:
        raise names.unknown("There is no way of learning", kind, KINDS, "Possible")
    return _imported(KINDS[kind])


def exporter(kind: str) -> Export | None:
    """What makes small files to play with; None where a way of learning has nothing of that kind."""
    return _imported(EXPORTS[kind]) if kind in EXPORTS else None


def earlier(kind: str) -> Earlier | None:
    """What finds the agents of earlier generations; None where a way of learning has none."""
    return _imported(EARLIER[kind]) if kind in EARLIER else None


def length_name(kind: str) -> str:
    """What a training of this kind is counted in, which is also the setting that says how long it is."""
    return LENGTHS.get(kind, "episodes")


def length_names(kinds: Iterable[str]) -> str:
    """What trainings of these kinds are counted in, such as "episodes", or "episodes or generations"."""
    return either(list(dict.fromkeys(map(length_name, kinds))))


def either(words: Sequence[str]) -> str:
    """Such as "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def suffixes_played(kind: str) -> tuple[str, ...]:
    """How the names of files end that an agent of this kind plays with."""
    return tuple(suffix for suffix in SUFFIXES.get(kind, (SAFETENSORS,)) if suffix in PLAYED)


def settings_of(kind: str, values: dict[str, Any]) -> Any:
    """The settings of a way of learning, given as text or objects."""
    return names.settings(learner_class(kind).Settings, kind, values)


def learner_of(kind: str, game: Game, settings: Any, seed: int) -> Learner:
    """A new learner, which has learned nothing yet."""
    return learner_class(kind)(game, settings, seed)


def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)

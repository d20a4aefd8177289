"""From a name to a kind of learner: the built-in ones, and those that other packages add as entry points."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from spielwerk import names
from spielwerk.data import PLUGIN_FAULTS
from spielwerk.learn.added_kind import AddedKind
from spielwerk.learn.kind import LearnerKind, imported
from spielwerk.names import BadInput, either

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.learner import Learner

GROUP = "spielwerk.learners"
BUILT_IN = {
    "td": "spielwerk.learn.td.description:TD",
    "evolution": "spielwerk.learn.evolution.description:EVOLUTION",
    "alphazero": "spielwerk.learn.alphazero.description:ALPHAZERO",
    "actor-critic": "spielwerk.learn.actor_critic.description:ACTOR_CRITIC",
    "imitation": "spielwerk.learn.imitation.description:IMITATION",
}


def kinds() -> list[str]:
    """The names of all learners that there are here."""
    return [*BUILT_IN, *(name for name in _added() if name not in BUILT_IN)]


def learner_kind(name: str) -> LearnerKind:
    """What the learner of that name says of itself; BadInput where there is none, or later where it lacks a part."""
    if name in BUILT_IN:
        return imported(BUILT_IN[name])
    if name not in _added():
        raise names.unknown("There is no learner", name, kinds(), "Learners")
    return _loaded(name, _added()[name])


def settings_of(kind: str, values: dict[str, Any]) -> Any:
    """The settings of a learner, given as text or objects."""
    return names.settings(learner_kind(kind).settings_class, kind, values)


def learner_of(kind: str, game: Game, settings: Any, seed: int) -> Learner:
    """A new learner, which has learned nothing yet; BadInput where it needs torch, and that is not installed."""
    try:
        return learner_kind(kind).learner_class.made(game, settings, seed)
    except ModuleNotFoundError as problem:
        if problem.name != "torch":
            raise
        raise BadInput("A network learns with torch, which is not installed: pip install 'spielwerk[train]'.") from None


def length_name(kind: str) -> str:
    """What a training of this kind is counted in; of one that is not here, episodes."""
    return learner_kind(kind).length if kind in kinds() else LearnerKind.length


def length_names(those: Iterable[str]) -> str:
    """What trainings of these kinds are counted in, such as "episodes", or "episodes or generations"."""
    return either(list(dict.fromkeys(map(length_name, those))))


def played_files() -> dict[str, str]:
    """How the names of files end that agents play with, each with the first learner whose agent does."""
    found: dict[str, str] = {}
    for kind in kinds():
        try:
            played = learner_kind(kind).played
        except BadInput:  # a broken learner does not disturb the others
            continue
        found |= {suffix: kind for suffix in played if suffix not in found}
    return found


@functools.cache
def _added() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@functools.cache
def _loaded(name: str, point: EntryPoint) -> LearnerKind:
    """What another package describes; its parts are loaded and checked when they are needed."""
    try:
        found = point.load()
    except PLUGIN_FAULTS as problem:
        raise BadInput(f'The learner "{name}" of {point.value} cannot be loaded: {problem!r}.') from problem
    if not isinstance(found, LearnerKind):
        raise BadInput(f'The learner "{name}" of {point.value} is not a spielwerk.learn.kind.LearnerKind.')
    kind = AddedKind(**{part.name: getattr(found, part.name) for part in fields(found)}, place=point.value)
    kind.check_name(name)
    return kind

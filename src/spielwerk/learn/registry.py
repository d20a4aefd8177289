"""From a name to a kind of learner: the built-in ones, and those that other packages add as entry points."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from spielwerk import names
from spielwerk.data import PLUGIN_FAULTS
from spielwerk.learn.kind import LearnerKind, imported
from spielwerk.names import BadInput, either

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.learner import Learner

GROUP = "spielwerk.learners"
BUILT_IN = {
    "td": "spielwerk.learn.td.description:TD",
    "evolution": "spielwerk.learn.evolution.description:EVOLUTION",
}
METHODS = ("use", "learn", "agent", "weights", "state", "restore", "figures", "metadata")  # of `learner.Learner`


def kinds() -> list[str]:
    """The names of all learners that there are here."""
    return [*BUILT_IN, *(name for name in _added() if name not in BUILT_IN)]


def learner_kind(name: str) -> LearnerKind:
    """What the learner of that name says of itself; BadInput where there is none, or it lacks a part."""
    if name in BUILT_IN:
        return imported(BUILT_IN[name])
    if name not in _added():
        raise names.unknown("There is no learner", name, kinds(), "Learners")
    return _loaded(name, _added()[name])


def settings_of(kind: str, values: dict[str, Any]) -> Any:
    """The settings of a learner, given as text or objects."""
    return names.settings(learner_kind(kind).settings_class, kind, values)


def learner_of(kind: str, game: Game, settings: Any, seed: int) -> Learner:
    """A new learner, which has learned nothing yet."""
    return learner_kind(kind).learner_class(game, settings, seed)


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
    """What another package describes, all parts of which are there."""
    where = f'The learner "{name}" of {point.value}'
    try:
        found = point.load()
        if not isinstance(found, LearnerKind):
            raise BadInput(f"{where} is no spielwerk.learn.kind.LearnerKind.")
        for part in (found.settings, found.agent, found.estimator, *found.exports.values(), found.earlier):
            imported(part)
        problems = list(_lacks(found, name))
    except BadInput:
        raise
    except PLUGIN_FAULTS as problem:
        raise BadInput(f"{where} cannot be loaded: {problem!r}.") from problem
    if problems:
        raise BadInput(f'The learner "{name}" of {found.learner_class.__module__} {problems[0]}.')
    return found


def _lacks(found: LearnerKind, name: str) -> Iterator[str]:
    """What is wrong with a description, each as the end of a sentence."""
    from spielwerk.arena.agent import Agent

    learner, settings, agent = found.learner_class, found.settings_class, found.agent_class
    for method in METHODS:
        if getattr(getattr(learner, method, None), "__isabstractmethod__", not hasattr(learner, method)):
            yield f'does not define "{method}"'
    for other in (found.name, getattr(learner, "kind", None)):
        if other != name:
            yield f'calls itself "{other}"'
    if found.length not in {field.name for field in dataclasses.fields(settings)}:
        yield f'has no setting "{found.length}", which says how long it learns'
    if not issubclass(agent, Agent):
        yield "has an agent that is no class made from spielwerk.Agent"
    elif names.RUN not in {field.name for field in dataclasses.fields(agent.Settings)}:
        yield f'has an agent without the setting "{names.RUN}"'

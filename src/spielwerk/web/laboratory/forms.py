"""What a form of the page asks for: the settings that learners and solvers describe themselves, with their bounds."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from spielwerk.api.catalogue import settings_facts
from spielwerk.api.train_config import OPTIONS
from spielwerk.games.registry import kinds as game_kinds
from spielwerk.learn.config import EvaluationConfig
from spielwerk.learn.registry import kinds, learner_kind
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import solver
from spielwerk.web.laboratory import bounds
from spielwerk.web.limits import bounded_game


def learners() -> dict[str, Any]:
    """Every learner with its settings, those of evaluation, and the devices of this machine."""
    evaluation = [one for one in described(EvaluationConfig) if one["name"] in OPTIONS and one["name"] != "opponents"]
    return {"learners": [_learner(kind) for kind in kinds()], "evaluation": evaluation, "games": game_kinds()}


def solver_settings(name: str) -> list[dict[str, Any]]:
    """The settings of the solver of a game."""
    return described(solver(bounded_game(name))[1])


def described(cls: type) -> list[dict[str, Any]]:
    """Settings one after the other: name, kind of value, default, help, choices, and from where to where."""
    found = []
    for facts, field in zip(settings_facts(cls), fields(cls), strict=True):
        most = field.metadata.get("most")
        bound = bounds.MOST.get(field.name, bounds.MOST_NUMBER)
        found.append(
            facts
            | {
                "kind": type(field.default).__name__,
                "least": field.metadata.get("least"),
                "most": bound if most is None else min(most, bound),
            }
        )
    return found


def _learner(kind: str) -> dict[str, Any]:
    """A learner; of one that cannot be loaded, why."""
    try:
        found = learner_kind(kind)
        title = (found.agent_class.__doc__ or "").strip().partition("\n")[0]
        settings = described(found.settings_class)
    except BadInput as problem:
        return {"name": kind, "problem": str(problem)}
    devices = bounds.devices(kind)
    return {"name": kind, "title": title, "length": found.length, "devices": devices, "settings": settings}

"""What was chosen for a run, beside the defaults, and beside what was chosen for other runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spielwerk.learn.config import EvaluationConfig, RunConfig
from spielwerk.learn.registry import settings_of
from spielwerk.names import BadInput, printable, value_text

OF_EVALUATION = "evaluation: "  # how the names of its settings begin here
USUAL = "usual"  # a setting that a run does not mention, since there was none when it began


def chosen(config: RunConfig) -> dict[str, Any]:
    """All that can be chosen of a run but its seeds, by name."""
    return config.settings | _named(config.evaluation)


def defaults(kind: str) -> dict[str, Any]:
    """The same where nothing was chosen; of a learner that is not here, only of evaluation."""
    try:
        own = asdict(settings_of(kind, {}))
    except BadInput:
        own = {}
    return own | _named(EvaluationConfig())


def changed(config: RunConfig) -> dict[str, Any]:
    """The settings of a run that differ from their defaults."""
    usual = defaults(config.kind)
    found = {name: value for name, value in chosen(config).items() if value != usual.get(name)}
    if config.evaluation.matches() == EvaluationConfig().matches():
        found.pop(f"{OF_EVALUATION}opponents", None)  # which may say the usual number of games
    return found | ({"extended": config.extended} if config.extended else {})


def differing(configs: Sequence[RunConfig]) -> dict[str, list[Any]]:
    """The settings in which runs differ and not all say the usual, besides their lengths: of each, every run's value.

    It is `USUAL` where a run does not mention it, and None where its learner has none of this name.
    """
    about = [{"kind": one.kind, "version": one.version, **chosen(one)} for one in configs]
    usual = [defaults(one.kind) for one in configs]
    lengths = {one.counted for one in configs}
    found = {}
    for name in dict.fromkeys(name for one in about for name in one if name not in lengths):
        differ = any(one.get(name) != about[0].get(name) for one in about)
        said = any(name in one and one[name] != own.get(name) for one, own in zip(about, usual, strict=True))
        if differ and said:
            unsaid = (USUAL if name in own else None for own in usual)
            found[name] = [one.get(name, other) for one, other in zip(about, unsaid, strict=True)]
    return found


def same_but_seeds(one: RunConfig, other: RunConfig) -> bool:
    """Whether two runs differ in nothing but their seeds."""
    about = ((config.kind, config.game, config.extended, chosen(config)) for config in (one, other))
    return next(about) == next(about)


def setting_text(value: Any) -> str:
    """The value of a setting for people."""
    if isinstance(value, tuple | list):
        return printable(" ".join(map(str, value)))
    return f"{value:,}" if type(value) is int else printable(value_text(value))


def _named(evaluation: EvaluationConfig) -> dict[str, Any]:
    return {f"{OF_EVALUATION}{name}": value for name, value in asdict(evaluation).items()}

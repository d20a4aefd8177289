"""What the recipes train: the common base of all arms, sizes for a GPU and for a CPU, and what is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form
from spielwerk.studies.trainings.measures import GRADE, MATCH, RAW, VALUE, Measure
from spielwerk.studies.trainings.training import Arm

MORRIS, SIX = "morris", "morris:rules=six"
AC = "actor-critic"
RANDOM, ALPHABETA = "random", "alphabeta"  # labels
OPPONENTS = {RANDOM: "random", ALPHABETA: "alphabeta:depth=2"}
OPENING = 4  # random turns before a match

# Triples are the full form, on one GPU, the quick one, and the full one without a GPU. Both of these train on one core,
# whose time others cannot take away; two would make these small networks one and a half times as fast.
DECISIONS = (1000, 200, 1000)
GAMES = (200, 40, 200)  # of a match
MORE, START = (2.0, 0.8, 2.0), 1.0  # seconds of measuring, and on a GPU until it has allocated what it needs

Settings = dict[str, Any]
# Everything else is the learner's default. A GPU has so many boards that it seldom waits for the next question.
STARTS = "random:40"
SIZES: tuple[Settings, Settings, Settings] = (
    {
        **{"boards": 65_536, "window": 16, "epochs": 1, "minibatch": 16_384, "precision": "bfloat16"},
        **{"rate": 0.001, "rate_end": 0.0002, "entropy": 0.03, "starts": STARTS},
    },
    {"boards": 64, "epochs": 1, "minibatch": 256, "rate": 0.002, "hidden": "64-64", "starts": STARTS},
    {
        **{"boards": 256, "epochs": 1, "minibatch": 1024, "rate": 0.001, "rate_end": 0.0002, "entropy": 0.03},
        **{"hidden": "128-128", "starts": STARTS},
    },
)


def base(form: Form) -> Settings:
    """The settings that all arms have in common."""
    return dict(SIZES[form.scale])


def varied(changed: Mapping[str, Any], form: Form) -> Settings:
    """The base, but for what is changed; a network over the board's graph has no hidden layers."""
    settings = {**base(form), **changed}
    if settings.get("net") == "graph":
        settings.pop("hidden", None)
    return settings


def named(changed: Mapping[str, Any]) -> str:
    """What an arm is called: the settings in which it differs from the base."""
    return " ".join(f"{name}={_word(value)}" for name, value in changed.items()) or "base"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def graded(form: Form) -> Measure:
    """The best class on public decisions."""
    return Measure(RAW, GRADE, DECISIONS[form.scale])


def against(label: str, form: Form) -> Measure:
    """A match."""
    return Measure(label, MATCH, GAMES[form.scale], opponent=OPPONENTS[label], opening=OPENING)


def strength(form: Form) -> list[Measure]:
    """What is measured of every training besides its grade: two matches, and the value against the truth."""
    return [against(RANDOM, form), against(ALPHABETA, form), Measure(VALUE, VALUE, DECISIONS[form.scale])]


def jobs_of(arms: Sequence[Arm], seeds: int, form: Form) -> list[Job]:
    """A training of each arm with each seed, arm by arm."""
    return [arm.job(form.place, seed) for arm in arms for seed in form.seeds(seeds)]

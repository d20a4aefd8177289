"""What a job of the page may be asked for: settings in bounds, and no word that could name a file."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Mapping
from typing import Any

from spielwerk import names
from spielwerk.arena.sitting import HUMAN
from spielwerk.games.game import Game
from spielwerk.learn.config import EvaluationConfig
from spielwerk.learn.kind import CPU, CUDA, SHIPPED
from spielwerk.learn.registry import learner_kind
from spielwerk.names import BadInput
from spielwerk.web import limits

MOST_SEEDS = 10
MOST_OPPONENTS = 4  # of an evaluation
MOST_GAMES = 100_000  # of a match, or against an opponent of an evaluation
MOST_PAIR = 10_000  # games of a pair in a tournament
MOST_AGENTS = 16
MOST = {"decisions": 100_000, "memory": 16, "check": 10_000_000}  # of settings, by name
MOST_NUMBER = 10**9  # of all others
OF_A_RUN = ("begin",)  # settings that name a run
TEXT = re.compile(r"[A-Za-z0-9_ :+,.-]{0,100}")  # of others, without slashes


def bounded_settings(whose: str, settings: Any) -> Any:
    """The settings of a learner or a solver, if the page may have them."""
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if value == field.default or field.metadata.get("choices"):
            continue
        if isinstance(value, str):
            _check_text(whose, field.name, value)
        elif isinstance(value, int | float) and value > MOST.get(field.name, MOST_NUMBER):
            raise BadInput(f"{whose}: on the page {field.name} is at most {MOST.get(field.name, MOST_NUMBER):,}.")
    return settings


def bounded_evaluation(rules: EvaluationConfig, game: Game) -> EvaluationConfig:
    """How a run is measured, if the page may have that."""
    matches = rules.matches()
    if len(matches) > MOST_OPPONENTS:
        raise BadInput(f"On the page a run is measured against at most {MOST_OPPONENTS} opponents.")
    for opponent, games in matches:
        bounded_player(opponent, game)
        if games > MOST_GAMES:
            raise BadInput(f"On the page games are at most {MOST_GAMES:,}, not {games:,}.")
    return bounded_settings("evaluation", dataclasses.replace(rules, opponents=EvaluationConfig.opponents)) and rules


def bounded_player(name: str, game: Game) -> str:
    """The canonical name of an agent that plays without people, and without starting programs."""
    if names.split(name)[0] == HUMAN:
        raise BadInput("People do not play in matches of the laboratory; choose an agent.")
    return limits.bounded_agent(name, game)


def devices(kind: str) -> list[str]:
    """Where a learner can learn on this machine."""
    there = (CPU, *([CUDA] if shutil.which("nvidia-smi") else []))
    return [device for device in there if device in learner_kind(kind).devices]


def check_device(kind: str, device: str) -> None:
    """Refuses a device on which a learner cannot learn here."""
    if device not in devices(kind):
        raise BadInput(f"{kind} learns here on: {', '.join(devices(kind))}; not on {device}.")


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as names write them, which then are read as from the command line."""
    return {key: names.value_text(value) for key, value in values.items()}


def _check_text(whose: str, name: str, value: str) -> None:
    from spielwerk.learn.runs import names_of_runs

    if name in OF_A_RUN:
        if value == SHIPPED:
            return
        run, _, seed = value.partition("/")
        if run not in names_of_runs() or (seed and not seed.isdecimal()):
            raise names.unknown("There is no run", value, names_of_runs(), "Runs")
    elif not TEXT.fullmatch(value) or value.startswith(".") or ".." in value:
        raise BadInput(f'{whose}: on the page {name} cannot be "{value}".')

"""Trains one network of `backgammon/parts` and asks it the public decisions; a training that was stopped is resumed."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from spielwerk.arena.grading.grade import answers
from spielwerk.games.registry import game
from spielwerk.learn import checkpoint
from spielwerk.learn.kind import CUDA
from spielwerk.learn.learner import Learner
from spielwerk.learn.registry import settings_of
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.training import Pace, Stopped
from spielwerk.studies.backgammon.errors import chosen, cost, public
from spielwerk.studies.backgammon.ladder import GAME
from spielwerk.studies.backgammon.phases import phase
from spielwerk.studies.device import ALONE, use
from spielwerk.studies.job import JobProgress, Result
from spielwerk.studies.results import folder

if TYPE_CHECKING:
    from spielwerk.learn.td.neural.learner import TdNetworkLearner

SAVE_EVERY = 60.0  # seconds


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What each public decision costs the trained network, and how long it has learned since it was last resumed.

    With `then` it goes on by other settings from where the first ones led. What these led to stays on the disk, since
    other trainings go on from there too.
    """
    first = {key: part for key, part in given.items() if key != "then"}
    last = first | {"settings": given["then"], "before": first["settings"]} if "then" in given else first
    with ALONE if given["device"] == CUDA else nullcontext():
        callback(0.0)
        begun = time.perf_counter()
        learner = _trained(first, callback)
        if last is not first:
            learner = _trained(last, callback, learner.weights())
        seconds = time.perf_counter() - begun
        asked, agent = public(chosen(given["decisions"])), learner.agent()
        ends = answers(agent, asked, given["seed"], lambda done: callback(1.0))
    _file(last).unlink(missing_ok=True)
    costs = [cost(question, end) for question, end in zip(asked, ends, strict=True)]
    phases = [phase(question.position) for question in asked]
    return {"costs": costs, "phases": phases, "seconds": round(seconds, 1)}


def _trained(
    given: Mapping[str, Any], callback: JobProgress, weights: Mapping[str, np.ndarray] | None = None
) -> TdNetworkLearner:
    """A learner that has learned to the end, from its last checkpoint, these weights, or nothing."""
    made = TdLearner.made(game(GAME), settings_of("td", dict(given["settings"])), given["seed"])
    learner = cast("TdNetworkLearner", made)
    use(learner, given["device"], "backgammon/parts")
    if _file(given).exists():
        learner.restore(checkpoint.read(_file(given)))
    elif weights is not None:
        learner.take_over(weights)
    _learn(learner, _file(given), callback)
    return learner


def _learn(learner: Learner, path: Path, callback: JobProgress) -> None:
    """Learns to the end; a checkpoint is written now and then, and where the study is to stop."""
    pace, saved, episodes = Pace(), time.monotonic(), learner.settings.episodes
    while learner.episode < episodes:
        pace.learn(learner, episodes)
        try:
            callback(learner.episode / episodes)
        except Stopped:
            _save(learner, path)
            raise
        if time.monotonic() - saved > SAVE_EVERY or learner.episode == episodes:
            _save(learner, path)
            saved = time.monotonic()


def _save(learner: Learner, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    checkpoint.write(path, learner.arrays(), learner.metadata())


def _file(given: Mapping[str, Any]) -> Path:
    """Where the checkpoint of an unfinished training lies."""
    key = hashlib.sha256(json.dumps(dict(given), sort_keys=True).encode()).hexdigest()[:16]
    return folder() / "unfinished" / f"backgammon-part-{key}.safetensors"

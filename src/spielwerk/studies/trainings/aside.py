"""Measuring aside: while a GPU goes on learning, processes of their own measure what has been learned so far."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from spielwerk.kernel.processes import follow, undisturbed
from spielwerk.learn.kind import CPU, CUDA
from spielwerk.learn.learner import Learner
from spielwerk.studies.job import Result
from spielwerk.studies.trainings.making import learner_for
from spielwerk.studies.trainings.measures import Pulse, measured

if TYPE_CHECKING:
    import numpy as np

    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

ASIDE = (CUDA,)  # devices that would stand still while a processor measures
_turn = threading.Lock()  # held by whoever asks the processes, which the first one starts
LOOK = 0.5  # seconds between two pulses of somebody who waits
Measuring = Result | Future[Result]


def begun(facts: Mapping[str, Any], learner: Learner, about: Mapping[str, Any], pulse: Pulse) -> Measuring:
    """What a measure comes to, or will: of a learner on a GPU in a process of its own, by the weights of now."""
    if learner.device not in ASIDE or not hasattr(learner, "take_over"):
        return measured(facts, learner, pulse)
    return begun_of(facts, about, learner.weights())


def begun_of(facts: Mapping[str, Any], about: Mapping[str, Any], weights: Mapping[str, np.ndarray]) -> Measuring:
    """The same of weights that a learner had."""
    with _turn, undisturbed():
        pool = _workers(about.get("lanes", 1))
        return pool.submit(_measured, dict(facts), _plain(about), about["seed"], dict(weights))


def ended(found: Measuring, pulse: Pulse) -> Result:
    """The same once it is there."""
    if not isinstance(found, Future):
        return found
    while not wait([found], LOOK).done:
        pulse()
    return found.result()


@cache
def _workers(lanes: int) -> ProcessPoolExecutor:
    """One for each core but those that feed the GPU."""
    count = max(1, (os.cpu_count() or 1) - lanes)
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin)


def _begin() -> None:
    """Of a process: the GPU is for who learns."""
    follow()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""


def _plain(about: Mapping[str, Any]) -> dict[str, Any]:
    return {"game": about["game"], "kind": about["kind"], "settings": dict(about["settings"])}


def _measured(
    facts: Mapping[str, Any], about: Mapping[str, Any], seed: int, weights: Mapping[str, np.ndarray]
) -> Result:
    """The work of a process."""
    learner = learner_for(about, CPU, seed)
    cast("SelfPlayLearner", learner).take_over(weights)
    return measured(facts, learner, lambda: None)

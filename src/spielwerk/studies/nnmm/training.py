"""The job of this study: trains one configuration, and measures all that the source measures."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, cast

from spielwerk.games.registry import game as game_of
from spielwerk.learn.imitation.settings import KIND
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.studies.device import ALONE, use
from spielwerk.studies.job import JobProgress, Result
from spielwerk.studies.nnmm.sources import data_of
from spielwerk.studies.trainings.clock import counting
from spielwerk.studies.trainings.measures import graded

MEASURING = 0.9  # the share of a job after which it only measures
KEPT = ("decisions", "best_class", "best_class_interval", "regret", "regret_interval")  # of a grade
DIGITS = 2  # of epochs
DATA = threading.Lock()  # held by whoever has games played or labelled, so that nobody does it twice


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """Learns until all networks have stopped, all epochs are done, or the time is over; then measures."""
    from spielwerk.learn.imitation.measures.whole import measure, measure_elsewhere

    with DATA:
        callback(0.0)
        settings = settings_of(KIND, {**given["settings"], "data": str(data_of(given["source"]))})
        asked = {name: str(data_of(source)) for name, source in given.get("asked", {}).items()}
    with ALONE:
        learner = cast(Any, learner_of(KIND, game_of(given["game"]), settings, given["seed"]))
        use(learner, given["device"])
        now = counting(learner)
        begun, course = now(), list[dict[str, float]]()

        def over() -> bool:
            spent = (now() - begun) / given["seconds"]
            callback(min(max(spent, learner.episode / settings.epochs), 1.0) * MEASURING)
            return spent >= 1

        while learner.episode < settings.epochs and learner.stopping.active and not over():
            learner.learn(1, over)
            if learner.position:  # the time is over within an epoch
                learner.look()
            course.append({"epoch": round(learner.epochs, DIGITS), **learner.figures()})
        seconds = now() - begun
        found = measure(learner, most=given["most"], callback=lambda share: callback(MEASURING + 0.09 * share))
        if asked:
            found["asked"] = {
                name: measure_elsewhere(learner, where, given["most"], lambda _: callback(0.99))
                for name, where in asked.items()
            }
        if given["decisions"]:
            grade = graded(learner.agent(), given["decisions"], given["seed"], lambda: callback(0.99))
            found["grade"] = {name: grade.get(name) for name in KEPT}
    weights = sum(array.size for array in learner.weights().values())
    spent = {"seconds": round(seconds, 1), "epochs": round(learner.epochs, DIGITS)}
    return {**spent, "weights": weights, "course": course, **found}

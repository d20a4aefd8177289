"""Runs of td without training: a network whose weights were drawn, or learned in the test itself."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

import spielwerk as sw
from spielwerk.games.cells import layout
from spielwerk.learn import checkpoint, runs
from spielwerk.learn.config import EvaluationConfig, RunConfig
from spielwerk.learn.learner import Learner
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings


def drawn(game: sw.Game, seed: int = 1, **settings: Any) -> TdLearner:
    """A learner that has learned nothing, with random weights of a size that makes values differ, in small tables."""
    chosen: dict[str, Any] = {"tuples": triples(game), **settings}
    learner = TdLearner(game, Settings(**chosen), seed)
    rng = np.random.default_rng(seed)
    learner.network.weights[:] = rng.normal(0, 0.3, learner.network.size)
    return learner


def triples(game: sw.Game) -> str:
    """Some tuples of three cells, from the first to the last ones, as a person writes them."""
    names = layout(game).names
    return " ".join("-".join(names[first : first + 3]) for first in range(0, len(names) - 2, 1 + len(names) // 8))


def keep(name: str, *learners: Learner) -> runs.Run:
    """A run of that name with a checkpoint of each learner, all of the same game and settings."""
    first = learners[0]
    seeds = tuple(learner.seed for learner in learners)
    config = RunConfig(
        first.kind, first.game.name, asdict(first.settings), seeds, EvaluationConfig(), "0", "2025-01-01T00:00:00"
    )
    run = runs.create(config, name)
    with run.alone():
        for one in learners:
            about = {"seed": str(one.seed), "episode": str(one.episode)}
            checkpoint.write(run.checkpoint_file(one.seed), one.arrays(), one.metadata() | about)
    return run

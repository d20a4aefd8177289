"""The rows of `spielwerk bench selfplay` about actor-critic: self-play, and self-play with learning.

A step is one action on one board: rolled, seen by the network, drawn from its policy and played. With learning, each of
them is also learned from once, by PPO. The network is the one that the source describes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from spielwerk.bench.batch import where
from spielwerk.bench.clock import median_speed
from spielwerk.bench.row import Row
from spielwerk.games.registry import game
from spielwerk.learn.registry import learner_of, settings_of

GAME = "morris"
SIZES: dict[str, dict[str, Any]] = {
    "cpu": {"boards": 1024, "window": 16, "minibatch": 2048},
    "cuda": {"boards": 1 << 18, "window": 16, "minibatch": 1 << 16, "precision": "bfloat16"},
}
SHARED = {"episodes": 10**12, "epochs": 1, "starts": "random:40"}  # games in all their phases from the beginning
ROUND_SECONDS = 3.0
WARM_UP = 3  # windows, in which kernels are compiled


def rows(device: str, rounds: int, seed: int) -> Iterator[Row]:
    """Steps a second, without learning and with it, on all cores or a GPU."""
    learner: Any = learner_of("actor-critic", game(GAME), settings_of("actor-critic", SIZES[device] | SHARED), seed)
    learner.use(device, os.cpu_count() or 1)
    for _ in range(WARM_UP):
        learner.learn_window()
    label = f"{GAME}, actor-critic, mlp {learner.settings.hidden}, {len(learner.batch):,} boards on {where(device)}"
    for title, work in (("self-play", _played), ("self-play and learning", _learned)):
        yield Row(f"{label}, {title}", median_speed(partial(work, learner), ROUND_SECONDS, rounds), "steps/s")


def _played(learner: Any) -> int:
    """A window of moves."""
    before = learner.turns
    learner.played()
    return learner.turns - before


def _learned(learner: Any) -> int:
    """The same, and what is learned from it."""
    before, learner.losses = learner.turns, []
    learner.learn_window()
    return learner.turns - before

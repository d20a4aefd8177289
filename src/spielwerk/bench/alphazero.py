"""The rows of `spielwerk bench selfplay` about AlphaZero: self-play, and play by ONNX Runtime.

A simulation evaluates one leaf with the network, unless it comes to the end of a game; that each root is evaluated as
well is not counted. An evaluation is any row through the network: with a policy over the ends of turns, these siblings
are counted too. Self-play is without learning: every board is searched and played on, and new games begin. In play
an agent makes 100 simulations a decision, on many boards at once and on one.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from spielwerk.agents.alphazero import AlphaZero, AlphaZeroSettings
from spielwerk.bench.batch import middle, where
from spielwerk.bench.clock import median_speed
from spielwerk.bench.row import Row
from spielwerk.games.batch import Batch
from spielwerk.games.registry import game
from spielwerk.learn.alphazero.playing import KIND, learned
from spielwerk.learn.registry import learner_of, settings_of


@dataclass(frozen=True)
class SelfPlay:
    """A game, and the settings of a learner that plays it by itself."""

    game: str
    settings: dict[str, Any]
    label: str = field(init=False)

    def __post_init__(self) -> None:
        given = self.settings
        network = f"{given['net']} {given['blocks']}×{given['filters']}"
        network += f" over {given['policy']}" if "policy" in given else ""
        object.__setattr__(self, "label", f"{network}, {given['simulations']} simulations, {given['boards']:,} boards")


def _sizes(net: str, blocks: int, filters: int, simulations: int, boards: int) -> dict[str, Any]:
    return {"net": net, "blocks": blocks, "filters": filters, "simulations": simulations, "boards": boards}


BACKGAMMON, MORRIS = "backgammon:scoring=full", "morris"
MIXED = {"precision": "bfloat16"}
PLAYED: dict[str, list[SelfPlay]] = {
    "cpu": [
        SelfPlay(BACKGAMMON, _sizes("residual", 2, 32, 16, 256)),
        SelfPlay(BACKGAMMON, _sizes("mlp", 4, 128, 16, 256) | {"policy": "afterstates"}),
        SelfPlay(MORRIS, _sizes("mlp", 4, 128, 16, 256)),
    ],
    "cuda": [
        SelfPlay(BACKGAMMON, _sizes("residual", 10, 64, 64, 1 << 14) | MIXED),
        SelfPlay(MORRIS, _sizes("mlp", 4, 512, 16, 1 << 16) | MIXED),
    ],
}
ITERATIONS, BOARDS = 100, (64, 1)
STARTS = "random:40"  # so that games are in all their phases from the beginning
ROUND_SECONDS = 3.0
UNITS = ("simulations/s", "moves/s", "evaluations/s")
WARM_UP = 3  # moves, in which kernels are compiled and rounds of the search recorded


def self_play(device: str, rounds: int, seed: int) -> Iterator[Row]:
    """Simulations and moves a second, on all cores or a GPU."""
    for one in PLAYED[device]:
        learner: Any = _learner(one.game, seed, **one.settings, starts=STARTS)
        learner.use(device, os.cpu_count() or 1)
        for _ in range(WARM_UP):
            _moved(learner)
        counted = _Counted(learner.play.estimator.network)
        if device == "cpu":  # on a GPU rounds are recorded, and nobody asks the network from here
            learner.play.estimator.network = counted
        found = [_speeds(learner, counted) for _ in range(rounds)]
        name = f"{game(one.game).kind}, alphazero, self-play, {one.label} on {where(device)}"
        for speeds, unit in zip(zip(*found, strict=True), UNITS, strict=True):
            if any(speeds):
                yield Row(name, statistics.median(speeds), unit)


def playing(rounds: int, seed: int) -> Iterator[Row]:
    """Simulations a second by ONNX Runtime, with the network of the package."""
    morris = game(MORRIS)
    agent = AlphaZero(morris, AlphaZeroSettings(iterations=ITERATIONS), learned(morris, ""))
    agent.ready()
    for boards in BOARDS:
        batch = middle(MORRIS, boards, "cpu", seed)
        speed = median_speed(lambda batch=batch: _searched(agent, batch), ROUND_SECONDS / 3, rounds)
        yield Row(f"morris, play by {KIND} on {boards} {'board' if boards == 1 else 'boards'}", speed, "simulations/s")


def _learner(name: str, seed: int, **settings: Any) -> Any:
    """One that has learned nothing yet."""
    return learner_of(KIND, game(name), settings_of(KIND, settings), seed)


def _moved(learner: Any) -> int:
    """One move on every board; the simulations it took."""
    with learner.autocast():
        learner.play.move(learner.simulations())
    return int(learner.play.forest.done.sum())


class _Counted:
    """A network whose rows are counted."""

    def __init__(self, network: Any) -> None:
        self.network, self.rows = network, 0

    def __call__(self, rows: Any) -> Any:
        self.rows += len(rows)
        return self.network(rows)


def _speeds(learner: Any, counted: _Counted) -> tuple[float, float, float]:
    """Simulations, moves and evaluations a second of one round."""
    begun, simulations, moves, counted.rows = time.perf_counter(), 0, 0, 0
    while time.perf_counter() - begun < ROUND_SECONDS:
        simulations += _moved(learner)
        moves += len(learner.batch)
    seconds = time.perf_counter() - begun
    return simulations / seconds, moves / seconds, counted.rows / seconds


def _searched(agent: AlphaZero, batch: Batch) -> int:
    """A decision on every board; the simulations it took."""
    agent.choose_many(batch, batch.rngs)
    return int(agent.forest.done.sum())

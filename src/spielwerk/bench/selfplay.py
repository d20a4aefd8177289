"""`spielwerk bench selfplay`: TD learning with a network, turns and updates together, and play by ONNX Runtime.

The rows of AlphaZero and of actor-critic are in `bench/alphazero.py` and `bench/actor_critic.py`.

A move is a whole turn of one board: rolled, all its ends seen by the network, one taken, and learned from. Figures are
by the clock, on all cores or the whole GPU: the median of several rounds. Play is on one core: positions that a network
values a second, from boards to scores, and those of GNU Backgammon's network beside it, where that is installed.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.agents.values import estimator
from spielwerk.bench import actor_critic, alphazero
from spielwerk.bench.batch import BOTH, devices, middle, where
from spielwerk.bench.clock import median_speed
from spielwerk.bench.row import Row
from spielwerk.bench.untrained import untrained
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.registry import game
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.learn.td.neural.exporting import model
from spielwerk.search.estimator import Estimator

GAME = "backgammon:scoring=full"
LEARNED: dict[str, dict[str, Any]] = {
    "cpu": {"hidden": "80", "boards": 4096, "minibatch": 4096},
    "cuda": {"hidden": "256-256", "boards": 1 << 17, "minibatch": 1 << 15},
}
SHARED = {"approximator": "network", "inputs": "tesauro", "lam": 0.7, "window": 8, "epsilon": 0, "epsilon_end": 0}
LONG = 10**9  # episodes, so that rates stay as they are
ROUND_SECONDS = 3.0
WARM_UP = 3  # windows, in which kernels are compiled and games reach their middle
POSITIONS = 8192  # that are valued in a call


def rows(device: str = BOTH, rounds: int = 3, seed: int = 1) -> Iterator[Row]:
    """The figures, as they are measured; "both" leaves out a GPU that is not there."""
    for each in devices(device):
        yield learning(each, rounds, seed)
        yield from alphazero.self_play(each, rounds, seed)
        yield from actor_critic.rows(each, rounds, seed)
    if device != "cuda":
        yield from playing(rounds, seed)
        yield from alphazero.playing(rounds, seed)


def learning(device: str, rounds: int, seed: int) -> Row:
    """Moves a second of the whole loop."""
    learner = new_learner(seed, **LEARNED[device])
    learner.use(device, os.cpu_count() or 1)
    for _ in range(WARM_UP):
        learner.learn_window()
    speed = median_speed(lambda: _moves(learner), ROUND_SECONDS, rounds)
    chosen = LEARNED[device]
    label = f"{game(GAME).kind}, self-play and learning, {chosen['hidden']} hidden, {chosen['boards']:,} boards"
    return Row(f"{label} on {where(device)}", speed, "moves/s")


def playing(rounds: int, seed: int) -> Iterator[Row]:
    """Positions a second by ONNX Runtime on one core."""
    backgammon = game(GAME)
    after = middle(GAME, POSITIONS // 8, "cpu", seed).afterstates().batch.states[:POSITIONS]
    batch = backgammon.batch(after, threads=1)
    peer = _gnubg(backgammon, rounds, seed)
    plain = untrained(new_learner(seed, hidden="256-256", boards=1), model, "256-256")
    networks = {"a network of 256-256 hidden": plain, "td": estimator(backgammon, "td")}
    for title, found in networks.items():
        speed = median_speed(functools.partial(_valued, found, batch), ROUND_SECONDS / 3, rounds)
        yield Row(f"backgammon, positions valued by {title} on one core", speed, "positions/s", *peer)


def new_learner(seed: int, **settings: Any) -> Any:
    """A learner that has learned nothing yet."""
    return learner_of("td", game(GAME), settings_of("td", {**SHARED, "episodes": LONG, **settings}), seed)


def _moves(learner: Any) -> int:
    """One window of turns and updates."""
    before = learner.turns
    learner.learn_window()
    return learner.turns - before


def _valued(found: Estimator, batch: Batch) -> int:
    found.estimate(batch)
    return len(batch)


def _gnubg(backgammon: Game, rounds: int, seed: int) -> tuple[str | None, float | None]:
    """What GNU Backgammon's network values a second, where it is installed: each position once, since it remembers."""
    if importlib.util.find_spec("gnubg") is None:
        return None, None
    player: Any = agent("gnubg:plies=0", backgammon)
    ends = middle(GAME, POSITIONS, "cpu", seed + 1).afterstates().batch.positions()[: rounds * POSITIONS]
    boards = list(dict.fromkeys(player.board(end) for end in ends if not end.over))
    speeds = []
    for part in range(rounds):
        mine, begun = boards[part::rounds], time.perf_counter()
        for board in mine:
            player.engine.evaluate(board, player.cube, player.context)
        speeds.append(len(mine) / (time.perf_counter() - begun))
    return "GNU Backgammon, 0-ply", statistics.median(speeds)

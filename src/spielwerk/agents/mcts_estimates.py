"""Tree search whose leaves any estimator values, such as a network: one leaf of every board at a time."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from spielwerk.agents.mcts_analysis import analysis
from spielwerk.agents.mcts_settings import steering_of
from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.analysis import Analysis
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import next_word, streams
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator
from spielwerk.search.forest import Forest
from spielwerk.search.stop import Stop
from spielwerk.search.trees import NODE_BYTES, check_nodes

MOST_BYTES = 2 << 30  # of all trees together


class MctsByEstimate(Agent):
    """Monte Carlo tree search, the leaves of all boards estimated together; with `threads`, so many trees a board."""

    def __init__(self, game: Game, settings: Any, estimator: Estimator) -> None:
        super().__init__(game, settings)
        self.estimator, self.steering = estimator, steering_of(settings)
        if self.steering.played_out:
            raise BadInput(f"{estimator.name} values leaves as they are: leave rollout away.")
        check_nodes(game, settings.nodes)
        self._threads = threading.local()

    @property
    def nodes(self) -> int:
        """Nodes of a tree: no more than its simulations can fill."""
        most = max(self.game.constants["MOST_MOVES"], self.game.constants["MOST_OUTCOMES"])
        needed = self.settings.nodes if self.settings.milliseconds else 1 + (self._share + 1) * most
        return min(self.settings.nodes, needed)

    @property
    def forest(self) -> Forest:
        """The calling thread's own trees."""
        if not hasattr(self._threads, "forest"):
            given = self.settings
            self._threads.forest = Forest(self.game, self.estimator, self.steering, self.nodes, given.select)
        return self._threads.forest

    def ready(self) -> None:
        """Compiles, by a search of one simulation, and makes the estimator ready."""
        self.estimator.ready()
        position = self.game.start()
        self.forest.plant(self.game.batch([position], threads=1), streams(0, "none", 1))
        self.forest.grow(1)
        self.forest.choices()

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """As many boards at a time as there is memory for their trees."""
        size = max(1, MOST_BYTES // (self.nodes * NODE_BYTES * self.settings.threads))
        parts = [np.arange(first, min(first + size, len(batch))) for first in range(0, len(batch), size)]
        chosen = np.full(len(batch), -1)
        for part in parts:
            mine = rngs[part]
            chosen[part] = self._choose(batch.select(part), mine)
            rngs[part] = mine
        return chosen

    def _choose(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        self._grow(batch, rngs, None)
        trees, by_mean = self.settings.threads, self.steering.by_mean
        if trees == 1:
            return self.forest.choices()
        acting = batch.movers >= 0
        found = [self.forest.statistics(*range(i * trees, (i + 1) * trees)) for i in range(len(batch))]
        return np.array([one.best_action(by_mean) if acts else -1 for one, acts in zip(found, acting, strict=True)])

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """Visits and value of every turn, as one search sees them; `stop` ends it early."""
        self._grow(self.game.batch([position], threads=1), fresh(rng).reshape(1, 1), stop)
        statistics = self.forest.statistics(*range(self.settings.threads))
        return analysis(position, statistics, self.steering.by_mean)

    @property
    def _share(self) -> int:
        """The simulations of one tree."""
        return -(-self.settings.iterations // self.settings.threads)

    def _grow(self, batch: Batch, rngs: np.ndarray, stop: Stop | None) -> None:
        """Grows the trees of all boards, by count, or for the time that all these decisions have."""
        trees, seconds = self.settings.threads, len(batch) * self.settings.milliseconds / 1000
        if trees > 1:
            keys = [streams(int(rng[0]), "trees", trees) for rng in rngs]
            for rng in rngs:
                next_word(rng)
            batch, rngs = batch.select(np.repeat(np.arange(len(batch)), trees)), np.concatenate(keys)
        ends = time.monotonic() + seconds
        self.forest.plant(batch, rngs)
        while self.forest.grow(1 if seconds else self._share, stop) and time.monotonic() < ends:
            pass

"""Tree search whose leaves any estimator values, such as a network: one leaf of every board at a time."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from spielwerk.agents.mcts_analysis import analysis
from spielwerk.agents.mcts_settings import check_count, room, steering_of
from spielwerk.arena.agent import Agent, first_decision, fresh, turn_by
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import next_word, streams
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator
from spielwerk.search.forest import Forest
from spielwerk.search.parallel import share
from spielwerk.search.stop import Stop
from spielwerk.search.trees.memory import NODE_BYTES, check_nodes
from spielwerk.search.trees.selection import GUMBEL, rule_for
from spielwerk.search.trees.tree import Tree, one_of

MOST_BYTES = 2 << 30  # of all trees together


class MctsByEstimate(Agent):
    """Monte Carlo tree search, the leaves of all boards estimated together; with `threads`, so many trees a board."""

    def __init__(self, game: Game, settings: Any, estimator: Estimator) -> None:
        super().__init__(game, settings)
        self.estimator, self.steering, self.scale = estimator, steering_of(settings), float(settings.scale)
        if self.steering.played_out:
            raise BadInput(f"{estimator.name} values leaves without playouts: remove the setting rollout.")
        check_nodes(game, settings.nodes)
        self.rule = rule_for(settings.select, estimator.has_priors)
        check_count(settings, self.rule)
        self._threads = threading.local()

    @property
    def nodes(self) -> int:
        """Nodes of a tree: no more than its simulations can fill."""
        most = max(self.game.constants["MOST_MOVES"], self.game.constants["MOST_OUTCOMES"])
        nodes = room(self.game, self.settings)
        return nodes if self.settings.milliseconds else min(nodes, 1 + (max(self._shares) + 1) * most)

    @property
    def forest(self) -> Forest:
        """The calling thread's own trees."""
        if not hasattr(self._threads, "forest"):
            given = self.game, self.estimator, self.steering, self.nodes, self.rule
            self._threads.forest = Forest(*given, scale=self.scale)
        return self._threads.forest

    def ready(self) -> None:
        """Compiles, by searches of one simulation, and makes the estimator ready."""
        self.estimator.ready()
        batch = self.game.batch([self.game.start(), first_decision(self.game)], threads=1)
        batch.actions()
        self._plant(batch, streams(0, "none", 2), np.ones(2, np.int64))
        self.forest.grow(1)
        self.forest.choices()
        self.forest.statistics(0).best_action(self.steering.by_mean)

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """As many boards at a time as there is memory for their trees."""
        return self._chosen_many(batch, rngs, None)

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for anew; `stop` ends the search early."""
        rngs = fresh(rng).reshape(1, 1)

        def action(here: Position) -> int:
            return int(self._chosen_many(self.game.batch([here], threads=1), rngs, stop)[0])

        return turn_by(action, position)

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """Visits and value of every turn, as one search sees them; `stop` ends it early."""
        need_mover(position)
        self._grow(self.game.batch([position], threads=1), fresh(rng).reshape(1, 1), stop)
        statistics = self.forest.statistics(*range(self.settings.threads))
        return analysis(position, statistics, self.steering.by_mean)

    @property
    def tree(self) -> Tree:
        """The tree of the last analysis in this thread; of several the first."""
        return one_of(self.forest.trees, 0)

    def _chosen_many(self, batch: Batch, rngs: np.ndarray, stop: Stop | None) -> np.ndarray:
        """What to do next on each board; the only thing there is needs no search."""
        legal = batch.actions()
        counts, chosen = np.diff(legal.offsets), np.full(len(batch), -1)
        chosen[counts == 1] = legal.values[legal.offsets[:-1][counts == 1]]
        size = max(1, MOST_BYTES // (self.nodes * NODE_BYTES * self.settings.threads))
        decisions = np.flatnonzero(counts > 1)
        for first in range(0, len(decisions), size):
            part = decisions[first : first + size]
            mine = rngs[part]
            chosen[part] = self._searched(batch.select(part), mine, stop)
            rngs[part] = mine
        return chosen

    def _searched(self, batch: Batch, rngs: np.ndarray, stop: Stop | None) -> np.ndarray:
        """What the trees say of each board."""
        self._grow(batch, rngs, stop)
        trees, by_mean = self.settings.threads, self.steering.by_mean
        if trees == 1:
            return self.forest.choices()
        found = [self.forest.statistics(*range(i * trees, (i + 1) * trees)) for i in range(len(batch))]
        return np.array([one.best_action(by_mean) for one in found])

    @property
    def _shares(self) -> list[int]:
        """The simulations of each of a board's trees."""
        trees = self.settings.threads
        return [share(self.settings.iterations, trees, t) for t in range(trees)]

    def _grow(self, batch: Batch, rngs: np.ndarray, stop: Stop | None) -> None:
        """Grows the trees of all boards, by count, or for the time that all these decisions have."""
        trees, seconds = self.settings.threads, len(batch) * self.settings.milliseconds / 1000
        shares = np.tile(self._shares, len(batch))
        if trees > 1:
            keys = [streams(int(rng[0]), "trees", trees) for rng in rngs]
            for rng in rngs:
                next_word(rng)
            batch, rngs = batch.select(np.repeat(np.arange(len(batch)), trees)), np.concatenate(keys)
        ends = time.monotonic() + seconds
        self._plant(batch, rngs, shares)
        while self.forest.grow(1 if seconds else shares, stop) and time.monotonic() < ends:
            pass

    def _plant(self, batch: Batch, rngs: np.ndarray, shares: np.ndarray) -> None:
        """Begins a search of so many simulations in each tree; with noise only where a board's trees shall differ."""
        self.forest.plant(batch, rngs)
        if self.rule == GUMBEL:
            self.forest.plan(shares, self.settings.considered, noise=self.settings.threads > 1)

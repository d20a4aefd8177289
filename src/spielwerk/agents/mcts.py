"""`mcts` and `mctse`: Monte Carlo tree search with chance nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.agents.mcts_analysis import analysis
from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.agents.mcts_settings import MctseSettings, MctsSettings, check_count, room, steering_of
from spielwerk.agents.values import estimator
from spielwerk.arena.agent import Agent, fresh, turn_by
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.compiled import Compiled
from spielwerk.games.evaluation import Evaluation
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.arrays import arrays_of
from spielwerk.search import mcts
from spielwerk.search.parallel import ParallelSearch
from spielwerk.search.stop import Stop
from spielwerk.search.trees.memory import check_nodes, new_trees
from spielwerk.search.trees.selection import PUCT, bindings_of, rule_for
from spielwerk.search.trees.tree import Tree, one_of


class Mcts(Compiled):
    """Monte Carlo tree search over actions and rolls, with random playouts or a compiled evaluation."""

    Settings = MctsSettings
    decide = mcts.mcts_choice

    def __init__(self, game: Game, settings: Any, value: Evaluation) -> None:
        super().__init__(game, settings)
        self.value = value
        self.rule = rule_for(settings.select, priors=False)
        check_count(settings, self.rule)
        check_nodes(game, settings.nodes)

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """With a value that cannot be compiled, an agent whose leaves are estimated outside, many at once."""
        value = estimator(game, settings.value)
        if value.compiled is None:
            return MctsByEstimate(game, settings, value)
        return cls(game, settings, value.compiled)

    def new_memory(self) -> mcts.Memory:
        """See `search/mcts.py`."""
        nodes = room(self.game, self.settings)
        trees = new_trees(self.settings.threads, nodes, self.rule == PUCT, arrays_of("cpu"))
        return mcts.Memory(steering_of(self.settings), Stop().flag, self.value.own_data(), trees)

    @property
    def search(self) -> ParallelSearch:
        """The calling thread's own trees, for what is done in Python."""
        if not hasattr(self._threads, "search"):
            seconds = self.settings.milliseconds / 1000
            self._threads.search = ParallelSearch(self.game, self.value, self.bindings, self.memory, seconds)
        return self._threads.search

    @property
    def bindings(self) -> dict[str, Any]:
        """The evaluation, how many sides there are, and the rule of selection."""
        return {**self.value.bindings, **bindings_of(self.rule, self.game.sides, steering_of(self.settings))}

    @property
    def in_kernel(self) -> bool:
        """Unless a clock or threads have a say in each decision."""
        return not self.settings.milliseconds and self.settings.threads == 1

    def ready(self) -> None:
        """Compiles what it will use."""
        if self.in_kernel:
            super().ready()
        else:
            self.search.ready()

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for anew; `stop` ends the search early."""
        if self.in_kernel:
            return super().turn(position, rng, stop)
        stream = fresh(rng)
        return turn_by(lambda here: self._action(here, stream, stop), position)

    def _action(self, position: Position, rng: np.ndarray, stop: Stop | None) -> int:
        """What to do next; the only thing there is needs no search."""
        actions = position.actions()
        if len(actions) == 1:
            return actions[0]
        self.search.grow(position.state, rng, stop)
        return self.search.statistics.best_action(self.memory.steering.by_mean)

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """Visits and value of every turn, as one search sees them; `stop` ends it early."""
        need_mover(position)
        self.search.grow(position.state, fresh(rng), stop)
        return analysis(position, self.search.statistics, self.memory.steering.by_mean)

    @property
    def tree(self) -> Tree:
        """The tree of the last analysis in this thread; of several the first."""
        return one_of(self.search.memory.trees, 0)


class Mctse(Mcts):
    """The sources' MCTS-Expectimax: the same search with their settings."""

    Settings = MctseSettings

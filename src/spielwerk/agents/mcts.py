"""`mcts` and `mctse`: Monte Carlo tree search with chance nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.values import valuation
from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.compiled import Compiled
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.evaluation import NONE
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.arrays import arrays_of
from spielwerk.names import LONGEST_THOUGHT, choice, setting
from spielwerk.search import mcts
from spielwerk.search.parallel import ParallelSearch
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.reading import Found
from spielwerk.search.selection import AUTO, PUCT, RULES, bindings_of, rule_for
from spielwerk.search.stop import Stop
from spielwerk.search.tree import Steering
from spielwerk.search.trees import check_nodes, new_trees

MOST_SIMULATIONS, MOST_NODES, MOST_THREADS = 10**9, 10**9, 256


@dataclass(frozen=True)
class MctsSettings:
    """The settings of mcts."""

    iterations: int = setting(1000, "simulations for each decision", 1, MOST_SIMULATIONS)
    milliseconds: int = setting(0, "time for each decision instead; 0: none", 0, LONGEST_THOUGHT)
    k: float = setting(0.5, "weight of exploration, for rewards from 0 to 1", 0, 1e6)
    tree: int = setting(0, "most turns in the tree; 0: no limit", 0, NO_LIMIT)
    rollout: int = setting(0, "most turns of a playout; 0: to the end of the game, with value none", 0, NO_LIMIT)
    nodes: int = setting(1_000_000, "most nodes of a tree; then it grows no more", 1, MOST_NODES)
    chance: str = choice("exact", "sample", help="outcomes of a roll in the proportion of their weights, or drawn")
    final: str = choice("visits", "value", help="what decides in the end: the most visits, or the best mean")
    threads: int = setting(1, "trees that grow side by side, and share the simulations", 1, MOST_THREADS)
    value: str = setting(NONE, "an evaluation or a run, for leaves instead of playouts, or with rollout for cut ones")
    select: str = choice(AUTO, *RULES, help="the rule of selection; auto: puct where the value has priors, else uct")


class Mcts(Compiled):
    """Monte Carlo tree search (UCT) over actions and rolls, with random playouts or an evaluation."""

    Settings = MctsSettings
    decide = mcts.mcts_choice

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.value = valuation(game, settings.value)
        self.rule = rule_for(settings.select, priors=False)
        check_nodes(game, settings.nodes)

    @property
    def steering(self) -> Steering:
        """The settings, as the search takes them."""
        given, usual = self.settings, type(self.settings).rollout
        played_out = given.value == NONE or given.rollout not in (0, usual)
        limits = {"turns": given.tree or NO_LIMIT, "rollout": given.rollout or NO_LIMIT, "played_out": played_out}
        by_mean, sampled = given.final == "value", given.chance == "sample"
        return Steering(given.iterations, sampled=sampled, by_mean=by_mean, k=float(given.k), **limits)

    def new_memory(self) -> mcts.Memory:
        """See `search/mcts.py`."""
        trees = new_trees(self.settings.threads, self.settings.nodes, self.rule == PUCT, arrays_of("cpu"))
        return mcts.Memory(self.steering, Stop().flag, self.value.own_data(), trees)

    @property
    def search(self) -> ParallelSearch:
        """The calling thread's own trees, for what is done in Python."""
        if not hasattr(self._threads, "search"):
            self._threads.search = ParallelSearch(self.game, self.value, self.bindings, self.memory)
        return self._threads.search

    @property
    def bindings(self) -> dict[str, Any]:
        """The evaluation, how many sides there are, and the rule of selection."""
        return {**self.value.bindings, **bindings_of(self.rule), "SIDES": self.game.sides}

    def ready(self) -> None:
        """Compiles what it will use."""
        if self._alone:
            super().ready()
        else:
            self.search.ready()

    @property
    def _alone(self) -> bool:
        """Whether neither a clock nor threads have a say in each decision."""
        return not self.settings.milliseconds and self.settings.threads == 1

    def advance(self, boards: Boards, me: int) -> None:
        """All boards in one call of the kernel, unless clocks or threads have a say in each decision."""
        if self._alone:
            super().advance(boards, me)
        else:
            Agent.advance(self, boards, me)

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for anew; `stop` ends the search early."""
        if self._alone:
            self._threads.memory = self.memory._replace(stop=(stop or Stop()).flag)
            return super().turn(position, rng)
        steps, here, stream = [], position, fresh(rng)
        while here.mover == position.mover:
            steps.append((here, self._action(here, stream, stop)))
            here = here.play(steps[-1][1])
        return Turn(tuple(steps), here)

    def _action(self, position: Position, rng: np.ndarray, stop: Stop | None) -> int:
        """What to do next; the only thing there is needs no search."""
        actions = position.actions()
        if len(actions) == 1:
            return actions[0]
        self._grow(position, rng, stop)
        return self.search.reading.best_action(self.settings.final == "value")

    def _grow(self, position: Position, rng: np.ndarray, stop: Stop | None) -> None:
        self.search.grow(position.state, rng, self.settings.milliseconds / 1000, stop)

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """Visits and value of every turn, as one search sees them; `stop` ends it early."""
        self._grow(position, fresh(rng), stop)
        ends = self.search.reading.turns(position)
        whole = sum(found.visits for found in ends.values()) or 1
        judged = []
        for turn in sorted(position.turns(), key=lambda turn: self._order(ends[turn.end.words]), reverse=True):
            found = ends[turn.end.words]
            judged.append(Judged(turn.text, self._score(found.reward), found.visits, found.visits / whole))
        return Analysis(str(position), judged[0].value, tuple(judged))

    def _order(self, found: Found) -> tuple[float, float, float]:
        """What decides in the end; a certain win comes first, a certain loss last."""
        certain, reward = {1.0: 1, 0.0: -1}.get(found.exact, 0), found.reward or 0.0
        return (certain, found.visits, reward) if self.settings.final == "visits" else (certain, reward, found.visits)

    def _score(self, reward: float | None) -> float | None:
        return None if reward is None else (2 * reward - 1) * self.game.constants["BEST"]


@dataclass(frozen=True)
class MctseSettings(MctsSettings):
    """The settings of mctse."""

    k: float = setting(1.414, "weight of exploration, for rewards from 0 to 1", 0, 1e6)
    tree: int = setting(10, "most turns in the tree; 0: no limit", 0, NO_LIMIT)
    rollout: int = setting(
        150, "most turns of a playout; 0: to the end of the game; with value 0 and 150: none", 0, NO_LIMIT
    )
    nodes: int = setting(5000, "most nodes of a tree; then it grows no more", 1, MOST_NODES)
    chance: str = choice("sample", "exact", help="outcomes of a roll drawn, or in the proportion of their weights")
    final: str = choice("value", "visits", help="what decides in the end: the best mean, or the most visits")


class Mctse(Mcts):
    """The sources' MCTS-Expectimax: the same search with their settings."""

    Settings = MctseSettings

"""`mcts` and `mctse`: Monte Carlo tree search with chance nodes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.forest import APART, Forest, Found
from spielwerk.agents.values import valuation
from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.compiled import Compiled
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.evaluation import NONE
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import LONGEST_THOUGHT, BadInput, choice, setting
from spielwerk.search import mcts
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.tree import LINKS

MOST_SIMULATIONS, MOST_NODES, MOST_THREADS = 10**9, 10**9, 256
LONGEST_PATH = 512  # nodes on a way through the tree


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


class Mcts(Compiled):
    """Monte Carlo tree search (UCT) over actions and rolls, with random playouts or an evaluation."""

    Settings = MctsSettings
    decide = mcts.mcts_choice

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.value = valuation(game, settings.value, "mcts")
        played_out = settings.value == NONE or settings.rollout not in (0, type(settings).rollout)
        numbers = [settings.iterations, settings.tree or NO_LIMIT, settings.chance == "sample"]
        numbers += [played_out, settings.rollout or NO_LIMIT, settings.final == "value"]
        trees, nodes, least = settings.threads, settings.nodes, game.constants["MOST_MOVES"] + 1
        if nodes < least:
            raise BadInput(f"A tree of {game.name} needs at least {least} nodes, not {nodes}.")
        self.memory = (
            np.array(numbers, np.int64),
            np.array([settings.k]),
            self.value.data,
            np.zeros((trees, nodes, LINKS), np.int32),
            np.zeros((trees, nodes, 2)),
            np.zeros((trees, APART), np.int64),
            np.zeros((trees, LONGEST_PATH, 2), np.int32),
            np.zeros((trees, LONGEST_PATH)),
        )

    @functools.cached_property
    def forest(self) -> Forest:
        """The trees, for what is done in Python."""
        return Forest(self.game, self.value, self.memory, self.settings.milliseconds)

    @property
    def bindings(self) -> dict[str, Any]:
        """The evaluation, and how many sides there are."""
        return {**self.value.bindings, "SIDES": self.game.sides}

    def advance(self, boards: Boards, me: int) -> None:
        """All boards in one call of the kernel, unless clocks or threads have a say in each decision."""
        if self.settings.milliseconds or self.settings.threads > 1:
            Agent.advance(self, boards, me)
        else:
            super().advance(boards, me)

    def turn(self, position: Position, rng: np.ndarray | None = None) -> Turn:
        """The turn that the agent takes, each of its actions searched for anew."""
        if not self.settings.milliseconds and self.settings.threads == 1:
            return super().turn(position, rng)
        steps, here, stream = [], position, fresh(rng)
        while here.mover == position.mover:
            steps.append((here, self._action(here, stream)))
            here = here.play(steps[-1][1])
        return Turn(tuple(steps), here)

    def _action(self, position: Position, rng: np.ndarray) -> int:
        """What to do next; the only thing there is needs no search."""
        actions = position.actions()
        if len(actions) == 1:
            return actions[0]
        self.forest.grow(position.state, rng)
        return self.forest.best_action()

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """Visits and value of every turn, as one search sees them."""
        self.forest.grow(position.state, fresh(rng))
        ends = self.forest.turns(position)
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

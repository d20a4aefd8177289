"""`alphazero`: plays by a network that has learned from its own searches, alone or with a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.agents.mcts_settings import CHILDREN, MOST_NODES, MOST_SIMULATIONS, MOST_THREADS, check_considered
from spielwerk.arena.agent import Agent
from spielwerk.arena.by_policy import ByPolicy
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.playing import learned, trained_scale
from spielwerk.learn.alphazero.settings import MOST_SCALE
from spielwerk.learn.resolve import RunSettings
from spielwerk.names import LONGEST_THOUGHT, BadInput, choice, setting
from spielwerk.search.ahead_estimator import AHEAD_HELP, ahead_if
from spielwerk.search.estimator import Estimator
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.symmetric_estimator import SYMMETRIC_HELP, symmetric_if
from spielwerk.search.trees.gumbel import MOST_CONSIDERED
from spielwerk.search.trees.selection import GUMBEL, PUCT

OF_SEARCH = ("select", "k", "considered", "scale", "tree", "nodes", "chance", "final", "threads")


@dataclass(frozen=True)
class AlphaZeroSettings(RunSettings):
    """The settings of alphazero."""

    iterations: int = setting(100, "simulations for each decision; 0: the policy alone", 0, MOST_SIMULATIONS)
    milliseconds: int = setting(0, "time for each decision instead; 0: none", 0, LONGEST_THOUGHT)
    select: str = choice(GUMBEL, PUCT, help="selection rule of the search")
    k: float = setting(1.0, "exploration constant of puct, for rewards from 0 to 1", 0, 1e6)
    considered: int = setting(MOST_CONSIDERED, "actions that select=gumbel considers at the root", 1, MOST_NODES)
    scale: float = setting(
        0.0, "how much values count against priors with select=gumbel; 0: as in the training", 0, MOST_SCALE
    )
    tree: int = setting(0, "most turns in the tree; 0: no limit", 0, NO_LIMIT)
    nodes: int = setting(1_000_000, "most nodes of a tree", 1, MOST_NODES)
    chance: str = choice("exact", "sample", help="outcomes of a roll in proportion to their weights, or sampled")
    final: str = choice("visits", "value", help="how the move is chosen: by most visits, or by the best mean")
    threads: int = setting(1, "trees that grow in parallel and share the simulations", 1, MOST_THREADS)
    symmetric: bool = choice(False, True, help=SYMMETRIC_HELP)
    ahead: bool = choice(False, True, help=AHEAD_HELP)

    value, rollout = "network", 0  # leaves are valued by the network alone
    count, proof = CHILDREN, True

    def __post_init__(self) -> None:
        check_considered(self)
        for name in OF_SEARCH if not self.searches else ():
            if getattr(self, name) != getattr(AlphaZeroSettings, name):
                raise BadInput(f"{name} has no effect with iterations=0, which is the policy alone.")

    @property
    def searches(self) -> bool:
        """Whether it searches at all."""
        return self.iterations > 0 or self.milliseconds > 0


class AlphaZero(MctsByEstimate):
    """Tree search with the policy and the value of a network, or with no simulations its policy alone."""

    Settings = AlphaZeroSettings

    def __init__(self, game: Game, settings: AlphaZeroSettings, estimator: Estimator) -> None:
        super().__init__(game, settings, estimator)
        self.scale = self.scale or trained_scale(estimator)

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """Without simulations there is no tree; BadInput where the network has no policy."""
        network = learned(game, settings.run, settings.at)
        if not network.has_priors:
            raise BadInput(
                f"{settings.run} has no policy, and cannot play as alphazero; try mcts:value={settings.run}."
            )
        found = ahead_if(settings.ahead, symmetric_if(settings.symmetric, network))
        if not settings.searches:
            return ByPolicy(game, settings, found)
        return cls(game, settings, found)

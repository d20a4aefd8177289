"""The settings of `mcts` and `mctse`, and what the search makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.games.evaluation import NONE
from spielwerk.games.game import Game
from spielwerk.names import LONGEST_THOUGHT, BadInput, choice, setting
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.trees.gumbel import MOST_CONSIDERED
from spielwerk.search.trees.selection import AUTO, GUMBEL, RULES, UCT
from spielwerk.search.trees.tree import Steering

MOST_SIMULATIONS, MOST_NODES, MOST_THREADS = 10**9, 10**9, 256
OF_GUMBEL = ("considered", "scale")
CHILDREN, ACTIONS = "children", "actions"  # what the limit of nodes counts


@dataclass(frozen=True)
class MctsSettings:
    """The settings of mcts."""

    iterations: int = setting(1000, "simulations for each decision", 1, MOST_SIMULATIONS)
    milliseconds: int = setting(0, "time for each decision instead; 0: none", 0, LONGEST_THOUGHT)
    k: float = setting(0.5, "exploration constant, for rewards from 0 to 1", 0, 1e6)
    tree: int = setting(0, "most turns in the tree; 0: no limit", 0, NO_LIMIT)
    rollout: int = setting(0, "most turns of a playout; 0: to the end of the game, with value none", 0, NO_LIMIT)
    nodes: int = setting(1_000_000, "most nodes of a tree", 1, MOST_NODES)
    count: str = choice(CHILDREN, ACTIONS, help="what nodes limits: all children, or only actions that were tried")
    proof: bool = setting(True, "whether certain values are followed up the tree, in two-sided games")
    chance: str = choice("exact", "sample", help="outcomes of a roll in proportion to their weights, or sampled")
    final: str = choice("visits", "value", help="how the move is chosen: by most visits, or by the best mean")
    threads: int = setting(1, "trees that grow in parallel and share the simulations", 1, MOST_THREADS)
    value: str = setting(NONE, "what values leaves instead of playouts; with rollout, truncated playouts")
    select: str = choice(AUTO, *RULES, help="selection rule; auto: puct if the value has priors, otherwise uct")
    considered: int = setting(MOST_CONSIDERED, "actions that select=gumbel considers at the root", 1, MOST_NODES)
    scale: float = setting(1.0, "how much values count against priors with select=gumbel", 0, 1e6)

    def __post_init__(self) -> None:
        check_considered(self)


@dataclass(frozen=True)
class MctseSettings(MctsSettings):
    """The settings of mctse."""

    k: float = setting(1.414, "exploration constant, for rewards from 0 to 1", 0, 1e6)
    tree: int = setting(10, "most turns in the tree; 0: no limit", 0, NO_LIMIT)
    rollout: int = setting(
        150, "most turns of a playout; 0: to the end of the game; with value 0 and 150: none", 0, NO_LIMIT
    )
    nodes: int = setting(5000, "most nodes of a tree", 1, MOST_NODES)
    chance: str = choice("sample", "exact", help="outcomes of a roll sampled, or in proportion to their weights")
    final: str = choice("value", "visits", help="how the move is chosen: by the best mean, or by most visits")


def check_considered(settings: Any) -> None:
    """Refuses what means nothing to the rule of selection."""
    for name in OF_GUMBEL if settings.select != GUMBEL else ():
        if getattr(settings, name) != getattr(type(settings), name):
            raise BadInput(f"{name} has no effect without select=gumbel.")
    if settings.select == GUMBEL and settings.k != type(settings).k:
        raise BadInput("k has no effect with select=gumbel.")


def check_count(settings: Any, rule: str) -> None:
    """Refuses to count the actions tried where a rule of selection may leave some untried for ever."""
    if settings.count == ACTIONS and rule != UCT:
        raise BadInput(f"count=actions needs select=uct, which tries every action, not {rule}.")


def room(game: Game, settings: Any) -> int:
    """How many nodes the arrays of a tree have room for."""
    if settings.count == CHILDREN:
        return settings.nodes
    moves, outcomes = game.constants["MOST_MOVES"], game.constants["MOST_OUTCOMES"]
    most = 1 + moves + settings.nodes * (outcomes + max(outcomes, 1) * moves)
    return min(most, max(settings.nodes, MctsSettings.nodes))


def steering_of(settings: Any) -> Steering:
    """The settings, as the search takes them."""
    return Steering(
        simulations=settings.iterations,
        turns=settings.tree or NO_LIMIT,
        sampled=settings.chance == "sample",
        played_out=settings.value == NONE or settings.rollout not in (0, type(settings).rollout),
        rollout=settings.rollout or NO_LIMIT,
        by_mean=settings.final == "value",
        k=float(settings.k),
        proof=settings.proof,
        most_tried=settings.nodes if settings.count == ACTIONS else 0,
    )

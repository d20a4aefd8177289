"""`sw.analyse`: what an agent thinks of a position, after a roll or before it; and the tree that it searched."""

from __future__ import annotations

from spielwerk.agents.mcts import Mcts
from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.api.arguments import Player, as_agent, as_game
from spielwerk.arena.agent import Agent
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.roll_analysis import RollAnalysis, roll_analysis
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.search.trees.outline import BRANCHES, LEVELS, Branch, outline


def analyse(
    position: Position | Game | str, agent: Player, *, seed: int = 1, roll: str = ""
) -> Analysis | RollAnalysis:
    """The value of a position as an agent sees it, and what it thinks of each move; the same seed gives the same.

    A game, or its name, stands for its start. Before a roll, `roll` says what is rolled; without it every roll is
    looked at, and what the agent would play then.
    """
    asked = position if isinstance(position, Position) else as_game(position).start()
    here = asked.roll(roll) if roll else asked
    thinker = as_agent(agent, asked.game)
    try:
        if here.chance:
            return roll_analysis(here, lambda rolled: thinker.analyse(rolled, stream(seed, "analyse")))
        need_mover(here)
        return thinker.analyse(here, stream(seed, "analyse"))
    finally:
        if isinstance(agent, str):
            thinker.close()


def searched_tree(position: Position, agent: Agent, levels: int = LEVELS, branches: int = BRANCHES) -> Branch:
    """The tree that an agent has searched in its last analysis, which was of `position`: its most visited branches."""
    if not isinstance(agent, Mcts | MctsByEstimate):
        raise BadInput(f"{agent.name} grows no tree to draw; mcts and mctse do.")
    if position.chance:
        raise BadInput("A tree is drawn of one decision: say what is rolled (--roll).")
    return outline(position, agent.tree, levels, branches)

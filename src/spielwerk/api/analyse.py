"""`sw.analyse`: what an agent thinks of a position."""

from __future__ import annotations

from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.agent import Agent
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream


def analyse(position: Position, agent: str | Agent, *, seed: int = 1) -> Analysis:
    """The value of a position as an agent sees it, and what it thinks of each move; the same seed gives the same."""
    thinker = agent_of(agent, position.game) if isinstance(agent, str) else agent
    need_mover(position)
    try:
        return thinker.analyse(position, stream(seed, "analyse"))
    finally:
        if isinstance(agent, str):
            thinker.close()

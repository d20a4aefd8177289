"""`sw.analyse`: what an agent thinks of a position."""

from __future__ import annotations

from spielwerk.api.arguments import Player, as_agent
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream


def analyse(position: Position, agent: Player, *, seed: int = 1) -> Analysis:
    """The value of a position as an agent sees it, and what it thinks of each move; the same seed gives the same."""
    thinker = as_agent(agent, position.game)
    need_mover(position)
    try:
        return thinker.analyse(position, stream(seed, "analyse"))
    finally:
        if isinstance(agent, str):
            thinker.close()

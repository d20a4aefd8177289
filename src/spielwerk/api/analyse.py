"""`sw.analyse`: what an agent thinks of a position, after a roll or before it."""

from __future__ import annotations

from spielwerk.api.arguments import Player, as_agent, as_game
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.roll_analysis import RollAnalysis, roll_analysis
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream


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

"""One agent used by several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import spielwerk as sw
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from variants import random_positions

AGENTS = {
    "othello:size=6": [
        "mcts:iterations=200",
        "mcts:iterations=100,value=hand",
        "alphabeta:depth=3",
        "td",
        "mc:iterations=9",
    ],
    "einstein:board=4": ["mctse:iterations=200,value=td", "expectimax:depth=2,value=race"],
    "backgammon": ["expectimax:depth=1,value=pubeval"],
}


@pytest.mark.parametrize(("name", "agent"), [(name, agent) for name, agents in AGENTS.items() for agent in agents])
def test_threads_that_share_an_agent_get_the_moves_that_each_would_get_alone(name: str, agent: str) -> None:
    game = sw.game(name)
    player = sw.agent(agent, game)
    player.ready()
    decisions = [position for position in random_positions(game, 3) if position.mover >= 0][:24]

    def turn(position: Position) -> tuple[str, list[float | None]]:
        judged = player.analyse(position, stream(1, "test")).moves
        return player.turn(position, stream(2, "test")).text, [move.value for move in judged]

    alone = [turn(position) for position in decisions]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(turn, decisions)) == alone


def test_a_thread_uses_its_memory_again_and_no_other_one_does() -> None:
    player = sw.agent("mcts:iterations=20,nodes=500", "othello:size=6")
    with ThreadPoolExecutor(1) as pool:
        other, again = (pool.submit(lambda: player.memory.trees.links.ctypes.data).result() for _ in range(2))  # pyright: ignore
    assert other == again
    assert other != player.memory.trees.links.ctypes.data  # pyright: ignore


@pytest.mark.parametrize(
    "name", ["mcts:iterations=1000000000", "mcts:milliseconds=100000", "alphabeta:depth=50", "random"]
)
def test_ready_compiles_and_plays_nothing(name: str) -> None:
    player = sw.agent(name, "othello:size=6")
    player.ready()

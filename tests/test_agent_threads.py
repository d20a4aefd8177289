"""One agent used by several threads at once."""

from __future__ import annotations

import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

import spielwerk as sw
from evolution_genomes import blueprint, grown
from onnx_networks import Network
from spielwerk.arena.agent import Agent, first_decision
from spielwerk.games.position import Position
from spielwerk.games.rules import FUNCTIONS
from spielwerk.kernel import specialise as kernels
from spielwerk.kernel.random import stream, streams
from spielwerk.learn.evolution.graph_onnx import write_onnx
from spielwerk.learn.onnx.model import described
from spielwerk.solvers.general.oracle import GeneralOracle
from variants import random_positions

ENGINE = f"engine:{shlex.quote(sys.executable)} {Path(__file__).parents[1] / 'examples' / 'engine_bot.py'}"
AGENTS = {
    "othello:size=6": ["mcts:iterations=200", "alphabeta:depth=3", "td", "mc:iterations=9"],
    "othello:size=4": ["oracle", "mcts:iterations=20,value=oracle"],
    "einstein:board=4": ["mctse:iterations=200,value=td", "expectimax:depth=2,value=race", "oracle"],
    "nim": ["evolution", "oracle", ENGINE],
}
AGAIN = [  # what others prove, in larger kernels
    ("othello:size=6", "mcts:iterations=100,value=hand"),
    ("othello:size=4", ENGINE),
    ("backgammon", "expectimax:depth=1,value=pubeval"),
]
Answer = tuple[str, list[float | None]]


def check_threads(player: Agent, threads: int = 2) -> None:
    """That threads which share an agent get what each would get alone."""
    player.ready()
    decisions = [position for position in random_positions(player.game, 3) if position.mover >= 0][:24]

    def asked(position: Position) -> Answer:
        judged = player.analyse(position, stream(1, "test")).moves
        return player.turn(position, stream(2, "test")).text, [move.value for move in judged]

    alone = [asked(position) for position in decisions]
    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(asked, decisions)) == alone
    player.close()


@pytest.mark.parametrize(("name", "agent"), [(name, agent) for name, agents in AGENTS.items() for agent in agents])
def test_threads_that_share_an_agent_get_the_moves_that_each_would_get_alone(name: str, agent: str) -> None:
    check_threads(sw.agent(agent, name))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "agent"), AGAIN)
def test_threads_that_share_a_larger_agent_get_the_same_moves_too(name: str, agent: str) -> None:
    check_threads(sw.agent(agent, name))


@pytest.mark.parametrize("agent", ["expectimax:depth=1", "mcts:iterations=20"])
def test_threads_may_share_a_network(agent: str, tmp_path: Path) -> None:
    game = sw.game("einstein:board=3")
    path = Network(game, {"value": 1, "policy": game.constants["ACTIONS"]}).write(tmp_path / "network.onnx")
    check_threads(sw.agent(f"{agent},value={path}", game))


def test_threads_may_share_an_evolved_network_in_an_onnx_file(tmp_path: Path) -> None:
    path, game = tmp_path / "evolved.onnx", sw.game("nim")
    frame = blueprint(game.name, inputs="cells")
    (genome,) = grown(frame, 1, 40)
    write_onnx(path, genome, frame.input_names, frame.output_names, described(game, "cells", ["afterstate"]))
    check_threads(sw.agent(f"evolution:{path}", game))


def test_many_threads_may_share_an_engine() -> None:
    check_threads(sw.agent(ENGINE, "nim"), threads=8)


def test_threads_may_ask_the_general_oracle_what_it_has_to_solve_first() -> None:
    game = sw.game("einstein:board=3")
    decisions = random_positions(game, 3)[:-1] + random_positions(game, 4)[:-1]
    expected = [GeneralOracle(game).truth(position) for position in decisions]
    shared = GeneralOracle(game)
    vars(shared)["known"] = SimpleNamespace(find=lambda state: -1)  # nothing follows from its start
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.truth, decisions)) == expected


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


def compiled() -> set[str]:
    """The kernels that have been compiled or loaded, with the types they were called with; the rules left aside."""
    entries = [
        entry for entry in kernels._entries.values() if entry.py_func.__name__.rpartition("_")[0] not in FUNCTIONS
    ]
    return {f"{entry.py_func.__qualname__} {types}" for entry in entries for types in entry.overloads}


@pytest.mark.parametrize(
    ("game", "agent", "many"),
    [
        ("einstein:board=4", "mcts:milliseconds=20", True),
        ("einstein:board=4", "mcts:iterations=20,threads=2", True),
        ("einstein:board=4", "mcts:iterations=20", False),  # choose_many has a kernel of its own
        ("einstein:board=3", "mcts:iterations=20,value=oracle", True),
        ("einstein:board=3", "mcts:iterations=20,threads=2,value=oracle", True),
        ("einstein:board=3", "expectimax:depth=1,value=oracle", True),
        ("nim", "evolution", False),
    ],
)
def test_after_ready_the_first_choice_compiles_nothing(
    game: str, agent: str, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "_entries", {})
    fresh = sw.game(game, target="cpu")
    fresh._kernels.clear()
    player = sw.agent(agent, fresh)
    player.ready()
    before, position = compiled(), first_decision(fresh)
    assert before
    player.choose(position)
    if many:
        player.choose_many(fresh.batch([position] * 3), streams(1, "test", 3))
    assert compiled() - before == set()

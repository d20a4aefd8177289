"""What agents may be asked: positions and boards of their own game, with a random stream for each board."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.agent import Agent, fresh
from spielwerk.games.batch import Batch
from spielwerk.kernel.random import below, streams
from spielwerk.names import BadInput
from variants import random_positions

NIM, OTHER, DICE = sw.game("nim"), sw.game("nim:misere=false"), sw.game("einstein:board=3")
PLAYERS = [
    *(
        "random",
        "mc:iterations=5",
        "mcts:iterations=5",
        "mcts:iterations=5,threads=2",
        "mcts:iterations=5,value=oracle",
    ),
    *("expectimax", "expectimax:depth=1,value=oracle", "oracle"),
]
OF_NIM = [*PLAYERS, "alphabeta:depth=2", "td", "td:depth=2", "evolution"]


class One(Agent):
    """An agent as other packages write it, for one position."""

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> int:
        """Any action."""
        actions = position.actions()
        return actions[below(fresh(rng), len(actions))]


class Many(Agent):
    """The same for many boards."""

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The first action."""
        legal = batch.actions()
        return np.where(np.diff(legal.offsets) > 0, np.append(legal.values, -1)[legal.offsets[:-1]], -1)


class Elsewhere(Many):
    """One that plays on a GPU only."""

    devices = ("cuda",)


def made(name: str, game: sw.Game) -> Agent:
    """An agent of this file, or one of the built-in ones."""
    own = {"one": One, "many": Many, "elsewhere": Elsewhere}
    return own[name](game, None) if name in own else sw.agent(name, game)


def questions(agent: Agent) -> list[Callable[[sw.Position], Any]]:
    return [agent.choose, agent.turn, agent.analyse]


@pytest.mark.parametrize("name", [*OF_NIM, "maxn", "engine:cat", "one", "many"])
def test_a_position_of_another_game_or_variant_is_refused(name: str) -> None:
    agent = made(name, NIM)
    for position in (OTHER.start(), DICE.start().roll(1), DICE.start()):
        fault = f"{agent.name} plays nim; it takes a position of that game, not a position of {position.game.name}.$"
        for ask in questions(agent):
            with pytest.raises(BadInput, match=fault):
                ask(position)
    for ask in questions(agent):
        with pytest.raises(BadInput, match=r"it takes a position of that game, not a str.$"):
            ask("1-3-5-7")  # pyright: ignore


@pytest.mark.parametrize("name", [*OF_NIM, "one", "many"])
def test_a_batch_of_another_game_is_refused(name: str) -> None:
    agent = made(name, NIM)
    for batch in (OTHER.batch(3), DICE.batch(3)):
        fault = f"{agent.name} plays nim; it takes a batch of that game, not a batch of {batch.game.name}.$"
        with pytest.raises(BadInput, match=fault):
            agent.choose_many(batch, streams(1, "test", 3))
    with pytest.raises(BadInput, match=r"it takes a batch of that game, not a list.$"):
        agent.choose_many([NIM.start()], streams(1, "test", 1))  # pyright: ignore


@pytest.mark.parametrize("name", [*OF_NIM, "one", "many"])
@pytest.mark.parametrize(
    ("rngs", "said"),
    [
        (streams(1, "test", 2), r"uint64 of shape \[2, 1\]"),
        (streams(1, "test", 4), r"uint64 of shape \[4, 1\]"),
        (streams(1, "test", 3)[:, 0], r"uint64 of shape \[3\]"),
        (streams(1, "test", 3).astype(np.int64), r"int64 of shape \[3, 1\]"),
        (None, r"NoneType of shape \[\]"),
    ],
)
def test_there_is_one_random_stream_for_each_board(name: str, rngs: Any, said: str) -> None:
    fault = rf"^The random streams of 3 boards are uint64 of shape \[3, 1\], not {said}.$"
    with pytest.raises(BadInput, match=fault):
        made(name, NIM).choose_many(NIM.batch(3), rngs)


def test_an_agent_says_on_which_devices_it_plays() -> None:
    batch = NIM.batch(3)
    with pytest.raises(BadInput, match=r"^agent plays on cuda, not on cpu.$"):
        made("elsewhere", NIM).choose_many(batch, batch.rngs)
    batch.device = "cuda"
    with pytest.raises(BadInput, match=r"^random plays on cpu, not on cuda.$"):
        made("random", NIM).choose_many(batch, batch.rngs)


@pytest.mark.parametrize("name", [*PLAYERS, "one", "many"])
def test_where_nobody_is_to_move_no_move_can_be_chosen(name: str) -> None:
    agent, over = made(name, DICE), random_positions(DICE, 1)[-1]
    for ask in (agent.choose, agent.turn):
        with pytest.raises(BadInput, match=r"^There is no move to think about: the game is over.$"):
            ask(over)
        with pytest.raises(BadInput, match=r"^There is no move to think about before a roll; write a position"):
            ask(DICE.start())


@pytest.mark.parametrize("name", [*PLAYERS, "one", "many"])
def test_an_analysis_where_nobody_is_to_move_has_no_moves_or_is_refused(name: str) -> None:
    agent, over = made(name, DICE), random_positions(DICE, 1)[-1]
    for position in (over, DICE.start()):
        if name.startswith(("mc", "one", "many")):
            with pytest.raises(BadInput, match=r"^There is no move to think about"):
                agent.analyse(position)
        else:
            assert agent.analyse(position).moves == ()


def test_the_face_says_the_same_of_a_game_that_is_over() -> None:
    for ask in (lambda position: sw.analyse(position, "random"), sw.agent("random", DICE).choose):
        with pytest.raises(BadInput, match=r"^There is no move to think about: the game is over.$"):
            ask(random_positions(DICE, 1)[-1])


def test_the_checks_change_neither_names_nor_signatures() -> None:
    assert list(inspect.signature(One.choose).parameters) == ["self", "position", "rng"]
    assert One.choose.__doc__ == "Any action."
    assert (One(NIM, None).batched, Many(NIM, None).batched) == (False, True)


def test_no_batch_of_another_game_ends_the_process() -> None:
    lines = [
        "import spielwerk as sw",
        "from spielwerk.kernel.random import streams",
        "batch = sw.game('einstein').batch(50)",
        "sw.agent('mcts:iterations=5', 'nim').choose_many(batch, streams(1, 'test', 50))",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "mcts:iterations=5 plays nim; it takes a batch of that game, not a batch of einstein." in done.stderr

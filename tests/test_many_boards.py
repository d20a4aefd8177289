"""Agents of many boards: asked about all at once they play as one after the other, in matches, traces and faults."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.agent import Agent, Forfeit, fresh
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing import rolling, workers
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.playing.portions import Portions
from spielwerk.arena.playing.rolling import play_rolling
from spielwerk.arena.playing.workers import Player, blocks
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.random import below, streams
from spielwerk.names import BadInput
from spielwerk.search.afterstates import best_ends
from variants import random_positions

NIM, DICE, BACKGAMMON = sw.game("nim:stacks=2-3"), sw.game("einstein:board=3"), sw.game("backgammon:checkers=3")
GAMES = pytest.mark.parametrize("game", [NIM, DICE, BACKGAMMON], ids=lambda game: game.name)


class Single(Agent):
    """Draws an action, asked about one position."""

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> int:
        """One of the actions."""
        actions = position.actions()
        return actions[below(fresh(rng), len(actions))]


class Many(Agent):
    """The same, asked about many boards."""

    asked: list[int]

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.asked = []

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """One of the actions of each board."""
        self.asked.append(len(batch))
        legal = batch.actions()
        drawn = [below(rng, count) if count else 0 for rng, count in zip(rngs, np.diff(legal.offsets), strict=True)]
        padded = np.append(legal.values, -1)
        return np.where(np.diff(legal.offsets) > 0, padded[legal.offsets[:-1] + drawn], -1)


def make(name: str, game: Game) -> Agent:
    """An agent of this file, or one of the built-in ones."""
    own = {"single": Single, "many": Many}
    return own[name](game, None) if name in own else sw.agent(name, game)


@GAMES
def test_an_agent_of_many_boards_plays_the_same_match(game: Game) -> None:
    for other in ("random", "same"):
        found = []
        for name in ("single", "many"):
            names = (name, name if other == "same" else other)
            agents = [make(one, game) for one in names]
            found.append(play_block(Plan(game.name, names, 30, opening=1), game, agents, 0, 30, keep=True))
        assert found[0].traces == found[1].traces
        assert np.array_equal(found[0].scores, found[1].scores)


@GAMES
def test_choose_turn_and_analyse_derive_from_choose_many(game: Game) -> None:
    one, many = Single(game, None), Many(game, None)
    assert (one.batched, many.batched) == (False, True)
    for position in random_positions(game, 3):
        if position.mover >= 0:
            first, second = streams(1, "test", 1)[0], streams(1, "test", 1)[0]
            assert one.turn(position, first) == many.turn(position, second)
            assert first == second  # both have drawn the same
            assert many.choose(position) == one.turn(position).text
            assert one.analyse(position) == many.analyse(position)


@pytest.mark.parametrize(
    "name",
    [
        *("random", "mc:iterations=5", "mcts:iterations=20", "expectimax", "oracle"),
        *("alphabeta:depth=3", "td", "td:depth=2", "evolution"),
    ],
)
def test_choose_many_is_choose_one_by_one(name: str) -> None:
    game = sw.game("nim") if name.startswith(("alphabeta", "td", "evolution")) else DICE
    agent = sw.agent(name, game)
    positions = [position for seed in range(4) for position in random_positions(game, seed)]
    rngs = streams(3, "test", len(positions))
    chosen = agent.choose_many(game.batch(positions), rngs.copy())
    for i, position in enumerate(positions):
        if position.mover < 0:
            assert chosen[i] == -1
        else:
            assert chosen[i] == agent.turn(position, rngs[i]).steps[0][1]


def test_the_example_of_the_page_leaves_the_fewest_actions() -> None:
    page = (Path(__file__).parents[1] / "docs" / "own-agents.md").read_text()
    (block,) = (one for one in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "def choose_many" in one)
    names: dict[str, Any] = {"sw": sw, "np": np, "best_ends": best_ends}
    exec(block, names)
    game = sw.game("othello:size=4")
    player = names["Mobile"](game, None)
    for position in random_positions(game, 2)[:-1]:
        left = [len(turn.end.actions()) for turn in position.turns()]
        assert player.turn(position).end == position.turns()[left.index(min(left))].end
    plan = Plan(game.name, ("mobile", "random"), 20)
    assert not play_block(plan, game, [player, sw.agent("random", game)], 0, 20).faults


# Faults


@dataclass
class Faulty:
    """What `choose_many` of a faulty agent does."""

    action: int = -1
    forfeits: bool = False
    answer: Any = None


class Bad(Agent):
    """Plays a wrong action on every board, gives up, or answers nonsense."""

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> Any:
        """What the settings say."""
        if self.settings.forfeits:
            raise Forfeit("gave up")
        return np.full(len(batch), self.settings.action) if self.settings.answer is None else self.settings.answer


@pytest.mark.parametrize("action", [-1, 4, 10**9])
def test_an_illegal_action_forfeits_its_game_alone(action: int) -> None:
    plan = Plan(NIM.name, ("bad", "random"), 6)
    block = play_block(plan, NIM, [Bad(NIM, Faulty(action)), sw.agent("random", NIM)], 0, 6)
    assert set(block.faults) == set(range(6))
    assert all(f'played "{action}". Action {action} is not legal' in reason for _, reason in block.faults.values())
    seats = plan.seats(NIM, 0, 6)
    assert np.array_equal(block.scores, np.where(seats == 0, -1.0, 1.0))


def test_an_agent_that_gives_up_loses_all_games_in_which_it_is_to_act() -> None:
    agents = [Bad(NIM, Faulty(forfeits=True)), sw.agent("random", NIM)]
    block = play_block(Plan(NIM.name, ("bad", "random"), 6), NIM, agents, 0, 6)
    assert {reason for _, reason in block.faults.values()} == {"gave up"}
    assert len(block.faults) == 6


@pytest.mark.parametrize("answer", [np.zeros(3), np.zeros((2, 2), np.int64), ["a"], 7, None])
def test_an_answer_that_is_no_action_for_each_board_is_a_mistake(answer: Any) -> None:
    agent = Bad(NIM, Faulty(answer=[] if answer is None else answer))
    agent.name = "bad"
    with pytest.raises(BadInput, match=r"^bad: choose_many must return 1 whole numbers, not "):
        agent.choose(NIM.start())


def test_an_agent_without_a_choice_says_what_it_lacks() -> None:
    class Nothing(Agent):
        pass

    with pytest.raises(NotImplementedError, match="Nothing defines neither choose nor choose_many"):
        Nothing(NIM, None).choose(NIM.start())


# Matches


def test_a_match_of_such_agents_is_played_here_on_many_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_beside", None)  # there must be no other processes
    monkeypatch.setattr(workers, "ALONE_SECONDS", 0.0)
    player = Player(Plan(NIM.name, ("many", "random"), 3000), make, keep=False)
    found = list(blocks(player, [range(3000)], processes=4))
    numbers = [block.first + i for block in found for i in range(len(block.scores))]
    assert numbers == list(range(3000))
    assert len(found) < 100
    (agent, _) = player.agents
    assert isinstance(agent, Many)
    assert max(agent.asked) > 500


@GAMES
def test_games_begin_where_others_have_ended_and_none_changes(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling, "EVERY", 0.0)  # all that has ended is handed over at once
    plan = Plan(game.name, ("many", "single"), 60, opening=1)
    whole = play_block(plan, game, [make(name, game) for name in plan.agents], 0, 60, keep=True)
    agents = [make(name, game) for name in plan.agents]
    found = list(play_rolling(plan, game, agents, Portions([range(5, 20), range(21, 60)], 7, 1e9, 7), keep=True))
    assert len(found) > 4
    numbers = [block.first + i for block in found for i in range(len(block.scores))]
    assert numbers == [*range(5, 20), *range(21, 60)]  # none before another that began sooner
    for block in found:
        games = slice(block.first, block.first + len(block.scores))
        assert np.array_equal(block.scores, whole.scores[games])
        assert block.traces == whole.traces[games]
    (agent, _) = agents
    assert isinstance(agent, Many)
    assert max(agent.asked) <= 7


class Slow(Many):
    """Takes its time."""

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """One of the actions of each board, after a while."""
        time.sleep(0.002 * len(batch))
        return super().choose_many(batch, rngs)


def test_where_games_are_slow_fewer_are_under_way() -> None:
    plan, agents = Plan(DICE.name, ("slow", "random"), 2000), [Slow(DICE, None), sw.agent("random", DICE)]
    portions = Portions([range(60)], 1000, 0.02, 16)  # worth of a game or two
    assert sum(len(block.scores) for block in play_rolling(plan, DICE, agents, portions, keep=False)) == 60
    assert portions.size <= 8
    quick = Portions([range(2000)], 1000, 60.0, 16)
    agents = [make("many", DICE), sw.agent("random", DICE)]
    assert sum(len(block.scores) for block in play_rolling(plan, DICE, agents, quick, keep=False)) == 2000
    assert quick.size == 1000


def test_forfeits_are_told_of_the_right_game() -> None:
    """Who forfeits on a board that has had other games before."""

    class Sometimes(Many):
        def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
            chosen = super().choose_many(batch, rngs)
            return np.where(rngs[:, 0] % 5 == 0, 999, chosen)

    plan = Plan(NIM.name, ("sometimes", "random"), 50)
    agents = [Sometimes(NIM, None), sw.agent("random", NIM)]
    whole = play_block(plan, NIM, agents, 0, 50)
    found = list(play_rolling(plan, NIM, agents, Portions([range(50)], 6, 1e9, 6), keep=False))
    faults = {number: fault for block in found for number, fault in block.faults.items()}
    assert whole.faults == faults
    assert 0 < len(faults) < 50


def test_blocks_change_nothing(home: Any) -> None:
    plan = Plan(DICE.name, ("many", "mcts:iterations=5"), 100)
    whole = play_block(plan, DICE, [make(name, DICE) for name in plan.agents], 0, 100)
    match = play_match(plan, make)
    assert match.summary.games == 100
    assert match.summary.score == pytest.approx(
        float(np.where(plan.seats(DICE, 0, 100) == 0, whole.scores, 0.0).sum(axis=1).mean())
    )

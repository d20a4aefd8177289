"""Reviewing: what is said of a turn does not depend on how little a search has looked at it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.records.record import Line, Record
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.reviewer import review_of
from spielwerk.games.position import Position
from spielwerk.kernel.random import below, stream
from spielwerk.search.stop import Stop


class Narrow(Agent):
    """Knows the truth of the move that it likes best, and has visited all others once: of them it says the contrary."""

    name = "narrow"

    def choose(self, position: Position, rng: np.ndarray | None = None) -> int:
        """Any action."""
        return position.actions()[0]

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """As a tree search says it."""
        truth = sw.agent("oracle", self.game).analyse(position)
        best, *others = truth.moves
        noise = tuple(replace(move, value=-(move.value or 0), visits=1) for move in others)
        return replace(truth, moves=(replace(best, visits=100), *noise))


def random_game(name: str, seed: int) -> Record:
    rng, position, lines = stream(seed, "review"), sw.game(name).start(), []
    while not position.over:
        roll = None
        if position.chance:
            roll = position.rolls()[below(rng, len(position.rolls()))]
            position = position.roll(roll)
        turn = position.turns()[below(rng, len(position.turns()))]
        lines.append(Line(position.mover, roll, turn.text))
        position = turn.end
    return Record(name, ("a", "b"), tuple(lines), position.scores)


@pytest.mark.parametrize("name", ["nim", "einstein:board=3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_move_that_a_search_hardly_visited_costs_what_a_search_of_its_own_says(name: str, seed: int) -> None:
    game, record = sw.game(name), random_game(name, seed)
    said = review_of(record, Judge(None, Narrow(game, None)))
    truth = review_of(record, Judge(None, sw.agent("oracle", game)))
    assert any(turn.regret for turn in truth.turns)
    for ours, true in zip(said.turns, truth.turns, strict=True):
        assert (ours.value, ours.regret) == (pytest.approx(true.value), pytest.approx(true.regret))
        assert ours.verdict == true.verdict


def test_the_same_position_is_searched_once() -> None:
    game, asked = sw.game("nim"), []

    class Counting(Narrow):
        """Notes what it is asked."""

        def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
            """As the other one."""
            asked.append(position)
            return super().analyse(position, rng, stop)

    review_of(random_game("nim", 1), Judge(None, Counting(game, None)))
    assert len(asked) == len(set(asked))


def test_where_three_sides_play_a_little_seen_move_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the next player expects says nothing of who played it."""
    game = sw.game("nim")
    monkeypatch.setattr(type(game), "sides", 3)
    here = game.start()
    likes, *others = Narrow(game, None).analyse(here).moves
    judge = Judge(None, Narrow(game, None))
    said = judge.valuation(here, here.play(others[0].move))
    assert said.best[0] == likes.move
    assert said.best[1].value == likes.value
    assert said.of(others[0].move) is None

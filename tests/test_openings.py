"""Random openings: matches that begin with random turns, the same for both sides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import spielwerk as sw
from spielwerk.agents.registry import agent
from spielwerk.arena.matches.ladder import ladder
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.block import MOST, play_block
from spielwerk.arena.playing.boards import Boards
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.retrace import check, positions, records
from spielwerk.arena.records.store import Store
from spielwerk.games.rules import OVER
from spielwerk.names import BadInput

GAMES = ["nim", "einstein:board=3", "einstein:board=4,players=4", "backgammon:checkers=3", "morris:rules=six"]
TURNS = 4


@pytest.mark.parametrize("name", GAMES)
def test_games_of_a_group_begin_alike_and_keep_the_rules(name: str) -> None:
    game = sw.game(name)
    plan = Plan(game.name, ("random", "random"), 24, 3, opening=TURNS)
    agents, places = [agent("random", game)] * 2, len(plan.layouts(game))
    block = play_block(plan, game, agents, 0, 24, keep=True)
    kept = list(records(plan, game, block).values())
    begun = [[turn for turn, _ in list(positions(record))[:TURNS]] for record in kept]
    for first in range(0, 24, places):
        assert all(one == begun[first] for one in begun[first : first + places])
    assert len({str(one) for one in begun}) > 24 // places // 2
    for record in kept:
        check(record)
    assert (play_block(plan, game, agents, 0, 24).scores == block.scores).all()
    assert (play_block(plan, game, agents, 10, 5).scores == block.scores[10:15]).all()


@pytest.mark.parametrize("name", GAMES)
def test_an_opening_never_ends_the_game_and_has_no_more_turns_than_asked_for(name: str) -> None:
    game = sw.game(name)
    plan = Plan(game.name, ("random", "random"), 40, 1, opening=TURNS)
    for turns in (1, TURNS, 60):
        boards = Boards(game, plan.seats(game, 0, 40), plan.dice(game, 0, 40), plan.rngs(0, 40), MOST)
        boards.open_up(turns, plan.openings(game, 0, 40))
        assert all(boards.position(i).mover != OVER for i in range(40))
        if turns == 1:
            assert all(len(trace) >= 1 for trace in boards.traces())
            movers = {boards.position(i).mover for i in range(40) if not boards.position(i).chance}
            assert movers <= {1}


def test_agents_that_draw_nothing_play_different_games_from_different_openings() -> None:
    plan = Plan("nim", ("alphabeta:depth=1", "alphabeta:depth=2"), 30)
    assert play_match(plan, agent).summary.games == 2
    opened = play_match(Plan("nim", plan.agents, 30, opening=2), agent)
    assert (opened.summary.games, opened.repeats) == (30, False)


def test_an_opening_that_is_too_long_is_refused() -> None:
    for turns in (-1, 1001):
        with pytest.raises(BadInput, match="opening"):
            Plan("nim", ("random", "random"), 2, opening=turns)


@pytest.mark.parametrize(("name", "most"), [("nim", 7), ("einstein:board=3", 7), ("backgammon:checkers=3", 1000)])
def test_an_opening_must_be_less_than_half_of_the_longest_game(name: str, most: int) -> None:
    game = sw.game(name)  # nim has 16 actions at most, einstein on 3×3 has 15, backgammon has no bound
    for turns in (0, most):
        Plan(game.name, ("random", "random"), 2, opening=turns).check_opening(game)
    if game.constants["LONGEST"]:
        with pytest.raises(BadInput, match=f"shorter than half of a game, and {name} has at most"):
            Plan(game.name, ("random", "random"), 2, opening=most + 1).check_opening(game)


def test_the_ladder_tells_matches_after_openings_from_others(tmp_path: Path) -> None:
    plan = Plan("nim", ("alphabeta:depth=1", "random"), 4)
    with Store(tmp_path / "arena.db") as store:
        for opening in (0, 3, 3):
            play_match(replace(plan, opening=opening), agent, store=store)
        assert ladder(store, sw.game("nim"))[0].rating.games == 8

"""Othello: another engine's games, the solved 4×4 board, passes, text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.perft import perft
from spielwerk.games.position import Position
from spielwerk.names import BadInput

START = "......../......../......../...OX.../...XO.../......../......../........ X"
SHORTEST = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")  # no white disc is left
FULL = "XXXX/XXXX/OOOO/OOOO"
MUST_PASS = ".XXX/OXXX/OXXX/XXXX"  # only black encloses something from a1, the one empty cell
GAMES = "openspiel/othello_seed1_n200.jsonl.gz"
Records = Callable[[str], Iterator[Any]]


def discs(position: Position) -> list[int]:
    """The board as the records write it: 0 empty, 1 black, 2 white."""
    black, white = position.words[1:3]
    return [(black >> cell & 1) + 2 * (white >> cell & 1) for cell in range(64)]


@cache
def value(position: Position) -> float:
    """What the mover gets with best play of both; the mover changes with every action, also with a pass."""
    ends = [position.play(action) for action in position.actions()]
    return max(end.scores[position.mover] if end.scores else -value(end) for end in ends)


def test_another_engine_has_the_same_legal_moves_at_every_turn_and_the_same_results(records: Records) -> None:
    for game in records(GAMES):
        position = sw.game("othello").start()
        for turn in game["plies"]:
            legal = sorted(move.get("to", 64) for move in turn["legal"])
            assert (position.mover, discs(position), position.actions()) == (turn["player"], turn["board"], legal)
            position = position.play(turn["move"].get("to", 64))
        assert position.scores == tuple(game["returns"])


def test_the_recorded_positions_read_back_as_they_were_written(records: Records) -> None:
    for game in islice(records(GAMES), 30):
        position = sw.game("othello").start()
        for turn in game["plies"]:
            position = position.play(turn["move"].get("to", 64))
            assert sw.game("othello").parse(str(position)) == position


def test_white_wins_the_4x4_board_by_eight_discs() -> None:
    assert value(sw.game("othello:size=4,scoring=discs").start()) == -8 / 16
    assert value(sw.game("othello:size=4").start()) == -1


@pytest.mark.parametrize("size", [4, 6, 8])
def test_black_begins_with_four_moves_that_are_one_under_symmetry(size: int) -> None:
    start = sw.game("othello", size=size).start()
    turned = sw.game("othello", size=size).rule("turned")
    assert start.mover == 0
    assert start.actions() == sorted({turned(k, start.actions()[0]) for k in range(8) if start.turned(k) == start})


@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_turned_position_has_the_turned_moves_and_as_many_games(size: int) -> None:
    game = sw.game("othello", size=size)
    position = game.start().play(game.start().actions()[0])
    for k in range(8):
        image = position.turned(k)
        assert image.actions() == sorted(game.rule("turned")(k, action) for action in position.actions())
        assert game.parse(str(image)) == image
        assert list(perft(image, 4)) == list(perft(position, 4))


def test_all_eight_symmetries_differ() -> None:
    position = sw.game("othello").start().play("d3").play("c3")
    assert len({position.turned(k) for k in range(8)}) == 8


def test_the_shortest_game_ends_without_a_white_disc() -> None:
    for scoring, score in (("win", 1.0), ("discs", 13 / 64)):
        position = sw.game("othello", scoring=scoring).start()
        for move in SHORTEST:
            position = position.play(move)
        assert position.over
        assert position.scores == (score, -score)
        assert position.facts()["discs"] == [13, 0]
        assert str(position).endswith(" -")


def test_equal_numbers_of_discs_are_a_draw() -> None:
    for scoring in ("win", "discs"):
        assert sw.game("othello:size=4", scoring=scoring).parse(f"{FULL} -").scores == (0.0, 0.0)


def test_a_player_passes_only_where_nothing_else_is_legal() -> None:
    position = sw.game("othello:size=4").parse(f"{MUST_PASS} O")
    assert position.moves() == ["pass"]
    after = position.play("pass")
    assert after == sw.game("othello:size=4").parse(f"{MUST_PASS} X")
    assert after.moves() == ["a1"]
    with pytest.raises(BadInput, match=r"\"pass\" is not legal here\. Legal moves: a1\."):
        after.play("pass")
    end = after.play("a1")
    assert end.over
    assert str(end) == "XXXX/XXXX/XXXX/XXXX -"


@pytest.mark.parametrize("text", ["d3", "D3", " d 3 "])
def test_moves_are_read_in_capitals_and_with_spaces(text: str) -> None:
    assert sw.game("othello").start().play(text) == sw.game("othello").start().play(19)


@pytest.mark.parametrize("mover", "XO-")
def test_an_ended_position_reads_the_same_whoever_is_named(mover: str) -> None:
    position = sw.game("othello:size=4").parse(f"{FULL} {mover}")
    assert position.over
    assert str(position) == f"{FULL} -"


def test_the_observation_shows_own_discs_the_others_and_placements_from_each_side() -> None:
    start = sw.game("othello").start()
    own, other, placements = start.observe(0)
    assert np.argwhere(own).tolist() == [[3, 4], [4, 3]]
    assert np.argwhere(other).tolist() == [[3, 3], [4, 4]]
    assert np.argwhere(placements == 1).tolist() == [[2, 3], [3, 2], [4, 5], [5, 4]]
    assert np.array_equal(start.observe(1), [other, own, -placements])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a position"),
        ("hello", "is not a position"),
        (START[:-2], "is not a position"),
        (START.lower(), "is not a position"),
        (START.replace("........", ".......", 1), "is not a position"),
        (START + " X", "is not a position"),
        ("..../.OX./.XO./.... X", "is not a position of othello; write rows and mover"),
        (START.replace("OX", ".X"), "empty cell in the centre"),
        (START.replace("OX", "XX"), "four discs, but is not the start"),
        (START[:-1] + "O", "four discs, but is not the start"),
        (START[:-1] + "-", "is not over"),
        ("X" + START[1:], "The disc on a1 cannot have enclosed another"),
        (START.replace("...OX...", "..XOX..X"), "The disc on h4 cannot have enclosed another"),
    ],
)
def test_impossible_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        sw.game("othello").parse(text)


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(BadInput, match=r"size cannot be \"5\"; possible: 4, 6, 8"):
        sw.game("othello:size=5")

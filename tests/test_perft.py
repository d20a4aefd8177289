"""Perft: the numbers of ways that are known from elsewhere, counted in whole turns."""

from __future__ import annotations

import pytest

import spielwerk as sw
from marks import slow
from spielwerk.games.perft import perft

ROW_MAJOR = "X1X2X3../X4X5.../X6...O1/...O2O3/..O4O5O6 X -"  # the set-up of the engine that counted
KNOWN = [
    ("morris", None, [24, 552, 12144, 255024, 5140800]),
    ("einstein", ROW_MAJOR, [18, 324, 6162, 117369, 2328378]),
    ("othello", None, [4, 12, 56, 244, 1396, 8200, 55092, 390216]),
]
PLAIN_DEPTH = {"morris": 2, "einstein": 2, "othello": 4}


@pytest.mark.parametrize("left", [1, *slow(0)])  # the last depth takes ten times as long as all others
@pytest.mark.parametrize(("name", "text", "counts"), KNOWN)
def test_a_game_can_go_in_as_many_ways_as_is_known(name: str, text: str | None, counts: list[int], left: int) -> None:
    game, depth = sw.game(name), len(counts) - left
    assert list(perft(game.parse(text) if text else game.start(), depth)) == counts[:depth]


@pytest.mark.parametrize(("name", "text", "counts"), KNOWN)
def test_the_uncompiled_rules_count_the_same(name: str, text: str | None, counts: list[int]) -> None:
    game, depth = sw.game(name, target="python"), PLAIN_DEPTH[name]
    assert list(perft(game.parse(text) if text else game.start(), depth)) == counts[:depth]


def test_backgammon_counts_a_roll_and_a_whole_turn() -> None:
    # The sum over the 15 rolls that can open of the known numbers of plays, 21 15, 31 16, … 65 7.
    opening = 15 + 16 + 17 + 14 + 18 + 17 + 8 + 8 + 9 + 9 + 10 + 14 + 14 + 14 + 7
    assert list(perft(sw.game("backgammon").start(), 1)) == [opening]


def test_no_way_goes_on_after_the_end() -> None:
    # Two matches: both at once, or one and one; nothing after that.
    assert list(perft(sw.game("nim:stacks=2").start(), 3)) == [2, 1, 0]

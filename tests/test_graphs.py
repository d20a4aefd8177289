"""The boards as graphs: what the rule books say of points, steps and mills."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.graphs import Graph
from variants import random_positions


def graph(name: str) -> Graph:
    found = sw.game(name, target="python").graph
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "points", "edges", "mills"),
    [
        ("morris", 24, {"ring": 24, "spoke": 8}, 16),
        ("morris:rules=morabaraba", 24, {"ring": 24, "spoke": 16}, 20),
        ("morris:rules=six", 16, {"ring": 16, "spoke": 4}, 8),
        ("othello", 64, {"side": 112, "diagonal": 98}, 0),
        ("einstein:board=3", 9, {"side": 12, "diagonal": 8}, 0),
        ("backgammon", 24, {"next": 23}, 0),
    ],
)
def test_boards_have_their_points_edges_and_mills(name: str, points: int, edges: dict[str, int], mills: int) -> None:
    found = graph(name)
    assert len(set(found.points)) == points
    assert {kind: len(set(pairs)) for kind, pairs in found.edges.items()} == edges
    assert len(found.lines.get("mill", ())) == mills
    assert all(0 <= a < b < points for pairs in found.edges.values() for a, b in pairs)


def test_morris_slides_along_its_edges_and_closes_mills_on_its_lines() -> None:
    game, found = sw.game("morris", target="python"), graph("morris")
    pairs = {pair for pairs in found.edges.values() for pair in pairs}
    around = game.constants["NEIGHBOURS"].tolist()
    assert pairs == {(a, b) for a in range(24) for b in range(a + 1, 24) if around[a] >> b & 1}
    named = {tuple(found.points[point] for point in mill) for mill in found.lines["mill"]}
    assert {("a7", "d7", "g7"), ("a7", "a4", "a1"), ("d7", "d6", "d5")} <= named


def test_the_first_cell_is_where_players_see_it() -> None:
    assert graph("othello").points[0] == "a1"
    assert graph("einstein:board=3").points[0] == "a3"
    assert sw.game("nim", target="python").graph is None


@pytest.mark.parametrize(
    "name", ["morris", "morris:rules=lasker", "morris:rules=morabaraba", "morris:rules=six", "othello:size=4"]
)
def test_an_action_concerns_the_points_that_it_changes(name: str) -> None:
    game, found = sw.game(name), graph(name)
    points = len(found.points)
    assert len(found.actions) == game.constants["ACTIONS"]
    for before in (position for seed in range(3) for position in random_positions(game, seed)):
        for action in before.actions():
            words = np.array([before.state[1:3], before.play(action).state[1:3]])  # the men of both players
            men = words[:, :, None] >> np.arange(points) & 1
            changed = set(np.flatnonzero((men.sum(1)[0] != men.sum(1)[1]).ravel()).tolist())
            assert changed == {point for point in found.actions[action] if point >= 0}


def test_a_slide_goes_from_its_source_to_its_target() -> None:
    found = graph("morris")
    names = [tuple(found.points[point] if point >= 0 else "" for point in pair) for pair in found.actions]
    assert names[1] == ("a7", "d7")
    assert names[24] == ("d7", "a7")
    assert names[24 * 24 : 24 * 24 + 2] == [("", "a7"), ("", "d7")]
    assert graph("backgammon").actions == graph("einstein").actions == ()

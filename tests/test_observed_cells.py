"""The cells of a game that does not say what n-tuples see: levels of what it observes."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import spielwerk as sw
from graph_game import ruin
from spielwerk.games.cells import Layout, codings, layout
from spielwerk.games.cells.observed import MOST_LEVELS
from spielwerk.games.game import Game


def silent(name: str, target: str = "python") -> Game:
    """A game that does not name its layout."""
    game = copy.copy(sw.game(name, target=target))
    game.layout = ""
    return game


def view(game: Game, looks: Layout, state: np.ndarray, player: int = 0) -> dict[str, int]:
    out = np.full(len(looks.values), 99, np.int64)
    game.kernel(looks.cells, **looks.bindings)(state, player, out)
    assert all(0 <= cell < values for cell, values in zip(out.tolist(), looks.values, strict=True))
    return dict(zip(looks.names, out.tolist(), strict=True))


def test_few_numbers_are_levels_of_their_own_in_their_order() -> None:
    game = silent("nim:stacks=3-4")
    looks = layout(game)
    assert codings(game) == ("observed",)
    for first, second in ((0, 1), (2, 3), (3, 4)):
        seen = view(game, looks, np.array([0, first, second]))
        assert (seen["x1"], seen["x2"], seen["x3"]) == (first, second, 1)
    assert looks.tuples["all"] == (tuple(looks.names.index(name) for name in ("x1", "x2", "x3")),)


def test_many_numbers_share_levels_and_what_was_not_seen_goes_to_the_nearest() -> None:
    game = silent("nim:stacks=64")
    looks = layout(game)
    levels = [view(game, looks, np.array([0, matches]))["x1"] for matches in range(65)]
    assert levels == sorted(levels)
    assert 2 < len(set(levels)) <= MOST_LEVELS
    assert view(game, looks, np.array([0, 640]))["x1"] == levels[-1]


def test_it_is_the_same_every_time_and_for_both_targets() -> None:
    first, again = layout(silent("nim:stacks=3-4")), layout(silent("nim:stacks=3-4", "cpu"))
    assert (first.values, first.names, first.tuples) == (again.values, again.names, again.tuples)
    for name, value in first.bindings.items():
        assert np.array_equal(value, again.bindings[name])


def test_all_cells_hang_together_for_random_walks() -> None:
    looks = layout(silent("othello:size=4"))
    board = {cell for cell, around in enumerate(looks.neighbours) if around}
    assert board == {cell for cell, values in enumerate(looks.values) if values > 1}
    assert all(cell in looks.neighbours[other] for cell in board for other in looks.neighbours[cell])
    reached, new = set[int](), {min(board)}
    while new:
        reached |= new
        new = {other for cell in new for other in looks.neighbours[cell]} - reached
    assert reached == board


def test_a_game_that_shows_nothing_is_refused() -> None:
    with pytest.raises(sw.BadInput, match="ruin has nothing for n-tuples to look at: its observation never changes"):
        layout(ruin(3))

"""The n-tuples of a network: named sets, random ones, and those that people write."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.cells import Cells, Layout, layout
from spielwerk.learn.td.tuples import chosen
from spielwerk.names import BadInput


@pytest.fixture(scope="module")
def ewn() -> Layout:
    return layout(sw.game("einstein", target="python"))


def pick(looks: Layout, tuples: str, count: int = 25, length: int = 4, seed: int = 0) -> tuple[Cells, ...]:
    return chosen(looks, tuples, count, length, np.random.default_rng(seed))


def test_a_name_gives_the_set_and_no_name_the_usual_one(ewn: Layout) -> None:
    assert pick(ewn, "published") == ewn.tuples["published"]
    assert pick(ewn, "") == next(iter(ewn.tuples.values()))


def test_a_list_of_cells_may_be_separated_by_spaces_or_semicolons(ewn: Layout) -> None:
    # Rows are numbered from the bottom, cells row by row from the top: a5 is 0, e1 is 24.
    assert pick(ewn, "a5-b5-a4 e1-own_stones") == ((0, 1, 5), (24, 25))
    assert pick(ewn, "a5-b5-a4; e1-own_stones ;") == ((0, 1, 5), (24, 25))
    assert pick(ewn, "c3") == ((12,),)


def test_walks_go_from_neighbour_to_neighbour_and_never_back(ewn: Layout) -> None:
    walks = pick(ewn, "walk", 60, 6)
    assert len({frozenset(cells) for cells in walks}) == 60
    for cells in walks:
        assert len(set(cells)) == len(cells) == 6
        places = [divmod(cell, 5) for cell in cells]
        for (row, column), (next_row, next_column) in pairwise(places):
            assert max(abs(row - next_row), abs(column - next_column)) == 1


def test_points_are_cells_of_the_board_from_everywhere(ewn: Layout) -> None:
    points = pick(ewn, "points", 100, 4)
    assert {cell for cells in points for cell in cells} == set(range(25))
    assert all(len(set(cells)) == len(cells) == 4 for cells in points)
    assert not all(
        any(other in ewn.neighbours[cell] for other in cells) for cells in points for cell in cells
    )  # unlike walks


@pytest.mark.parametrize("tuples", ["walk", "points"])
def test_the_same_seed_draws_the_same_tuples(ewn: Layout, tuples: str) -> None:
    assert pick(ewn, tuples, seed=3) == pick(ewn, tuples, seed=3)
    assert pick(ewn, tuples, seed=3) != pick(ewn, tuples, seed=4)


def test_a_walk_that_is_stuck_starts_again() -> None:
    line = layout(sw.game("backgammon", target="python"))  # 24 points in a row: most walks of 20 end too soon
    for cells in pick(line, "walk", 5, 20):
        assert [abs(a - b) for a, b in pairwise(cells)] == [1] * 19


@pytest.mark.parametrize(
    ("tuples", "count", "length", "message"),
    [
        ("publishd", 1, 1, 'td has no tuples "publishd". Did you mean "published"?'),
        ("squares walk", 1, 1, 'there is no cell "squares"'),
        ("a5-a6", 1, 1, 'tuples: "a5-a6" leaves the board; there is no cell "a6".'),
        ("a5--a4", 1, 1, 'tuples: a cell is missing after a hyphen in "a5--a4".'),
        ("b5 a5-", 1, 1, 'tuples: a cell is missing after a hyphen in "a5-".'),
        ("-a5", 1, 1, 'tuples: a cell is missing before a hyphen in "-a5".'),
        (";", 1, 1, 'there is no cell ""'),
        ("a5-b5-a5", 1, 1, 'tuples: "a5-b5-a5" has the cell a5 twice.'),
        ("walk", 3, 26, "tuples: 26 cells are more than the 25 of the board."),
        ("points", 26, 1, "tuples: points found only 25 of 26 different tuples of 1 cells"),
        ("walk", 2, 25, "tuples: walk found only 1 of 2 different tuples of 25 cells; take fewer or shorter ones."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(ewn: Layout, tuples: str, count: int, length: int, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        pick(ewn, tuples, count, length)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_walk_that_can_never_be_long_enough_is_refused() -> None:
    looks = layout(sw.game("nim:stacks=3-4", target="python"))
    with pytest.raises(BadInput, match="tuples: 3 cells are more than the 2 of the board"):
        pick(looks, "walk", 1, 3)

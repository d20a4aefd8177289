"""What n-tuple networks see of each game: laws that all layouts keep, and what single cells say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import prod

import numpy as np
import pytest

import spielwerk as sw
from marks import slow
from spielwerk.games.cells import Layout, codings, layout
from spielwerk.games.game import Game
from spielwerk.games.laws import Laws, random_walk
from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.names import BadInput
from variants import DEFAULTS, VARIANTS

LOOKED_AT = 12  # ends of turns of a random game


def plain(name: str) -> Game:
    """Guarded Python: an index outside an array is an error, and nothing is compiled."""
    return sw.game(name, target="python")


def view(game: Game, state: np.ndarray, player: int, coding: str = "") -> np.ndarray:
    """The cells that a player sees."""
    looks = layout(game, coding)
    out = np.full(len(looks.values), -77, np.int64)
    game.kernel(looks.cells, **looks.bindings)(state, player, out)
    return out


def named(game: Game, state: np.ndarray, player: int) -> dict[str, int]:
    """The cells that a player sees, by name."""
    return dict(zip(layout(game).names, view(game, state, player).tolist(), strict=True))


def actor(game: Game, state: np.ndarray) -> int:
    """Who acts next, after a roll or without."""
    who = game.rule("mover")(state)
    return game.rule("roller")(state) if who == CHANCE else who


def ends_of_turns(game: Game, seed: int) -> list[tuple[np.ndarray, int]]:
    """Some positions of a random game in which a player has just ended a turn, and that player; also the last one."""
    ends = []
    for before, after in pairwise(random_walk(game, seed)):
        who = game.rule("mover")(before)
        if who != CHANCE and actor(game, after) != who:
            ends.append((after, who))
    return ends[:: max(1, len(ends) // LOOKED_AT)] + ends[-1:]


def every_coding(name: str) -> Iterator[tuple[Game, Layout]]:
    game = plain(name)
    for coding in codings(game):
        yield game, layout(game, coding)


@pytest.mark.parametrize("name", DEFAULTS + VARIANTS)
def test_every_cell_is_written_and_within_its_values(name: str) -> None:
    for game, looks in every_coding(name):
        for state, _ in ends_of_turns(game, 1):
            for player in range(game.players):
                seen = view(game, state, player, looks.coding)
                assert (seen >= 0).all()
                assert (seen < looks.values).all()


@pytest.mark.parametrize("name", [*DEFAULTS, *slow(*VARIANTS)])
def test_a_turned_board_looks_the_same_up_to_a_symmetry_of_the_layout(name: str) -> None:
    for game, looks in every_coding(name):
        laws = Laws(game)
        ends = [end for seed in (2, 3) for end in ends_of_turns(game, seed)]
        for k in range(game.constants["SYMMETRIES"]):
            fitting = set(range(len(looks.symmetries)))
            for state, player in ends:
                seat = game.rule("seat")(k, player)
                assert looks.sets[seat] == looks.sets[player]
                seen = view(game, state, player, looks.coding)
                turned = view(game, laws.turned(k, state), seat, looks.coding)
                fitting = {one for one in fitting if (turned == seen[looks.symmetries[one]]).all()}
            assert fitting, f"no symmetry of the layout does what symmetry {k} of the game does"


@pytest.mark.parametrize("name", DEFAULTS + VARIANTS)
def test_layouts_are_well_formed(name: str) -> None:
    for game, looks in every_coding(name):
        cells = range(len(looks.values))
        assert len(looks.names) == len(set(looks.names)) == len(looks.neighbours) == len(cells)
        assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in looks.names)
        assert all(cell in looks.neighbours[other] for cell in cells for other in looks.neighbours[cell])
        assert looks.symmetries[0].tolist() == list(cells)
        turnings = {tuple(row) for row in looks.symmetries.tolist()}
        assert len(turnings) == len(looks.symmetries)
        for row in looks.symmetries:
            assert sorted(row) == list(cells)
            assert tuple(np.argsort(row).tolist()) in turnings
            assert [looks.values[cell] for cell in row] == list(looks.values)
        assert len(looks.sets) == game.players


@pytest.mark.parametrize("name", DEFAULTS + VARIANTS)
def test_named_tuples_are_different_and_lie_on_the_board(name: str) -> None:
    for _, looks in every_coding(name):
        board = {cell for cell, around in enumerate(looks.neighbours) if around}
        usual = next(iter(looks.tuples.values()))
        assert board <= {cell for cells in usual for cell in cells}
        for tuples in looks.tuples.values():
            assert len({frozenset(cells) for cells in tuples}) == len(tuples) > 0
            for cells in tuples:
                assert len(set(cells)) == len(cells) > 0
                assert set(cells) <= set(range(len(looks.values)))


def swapped(game: Game, state: np.ndarray) -> np.ndarray:
    """The same situation with the two players' parts exchanged."""
    words = state.tolist()
    if game.kind == "nim":
        return np.array([1 - words[0], *words[1:]])
    if game.kind == "othello":
        return np.array([words[0] if words[0] == OVER else 1 - words[0], words[2], words[1], words[3]])
    if game.kind == "morris":
        return np.array([words[0] ^ 1, words[2], words[1], words[4], words[3], *words[5:]])
    if game.kind == "backgammon":
        return np.array([1 - words[0], *words[1:4], *words[8:12], *words[4:8]])
    last, gone = game.constants["SIZE"] ** 2 - 1, 63
    stones = [[word >> 6 * stone & 63 for stone in range(game.constants["STONES"])] for word in words[3:1:-1]]
    turned = [sum((last - c if c != gone else gone) << 6 * i for i, c in enumerate(side)) for side in stones]
    return np.array([1 - words[0] if words[0] >= 0 else -3 - words[0], words[1], *turned])


@pytest.mark.parametrize("name", [name for name in DEFAULTS + VARIANTS if "players" not in name])
def test_two_players_see_the_same_where_their_parts_are_exchanged(name: str) -> None:
    game = plain(name)
    laws = Laws(game)
    assert layout(game).sets == (0, 0)
    for state, player in ends_of_turns(game, 4):
        other = swapped(game, state)
        if game.rule("mover")(state) >= 0:
            assert game.rule("mover")(other) == player
            assert laws.moves(state) == laws.moves(other)
        elif game.rule("mover")(state) == OVER:
            assert laws.scores(state) == laws.scores(other)[::-1]
        assert (view(game, state, player) == view(game, other, 1 - player)).all()


@pytest.mark.parametrize("name", [*DEFAULTS, "einstein:board=4,players=4"])
def test_compiled_cells_are_those_of_plain_python(name: str) -> None:
    for state, player in ends_of_turns(plain(name), 5):
        assert (view(sw.game(name), state, player) == view(plain(name), state, player)).all()


def words(game: Game, text: str) -> np.ndarray:
    return np.array(game.parse(text).words)


def test_einstein_is_seen_from_the_own_corner_stone_by_stone() -> None:
    game = plain("einstein:board=4")
    state = words(game, "X1.../X2.../..X3O2/...O1 O -")  # X3 has taken O3
    seen = [view(game, state, player)[:18].tolist() for player in range(2)]
    assert seen[0] == [*(1, 0, 0, 0), *(2, 0, 0, 0), *(0, 0, 3, 5), *(0, 0, 0, 4), 0b111, 0b011]
    assert seen[1] == [*(1, 0, 0, 0), *(2, 6, 0, 0), *(0, 0, 0, 5), *(0, 0, 0, 4), 0b011, 0b111]


def test_four_players_of_einstein_count_owners_round_from_themselves() -> None:
    game = plain("einstein:board=4,players=4")
    state = np.array(game.start().words)  # X1X2#3#1 / X3..#2 / *2..O3 / *1*3O2O1
    first = view(game, state, 0)[:16].reshape(4, 4)
    assert first.tolist() == [[1, 2, 12, 10], [3, 0, 0, 11], [8, 0, 0, 6], [7, 9, 5, 4]]
    third = view(game, state, 2)[:16].reshape(4, 4)  # upside down: *1 is in the corner, X1 below it
    assert third.tolist() == [[1, 3, 11, 10], [2, 0, 0, 12], [9, 0, 0, 5], [7, 8, 6, 4]]


def test_the_codings_of_einstein_tell_stones_groups_or_owners_apart() -> None:
    game = plain("einstein")
    state = np.array(game.start().words)
    rows = {  # how many values a cell has, and the first three rows
        "stones": (13, (1, 3, 6, 0, 0, 2, 5, 0, 0, 0, 4, 0, 0, 0, 10)),
        "groups": (7, (1, 2, 3, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 5)),
        "owner": (3, (1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 2)),
    }
    assert codings(game) == tuple(rows)
    for coding, (values, row) in rows.items():
        assert view(game, state, 0, coding)[:15].tolist() == list(row)
        assert layout(game, coding).values[:25] == (values,) * 25


@pytest.mark.parametrize(
    ("name", "coding", "values", "weights"),
    [  # table 2 of the study; its 4×4 has room for six stones
        ("einstein:board=4", "stones", 13, 257_049),
        ("einstein", "stones", 0, 115_843_416),
        ("einstein:board=4,players=4", "owner", 0, 5_625),
        ("einstein:board=6,players=4", "owner", 0, 625_000),
    ],
)
def test_the_published_tuples_have_as_many_weights_as_published(
    name: str, coding: str, values: int, weights: int
) -> None:
    looks = layout(plain(name), coding)
    assert sum(prod(values or looks.values[cell] for cell in cells) for cells in looks.tuples["published"]) == weights


def test_othello_tells_own_discs_from_the_others() -> None:
    game = plain("othello:size=4")
    state = np.array(game.start().play("b1").words)  # ".X../.XX./.XO./...."
    assert view(game, state, 0).tolist() == [0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0]
    assert view(game, state, 1).tolist() == [0, 2, 0, 0, 0, 2, 2, 0, 0, 2, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_patterns_of_othello_hold_edges_corners_and_long_diagonals(size: int) -> None:
    looks = layout(plain(f"othello:size={size}"))
    patterns = [set(cells) for cells in looks.tuples["patterns"]]
    board = np.arange(size * size).reshape(size, size)
    for turns in range(4):
        turned = np.rot90(board, turns)
        edge = {*turned[0].tolist(), int(turned[1, 1]), int(turned[1, -2])}
        for wanted in (edge, set(turned[:3, :3].ravel().tolist()), set(np.diagonal(turned).tolist())):
            assert wanted in patterns


@pytest.mark.parametrize("rules", ["standard", "lasker", "morabaraba", "six"])
def test_every_mill_of_morris_lies_in_a_shape(rules: str) -> None:
    game = plain(f"morris:rules={rules}")
    shapes = [set(cells) for cells in layout(game).tuples["shapes"]]
    for point, row in enumerate(game.constants["PARTNERS"].tolist()):
        for pair in (pair for pair in row if pair & game.constants["ALL"]):
            mill = {point, *(other for other in range(game.constants["POINTS"]) if pair >> other & 1)}
            assert any(mill <= shape for shape in shapes)


@pytest.mark.parametrize("rules", ["standard", "lasker", "morabaraba", "six"])
def test_what_morris_counts_of_the_other_is_what_its_moves_do(rules: str) -> None:
    game = plain(f"morris:rules={rules}")
    laws, points = Laws(game), game.constants["POINTS"]
    for state, player in [end for seed in (6, 7) for end in ends_of_turns(game, seed)]:
        who = game.rule("mover")(state)
        if who == OVER or state[MEN + player] == 0:
            continue
        seen, moves = named(game, state, player), laws.moves(state)
        closing = {action % points for action in moves if laws.after("play", state, action)[DUE]}
        assert seen["other_closing"] == min(len(closing), 2)
        assert seen["other_left"] == int(state[MEN + who]).bit_count() + state[HAND + who]
        assert (seen["own_hand"], seen["other_hand"]) == (state[HAND + player], state[HAND + who])
        if seen["phase"] in (1, 2):  # the other slides
            assert seen["other_slides"] == min((len(moves) + 1) // 2, 7)


def test_morris_counts_mills_and_tells_the_phases_apart() -> None:
    game = plain("morris")
    seen = named(game, words(game, "O@*O*@**/*@@@****/O**O**O* w m s 5 0 5 0"), 1)
    assert (seen["phase"], seen["own_mills"], seen["other_mills"]) == (1, 1, 0)
    assert (seen["own_left"], seen["other_left"]) == (5, 5)
    jumping = words(game, "O@*O*@**/*@@@****/O******* w m s 3 0 5 0")
    assert (named(game, jumping, 0)["phase"], named(game, jumping, 1)["phase"]) == (2, 3)


def test_backgammon_is_seen_from_the_own_home() -> None:
    game = plain("backgammon")
    state = words(game, "ab....E.C...eE...c.d....A. X roll")  # O has one on the bar, X one off, O one off
    for player, bar, off in ((0, (0, 1), (1, 0)), (1, (1, 0), (0, 1))):
        seen = named(game, state, player)
        assert (seen["own_bar"], seen["other_bar"]) == bar
        assert (seen["own_off"], seen["other_off"]) == off
        assert seen["contact"] == 1
    assert view(game, state, 0)[:24].tolist() == [5, *[0] * 4, 3, 0, 3, *[0] * 3, 6, 3, *[0] * 3, 6, 0, 6, *[0] * 4, 1]
    # 6 * 5 + 8 * 3 + 13 * 5 + 24 = 143 pips in groups of 8; O: 24 * 2 + 13 * 5 + 8 * 3 + 6 * 4 + 25 = 186
    assert (named(game, state, 0)["own_pips"], named(game, state, 0)["other_pips"]) == (18, 23)
    race = words(game, ".AB................ab..... X roll")
    assert named(game, race, 0)["contact"] == named(game, race, 1)["contact"] == 0


def test_an_unknown_coding_is_refused_with_the_possible_ones() -> None:
    with pytest.raises(
        BadInput, match=r'einstein has no coding "stone". Did you mean "stones"\? Codings: stones, groups'
    ):
        layout(plain("einstein"), "stone")

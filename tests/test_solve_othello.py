"""The oracle of Othello: plain minimax, published endings, the solved 4×4 and 6×6 boards, and what it refuses."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput
from spielwerk.solvers.estimator import OracleEstimator
from spielwerk.solvers.oracle import oracle, truth_after
from spielwerk.solvers.othello.oracle import OthelloOracle, Settings, solve
from spielwerk.solvers.othello.solver import empty_cells

# Of the FFO endgame test suite: a position row by row, the mover, its lead with best play, its best moves. The suite
# gives empty cells at the end to the winner, which makes no difference here.
PUBLISHED = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X", 18, ["g8"]),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX-", "X", 10, ["a4"]),
    ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX", "X", 2, ["d1"]),
    ("-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO-", "X", 0, ["a5", "h8"]),
    ("--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX-", "X", 14, ["a1", "h3"]),
    ("--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO-", "X", 8, ["a6"]),
    ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO--", "O", 8, ["e1"]),
    ("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO--", "O", -8, ["a4", "g7"]),
    ("-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO--", "O", 10, ["b2"]),
    ("--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX--", "O", -8, ["b7"]),
]
# Joel Feinstein's perfect game of 1993 on 6×6, which white wins by 20 discs to 16.
PERFECT = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 pass e1 f1"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is touched."""
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))


@cache
def plain(position: Position) -> float:
    """What the mover gets with best play of both; the mover changes with every action, also with a pass."""
    ends = [position.play(action) for action in position.actions()]
    return max(end.scores[position.mover] if end.scores else -plain(end) for end in ends)


def random_positions(game: Game, empty: int, number: int, seed: int = 1) -> list[Position]:
    """Positions of random games with so many empty cells, none of them over."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < number:
        position = game.start()
        while not position.over and empty_cells(position) > empty:
            position = position.play(int(rng.choice(position.actions())))
        found += [] if position.over else [position]
    return found


def value(known: Any, position: Position) -> float:
    """The value by the oracle."""
    truth = known.truth(position)
    assert truth is not None
    return truth.value


def read(game: Game, cells: str, mover: str) -> Position:
    """A position written as 64 signs."""
    rows = [cells[first : first + 8].replace("-", ".") for first in range(0, 64, 8)]
    return game.parse(f"{'/'.join(rows)} {mover}")


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("empty", range(1, 10))
def test_the_value_is_that_of_plain_minimax(size: int, empty: int) -> None:
    game = sw.game("othello", size=size, scoring="discs")
    known = oracle(game)
    for position in random_positions(game, empty, 2 if empty > 7 else 20):
        assert value(known, position) == plain(position)


def test_the_value_is_that_of_plain_minimax_where_the_mover_must_pass() -> None:
    game = sw.game("othello", size=6, scoring="discs")
    known = oracle(game)
    passes = [at for at in random_positions(game, 5, 300) if at.moves() == ["pass"]]
    assert len(passes) > 5
    for position in passes:
        assert value(known, position) == plain(position)


def test_the_value_is_that_of_plain_minimax_all_the_way_on_4x4() -> None:
    game = sw.game("othello", size=4, scoring="discs")
    known = oracle(game)
    for empty in (9, 10, 11):
        for position in random_positions(game, empty, 5):
            assert value(known, position) == plain(position)


def test_white_wins_the_4x4_board_by_eight_discs() -> None:
    by_discs = sw.game("othello", size=4, scoring="discs")
    assert value(oracle(by_discs), by_discs.start()) == -8 / 16
    reported: list[tuple[int, int]] = []
    facts = solve(by_discs, Settings(), lambda done, total: reported.append((done, total)))
    assert (facts["game"], facts["value"], facts["discs"]) == (by_discs.name, -8 / 16, -8)
    assert facts["states"] > 0
    assert facts["seconds"] > 0
    assert reported[-1][0] == reported[-1][1]
    assert solve(sw.game("othello", size=4), Settings(), lambda done, total: None)["value"] == -1


def test_the_published_endings_have_their_values() -> None:
    game = sw.game("othello", scoring="discs")
    known = oracle(game)
    for cells, mover, discs, _ in PUBLISHED:
        assert value(known, read(game, cells, mover)) == discs / 64


def test_the_published_endings_have_their_best_moves() -> None:
    game = sw.game("othello", scoring="discs")
    known = oracle(game)
    for cells, mover, discs, best in PUBLISHED[:4]:
        position = read(game, cells, mover)
        truths = {turn.text: truth_after(known, turn.end, position.mover) for turn in position.turns()}
        assert sorted(text for text, truth in truths.items() if truth and truth.value == discs / 64) == best
        assert max(truth.value for truth in truths.values() if truth) == discs / 64


def test_no_turn_of_the_perfect_6x6_game_changes_its_value() -> None:
    game = sw.game("othello", size=6, scoring="discs")
    known = oracle(game)
    position = game.start()
    for move in PERFECT.split():
        if empty_cells(position) <= 18:
            assert value(known, position) == (-4 / 36 if position.mover == 0 else 4 / 36)
        position = position.play(move)
    assert position.scores == (-4 / 36, 4 / 36)


def test_empty_cells_at_the_end_count_for_nobody() -> None:
    game = sw.game("othello", scoring="discs")
    position = read(game, "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-", "X")
    # It is published as 6: with best play black leads by one disc when five cells are left to nobody.
    assert value(oracle(game), position) == plain(position) == 1 / 64


@pytest.mark.parametrize("size", [6, 8])
def test_a_turned_board_has_the_same_value(size: int) -> None:
    game = sw.game("othello", size=size, scoring="discs")
    for position in random_positions(game, 12, 3):
        assert len({value(oracle(game), position.turned(k)) for k in range(8)}) == 1


def test_the_value_of_winning_is_the_sign_of_the_discs() -> None:
    by_wins, by_discs = sw.game("othello", size=6), sw.game("othello", size=6, scoring="discs")
    wins, discs = oracle(by_wins), oracle(by_discs)
    values = []
    for position in random_positions(by_wins, 10, 60):
        values.append(value(wins, position))
        assert values[-1] == np.sign(value(discs, by_discs.parse(str(position))))
    assert set(values) == {-1.0, 0.0, 1.0}


def test_the_size_of_the_table_changes_no_value() -> None:
    game = sw.game("othello", scoring="discs")
    small, large = oracle(game, nodes=2), oracle(game)
    for position in random_positions(game, 12, 10):
        assert value(small, position) == value(large, position)


def test_plain_python_finds_the_same() -> None:
    compiled = sw.game("othello", scoring="discs")
    guarded = sw.game("othello:scoring=discs", target="python")
    for empty in (5, 9):
        for position in random_positions(compiled, empty, 2):
            assert value(oracle(guarded, nodes=1024), guarded.parse(str(position))) == value(oracle(compiled), position)


def test_many_positions_on_two_threads_have_the_truths_of_each() -> None:
    game = sw.game("othello")
    known = OthelloOracle(game, Settings(empties=11))
    positions = [*random_positions(game, 11, 30), *random_positions(game, 12, 3), *random_positions(game, 10, 30)]
    together = known.truths(positions, threads=2)
    assert together == [known.truth(position) for position in positions]
    assert [truth is None for truth in together] == [False] * 30 + [True] * 3 + [False] * 30


def test_exact_values_of_many_boards_are_those_of_each_whatever_the_threads() -> None:
    game = sw.game("othello:size=6")
    over = [game.parse("XXXXXX/XXXXXX/XXXXXX/OOOOOO/OOOOOO/OOOOOO -")]
    positions = [*random_positions(game, 9, 4), *over, *random_positions(game, 8, 20), *random_positions(game, 3, 20)]
    known = OracleEstimator(game, empties=8)
    found = [known.exact(game.batch(positions, threads=threads)) for threads in (1, 2)]
    assert np.array_equal(*found, equal_nan=True)
    for position, values in zip(positions[5:], found[0][5:], strict=True):
        truth = known.oracle.truth(position)
        assert truth is not None
        assert (values[position.mover], values[1 - position.mover]) == (truth.value, -truth.value)
    assert np.isnan(found[0][:5]).all()


def test_it_says_what_it_knows() -> None:
    for name, complete, limits in (
        ("othello", False, "positions with at most 16 empty cells"),
        ("othello:size=6", False, "positions with at most 20 empty cells"),
        ("othello:size=4", True, "every position"),
    ):
        known = oracle(sw.game(name))
        assert (known.complete, known.limits()) == (complete, limits)
        assert (known.truth(known.game.start()) is not None) == complete
    assert oracle(sw.game("othello:size=6"), empties=32).complete


def test_a_game_that_is_over_has_no_truth() -> None:
    game = sw.game("othello", size=4)
    assert oracle(game).truth(game.parse("XXXX/XXXX/OOOO/OOOO -")) is None


@pytest.mark.parametrize("settings", [{"empties": -1}, {"empties": 61}, {"nodes": 1}, {"nodes": 1 << 40}])
def test_impossible_settings_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=f"oracle: {next(iter(settings))} must be"):
        oracle(sw.game("othello"), **settings)


def test_the_large_board_is_not_solved_from_the_start() -> None:
    with pytest.raises(BadInput, match="unlike 4×4 and 6×6; its oracle knows positions with at most 16 empty cells"):
        solve(sw.game("othello"), Settings(), lambda done, total: None)

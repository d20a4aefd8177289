"""EinStein, solved: the exact values of the refs, an independent computation on 3×3, the rules, and Monte Carlo."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.position import Position
from spielwerk.games.rules import CHANCE, OVER, mover, moves, play, roll, scores, start
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_action, random_outcome
from spielwerk.solvers.einstein import oracle as einstein
from spielwerk.solvers.einstein import response
from spielwerk.solvers.einstein.index import build
from spielwerk.solvers.einstein.values import EinsteinSolver, value_after
from spielwerk.solvers.oracle import Oracle, oracle, truth_after


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder of tables for all tests here."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPIELWERK_HOME", str(folder))
        yield folder


def value(solved: Oracle, position: Position) -> float:
    found = solved.truth(position)
    assert found is not None
    assert found.distance is None
    return found.value


def chance(solved: Oracle, position: Position) -> float:
    """The probability of winning."""
    return (1 + value(solved, position)) / 2


# The rules of 3×3 once more, as short as possible: stones are cells (row, column) or None, player 1 goes backwards.

Stones = tuple[tuple[int, int] | None, ...]
HOMES: tuple[Stones, Stones] = (((0, 0), (1, 0), (0, 1)), ((2, 2), (1, 2), (2, 1)))
GOALS = ((2, 2), (0, 0))


def following(both: tuple[Stones, Stones], player: int, die: int) -> Iterator[tuple[Stones, Stones] | None]:
    """What each move leads to, in the order of the actions; None is a win."""
    own, way = both[player], 1 - 2 * player
    left = [stone for stone in range(3) if own[stone]]
    chosen = {max((s for s in left if s <= die), default=left[0]), min((s for s in left if s >= die), default=left[-1])}
    for stone in sorted(chosen):
        row, column = own[stone] or (0, 0)
        for down, right in ((0, way), (way, 0), (way, way)):
            cell = (row + down, column + right)
            if 0 <= cell[0] <= 2 and 0 <= cell[1] <= 2:
                after = [tuple(None if one == cell else one for one in stones) for stones in both]
                after[player] = (*after[player][:stone], cell, *after[player][stone + 1 :])
                yield None if cell == GOALS[player] or not any(after[1 - player]) else (after[0], after[1])


@cache
def expected(both: tuple[Stones, Stones], player: int, ways: tuple[str, str]) -> float:
    """Player 0's probability of winning before player `player` rolls, each playing in its way."""
    total = 0.0
    for die in range(3):
        values = [
            1.0 - player if after is None else expected(after, 1 - player, ways)
            for after in following(both, player, die)
        ]
        if ways[player] == "best":
            total += min(values) if player else max(values)
        else:
            total += values[0] if ways[player] == "first" else sum(values) / len(values)
    return total / 3


def written(both: tuple[Stones, Stones], player: int) -> str:
    labels = {cell: f"{'XO'[owner]}{n}" for owner in (0, 1) for n, cell in enumerate(both[owner], 1) if cell}
    rows = "/".join("".join(labels.get((row, column), ".") for column in range(3)) for row in range(3))
    return f"{rows} {'XO'[player]} -"


def reachable() -> set[tuple[tuple[Stones, Stones], int]]:
    seen, waiting = set(), [(HOMES, 0)]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            both, player = here
            ends = (after for die in range(3) for after in following(both, player, die))
            waiting += [(after, 1 - player) for after in ends if after]
    return seen


def test_positions_of_3x3_are_worth_what_an_independent_computation_says() -> None:
    game = sw.game("einstein:board=3")
    solved = oracle(game)
    assert solved.complete
    assert chance(solved, game.start()) == pytest.approx(170 / 243, abs=1e-14)
    for both, player in sorted(reachable(), key=str)[::4]:
        best = expected(both, player, ("best", "best"))
        mine = 1 - best if player else best
        assert chance(solved, game.parse(written(both, player))) == pytest.approx(mine, abs=1e-13)


def test_the_first_player_wins_4x4_as_often_as_published() -> None:
    game = sw.game("einstein:board=4")
    solved = oracle(game)
    assert chance(solved, game.start()) == pytest.approx(7909618 / 3**15, abs=1e-14)
    firsts = [chance(solved, game.start().roll(die)) for die in (1, 2, 3)]
    assert firsts == pytest.approx([0.543017945548, 0.578656478852, 0.532030209688], abs=1e-12)


def test_random_play_and_the_answers_to_it_on_4x4_win_as_often_as_published() -> None:
    game = sw.game("einstein:board=4")
    assert response.met(game, response.RANDOM).first == pytest.approx(0.556850720941, abs=1e-12)
    facts = einstein.solve(game, einstein.Settings(), lambda done, total: None)
    assert facts["value"] == pytest.approx(0.551234878029386, abs=1e-14)
    assert facts["against_random"]["optimal"] == pytest.approx(0.9146, abs=5e-5)
    assert facts["against_random"]["ceiling"] == pytest.approx(0.9365, abs=5e-5)


def test_responses_on_3x3_are_what_an_independent_computation_says() -> None:
    game = sw.game("einstein:board=3")
    for policy, way in ((response.RANDOM, "random"), (response.Policy(always_first), "first")):
        rates = response.best_response(game, policy)
        assert rates.first == pytest.approx(expected(HOMES, 0, ("best", way)), abs=1e-13)
        assert rates.second == pytest.approx(1 - expected(HOMES, 0, (way, "best")), abs=1e-13)
        assert rates.mean == pytest.approx((rates.first + rates.second) / 2)
    met = response.met(game, response.Policy(always_first), response.RANDOM)
    assert met.first == pytest.approx(expected(HOMES, 0, ("first", "random")), abs=1e-13)
    assert met.second == pytest.approx(1 - expected(HOMES, 0, ("random", "first")), abs=1e-13)


def always_first(state: Any, actions: Any, n: Any, i: Any, memory: Any) -> Any:
    """The policy of a player who always chooses the first action."""
    return 1.0 if i == 0 else 0.0


def test_what_shares_a_slot_is_worth_the_same() -> None:
    game = sw.game("einstein:board=3")
    folded, every = (
        response.best_response(game, response.Policy(response.uniform, (), alike)) for alike in (True, False)
    )
    assert folded == pytest.approx(every, abs=1e-14)


def perfect_games(i: Any, state: Any, actions: Any, weights: Any, results: Any, arrays: Any) -> None:
    """Row kernel: plays games from the tables, except that player careless[0] moves at random; adds up scores."""
    rngs, careless, games, totals, tables = arrays
    for _ in range(games[0]):
        start(state, rngs[i])
        who = mover(state)
        while who != OVER:
            if who == CHANCE:
                roll(state, random_outcome(state, rngs[i], actions, weights))
            elif who == careless[0]:
                play(state, random_action(state, rngs[i], actions))
            else:
                best = -2.0
                chosen = 0
                for one in range(moves(state, actions)):
                    found = value_after(state, actions[one], tables)
                    if found > best:
                        best = found
                        chosen = actions[one]
                play(state, chosen)
            who = mover(state)
        scores(state, results)
        totals[i] += results[0]


def test_monte_carlo_agrees_with_the_exact_values_of_4x4() -> None:
    game, rows, games = sw.game("einstein:board=4"), 40, 5000
    tables = einstein.values(game, 6, lambda done, total: None).for_kernels()
    against_random = response.met(game, response.optimal(tables))
    exact = {2: 0.551234878029386, 1: against_random.first, 0: 1 - against_random.second}  # 2: nobody is careless
    for careless, probability in exact.items():
        totals, rngs = np.zeros(rows), streams(careless, "perfect", rows)
        game.rows(perfect_games)(rows, rngs, np.array([careless]), np.array([games]), totals, tables)
        deviation = np.sqrt(probability * (1 - probability) / (rows * games))
        # Equally good moves need not do equally well against a random mover: a little room for that.
        room = 4 * deviation + (0.002 if careless < 2 else 0)
        assert (1 + totals.sum() / (rows * games)) / 2 == pytest.approx(probability, abs=room)


def by_the_rules(solved: Oracle, position: Position) -> float:
    """The value of a position from those that follow by the rules."""
    if position.chance:
        return sum(share * by_the_rules(solved, position.roll(face)) for face, share in position.outcomes())
    return max(truth.value for turn in position.turns() if (truth := truth_after(solved, turn.end, position.mover)))


ENDGAMES = [
    "X1..../..X4../...../...../..O6.. O -",
    "..X2../...../.X5O1../...../..... X -",
    "...../..X3../.O2.../...../...X6. X -",
    "...../...X1./O5..../.O1.../..... O -",
    "...../.X4X6../...../..O3../..... O 5",
]


@pytest.mark.parametrize("name", ["einstein", "einstein:die=nearest"])
def test_endgames_of_5x5_follow_from_the_rules(name: str) -> None:
    game = sw.game(name)
    solved = oracle(game, stones=3)
    assert solved.limits() == "positions with at most 3 stones on the board"
    for text in ENDGAMES:
        for position in (game.parse(text), game.parse(text).turned(1)):
            assert value(solved, position) == pytest.approx(by_the_rules(solved, position), abs=1e-14)
    assert solved.truth(game.start()) is None


def test_the_die_matters_where_stones_between_two_are_gone() -> None:
    text = "X1..../..X4../...../...../..O6.. X -"
    either, nearest = (
        value(oracle(sw.game(name), stones=3), sw.game(name).parse(text))
        for name in ("einstein", "einstein:die=nearest")
    )
    assert either > nearest


def test_a_won_position_is_worth_one() -> None:
    game = sw.game("einstein:board=3")
    assert value(oracle(game), game.parse(".../.X2./O1.. X 2")) == 1.0
    assert value(oracle(game), game.parse(".../.X2./O1.. X -")) == 1.0


def test_rounded_values_are_off_by_less_than_a_ten_thousandth() -> None:
    game = sw.game("einstein:board=3")
    index = build(game, 6)
    exact, rounded = np.zeros(index.ends[6]), np.zeros(index.ends[6] - index.ends[3], np.int16)
    solver = EinsteinSolver(game, index)
    solver.solve(range(2, 7), (exact, np.zeros(1, np.int16)), lambda done, total: None)
    solver.solve(range(4, 7), (exact[: index.ends[3]].copy(), rounded), lambda done, total: None)
    assert np.abs(exact[index.ends[3] :] - rounded / 32767).max() < 1e-4


def test_every_slot_of_the_index_is_used_once() -> None:
    index = build(sw.game("einstein:board=4"), 6)
    assert sum(index.level_sizes(stones).sum() for stones in range(2, 7)) == index.ends[-1]


def test_all_starts_share_one_table(home: Path) -> None:
    for start_setting in ("fixed", "shared", "free"):
        game = sw.game("einstein:board=3", start=start_setting)
        assert value(oracle(game), game.start(1)) is not None
    folders = [path.name for path in (home / "tables").iterdir() if "board=3" in path.name]
    assert folders == ["einstein_board=3"]


def test_more_than_two_players_are_not_solved() -> None:
    with pytest.raises(sw.BadInput, match="only EinStein for two players"):
        oracle(sw.game("einstein:board=6,players=4"))


def test_numbers_of_stones_that_cannot_be_are_refused() -> None:
    with pytest.raises(sw.BadInput, match="stones cannot be 7 in einstein:board=4; possible: 2 to 6, or 0"):
        oracle(sw.game("einstein:board=4"), stones=7)


def test_tables_that_do_not_fit_are_refused_with_the_figure() -> None:
    game = sw.game("einstein")
    with pytest.raises(sw.BadInput, match=r"This needs [\d,]+\.\d GB of disk"):
        oracle(game, stones=12).truth(game.start())


def test_a_truncated_table_is_refused_and_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    game = sw.game("einstein:board=3")
    value(oracle(game), game.start())
    (path,) = (tmp_path / "tables").rglob("*.table")
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(sw.BadInput, match=r"stones-2-6\.table is truncated"):
        oracle(game).truth(game.start())


def test_the_kernels_also_run_as_plain_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    game = sw.game("einstein:board=3,stones=1", target="python")
    assert value(oracle(game), game.start()) == pytest.approx(by_the_rules(oracle(game), game.start()), abs=1e-14)

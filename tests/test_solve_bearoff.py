"""Bearing off: published values, a plain computation, the laws of expectation, GNU Backgammon, spoilt files."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.game import Game
from spielwerk.solvers import oracle, tables
from spielwerk.solvers.bearoff import oracle as bearoff
from spielwerk.solvers.bearoff.index import build
from spielwerk.solvers.bearoff.oracle import BearOff

Side = tuple[int, ...]  # the points of a side's checkers, ascending

GAME = sw.game("backgammon")
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


@pytest.fixture(scope="module", autouse=True)
def _tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPIELWERK_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def known(_tables: None) -> BearOff:
    return BearOff(GAME)


def place(own: Side, other: Side, due: str = "X roll", game: Game = GAME) -> sw.Position:
    """X has checkers on its points `own`, O on its own points `other`."""
    letters = ["."] * 26
    for point in set(own):
        letters[point] = chr(64 + own.count(point))
    for point in set(other):
        letters[25 - point] = chr(96 + other.count(point))
    return game.parse(f"{''.join(letters)} {due}")


def points_of(numbers: Sequence[int]) -> Side:
    """The points of a side that is given by its numbers of checkers on them."""
    return tuple(point for point, number in enumerate(numbers, 1) for _ in range(number))


def some_sides(number: int, most: int, seed: int = 1) -> list[Side]:
    rng = random.Random(seed)
    return [tuple(sorted(rng.choices(range(1, 7), k=rng.randint(1, most)))) for _ in range(number)]


def value(known: BearOff, position: sw.Position) -> float:
    truth = known.truth(position)
    assert truth is not None
    assert truth.distance is None
    return truth.value


# The rules of bearing off in a few lines, as people know them.


def moved(side: Side, die: int) -> Iterator[Side]:
    """A checker goes down by the die; off by the exact number, or from the highest point by a larger one."""
    for point in set(side):
        rest = list(side)
        rest.remove(point)
        if point > die:
            yield tuple(sorted([*rest, point - die]))
        elif point == die or point == max(side):
            yield tuple(rest)


@cache
def ends(side: Side, dice: tuple[int, ...]) -> frozenset[Side]:
    if not dice or not side:
        return frozenset([side])
    orders = {dice, dice[::-1]}
    return frozenset().union(*(ends(after, order[1:]) for order in orders for after in moved(side, order[0])))


def dice_of(roll: tuple[int, int]) -> tuple[int, ...]:
    return roll * 2 if roll[0] == roll[1] else roll


@cache
def expected_score(own: Side, other: Side, all_: int, gammon: float) -> float:
    """Of the player on roll; a win against all the checkers that a side has is a gammon."""
    total = 0.0
    for roll in ROLLS:
        won = gammon if len(other) == all_ else 1.0
        scores = [-expected_score(other, end, all_, gammon) if end else won for end in ends(own, dice_of(roll))]
        total += max(scores) * (1 if roll[0] == roll[1] else 2)
    return total / 36


@cache
def expected_rolls(side: Side) -> float:
    if not side:
        return 0.0
    weights = [1 if a == b else 2 for a, b in ROLLS]
    best = [min(map(expected_rolls, ends(side, dice_of(roll)))) for roll in ROLLS]
    return 1 + sum(weight * rolls for weight, rolls in zip(weights, best, strict=True)) / 36


def sides_up_to(most: int) -> list[Side]:
    return [side for n in range(1, most + 1) for side in combinations_with_replacement(range(1, 7), n)]


@pytest.mark.parametrize(
    ("side", "rolls"),
    [
        ((6,), 1.25),
        ((5, 6), 1.9600480110),
        ((6, 6), 2.1096107682),
        ((1,) * 3, 11 / 6),
        ((1,) * 15, 6.9795917638),
        ((6,) * 15, 12.2661871718),
    ],
)
def test_a_side_alone_needs_as_many_rolls_as_is_known(known: BearOff, side: Side, rolls: float) -> None:
    found = known.rolls(place(side, (1,)), 0)
    assert found is not None
    assert found.expected == pytest.approx(rolls, abs=1e-10)
    assert found.chances @ np.arange(len(found.chances)) == pytest.approx(rolls, abs=1e-10)


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [
        ((6,), (6,), 13 / 16),
        ((5, 6), (1,), 1 / 6),
        ((3, 5), (1, 1), 14 / 36),
        ((1, 1, 1), (1, 1, 1), 31 / 36),
        ((6, 6), (6, 6), 0.754494349223),
        ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6), 0.700571624976),
    ],
)
def test_the_player_on_roll_wins_as_often_as_is_known(known: BearOff, own: Side, other: Side, wins: float) -> None:
    for position in (place(own, other), place(other, own, "O roll")):
        assert (1 + value(known, position)) / 2 == pytest.approx(wins, abs=1e-12)


def test_the_rolls_of_all_54264_positions_are_distributions_with_their_mean(known: BearOff) -> None:
    table = known.one_sided
    assert len(table) == 54_264
    assert table[:, 1:].min() == 0
    assert table[:, 1:].sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert table[:, 1:] @ np.arange(table.shape[1] - 1) == pytest.approx(table[:, 0], abs=1e-12)
    assert (table[:, -1] > 0).any()  # the longest takes as many rolls as there is room for


def test_expected_rolls_are_those_of_a_plain_computation(known: BearOff) -> None:
    index = build(15)
    for side in sides_up_to(5):
        assert known.one_sided[index.rank(*side), 0] == pytest.approx(expected_rolls(side), abs=1e-12)


def test_values_are_those_of_a_plain_computation(known: BearOff) -> None:
    assert known.two_sided.size == 853_776
    sides = sides_up_to(3)
    for own in sides:
        for other in sides:
            exact = expected_score(own, other, 15, 1.0)
            assert known.two_sided[known.index.rank(*own), known.index.rank(*other)] == pytest.approx(exact, abs=1e-12)


def test_with_three_checkers_gammons_count_as_far_as_they_score() -> None:
    sides = sides_up_to(3)[::3]
    for name, gammon in (("win", 1.0), ("gammon", 2.0), ("full", 2.0)):
        game = sw.game(f"backgammon:checkers=3,scoring={name}")
        known = BearOff(game)
        for own in sides:
            for other in sides:
                exact = expected_score(own, other, 3, gammon)
                assert value(known, place(own, other, game=game)) == pytest.approx(exact, abs=1e-12)


def test_a_value_is_the_mean_over_rolls_of_the_best_turns(known: BearOff) -> None:
    sides = some_sides(24, 6)
    for own, other, player in zip(sides[::2], sides[1::2], "XO" * 6, strict=True):
        before = place(own, other, f"{player} roll")
        total = 0.0
        for outcome, chance in before.outcomes():
            rolled = before.roll(outcome)
            best = max(_after(known, turn.end, rolled.mover) for turn in rolled.turns())
            assert value(known, rolled) == pytest.approx(best, abs=1e-12)
            total += chance * best
        assert value(known, before) == pytest.approx(total, abs=1e-12)


def _after(known: BearOff, end: sw.Position, player: int) -> float:
    truth = oracle.truth_after(known, end, player)
    assert truth is not None
    return truth.value


def test_the_second_half_of_a_double_is_known_too(known: BearOff) -> None:
    first = place((1, 2, 4, 5, 6, 6), (2, 3, 3), "X 22")
    halves = [first.play(action) for action in first.actions()]
    assert all(half.mover == 0 for half in halves)
    assert max(value(known, half) for half in halves) == value(known, first)


@pytest.mark.parametrize(
    "text",
    [
        str(GAME.start()),
        ".G......................a. X roll",  # seven checkers
        ".A......................g. X 21",
        ".A.....A................a. X roll",  # not home
        ".A................a.....a. X roll",
        ".A......................aA X roll",  # on the bar
        "aA......................a. X 65",
        ".a......................A. X roll",  # still to pass each other
    ],
)
def test_what_is_no_bear_off_of_few_checkers_is_not_known(known: BearOff, text: str) -> None:
    assert known.truth(GAME.parse(text)) is None
    assert not known.complete
    assert "6" in known.limits()


def test_the_rank_of_a_position_is_its_place_in_the_index(known: BearOff) -> None:
    index = build(15)
    assert index.checkers.sum(axis=1).max() == 15
    assert len(np.unique(index.checkers, axis=0)) == len(index) == 54_264
    assert [index.rank(*points_of(row)) for row in index.checkers[::37]] == [*range(0, 54_264, 37)]
    for side in some_sides(50, 15):
        found = known.rolls(place((1,), side, "O roll"), 1)
        assert found is not None
        assert found.expected == known.one_sided[index.rank(*side), 0]


def test_the_estimate_of_a_race_is_near_the_truth_and_goes_on_beyond_it(known: BearOff) -> None:
    sides = some_sides(200, 6)
    for own, other in zip(sides[::2], sides[1::2], strict=True):
        position = place(own, other)
        assert known.race_estimate(position) == pytest.approx((1 + value(known, position)) / 2, abs=0.015)
    assert known.race_estimate(place((6,) * 15, (6,) * 15)) == pytest.approx(0.5949, abs=0.001)
    assert known.race_estimate(GAME.start()) is None
    assert known.race_estimate(place((6,), (6,), "X 21")) is None


def test_plain_python_finds_the_same_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, known: BearOff) -> None:
    compiled = known.two_sided[:28, :28]
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    plain = BearOff(sw.game("backgammon", target="python"), bearoff.Settings(checkers=2))
    assert plain.two_sided == pytest.approx(compiled, abs=0)
    for due in ("X roll", "X 31", "X 11", "X 11/2"):
        assert plain.truth(place((4, 6), (2, 5), due)) == known.truth(place((4, 6), (2, 5), due))


@pytest.mark.skipif(not importlib.util.find_spec("gnubg"), reason="the package gnubg is not installed")
def test_gnu_backgammon_agrees_to_the_digits_that_it_keeps(known: BearOff) -> None:
    analyse = sw.agent("gnubg", GAME.name).analyse
    sides = some_sides(400, 6)
    for own, other in zip(sides[::2], sides[1::2], strict=True):
        position = place(own, other)
        assert analyse(position).value == pytest.approx(value(known, position), abs=2e-4)


def test_judged_bear_offs_agree(known: BearOff, records: Callable[[str], Iterator[Any]]) -> None:
    compared = 0
    for judged in records("backgammon/gnubg_judged.jsonl.gz"):
        for (other, own), equity, _ in judged["afters"]:
            if any(own) and sum(own) <= 6 and sum(other) <= 6 and not any(own[6:] + other[6:]):
                position = place(points_of(own), points_of(other), "O roll")
                assert [checkers(position.words, player) for player in (0, 1)] == [own, other]
                assert -value(known, position) == pytest.approx(equity, abs=2e-4)
                compared += 1
    assert compared > 20


def test_solving_tells_its_progress_and_finds_its_tables_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, known: BearOff
) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    seen: list[tuple[int, int]] = []
    facts = bearoff.solve(GAME, bearoff.Settings(), lambda done, total: seen.append((done, total)))
    assert facts["states"] == 54_264 + 853_776
    assert facts["expected_rolls"]["15 on 6"] == pytest.approx(12.2661871718, abs=1e-10)
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]
    files = {path: path.stat().st_mtime_ns for path in tables.folder("backgammon").iterdir()}
    assert bearoff.solve(GAME)["values"] == facts["values"]
    assert {path: path.stat().st_mtime_ns for path in tables.folder("backgammon").iterdir()} == files
    assert BearOff(sw.game("backgammon:scoring=full")).truth(place((6,), (6,))) == known.truth(place((6,), (6,)))
    assert len(files) == len(list(tables.folder("backgammon").iterdir()))  # scoring shares what it does not change


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:-8], "is truncated"),
        (lambda data: data[:-8] + b"whatever", "is damaged"),
        (lambda data: b"hello\n", "is not a Spielwerk table"),
        (lambda data: data.replace(b"two-sided", b"one-sided", 1), "is damaged"),
    ],
)
def test_a_spoilt_table_is_refused_by_name_and_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, spoil: Callable[[bytes], bytes], reason: str
) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    small = bearoff.Settings(checkers=2)
    position = place((6,), (6,))
    assert value(BearOff(GAME, small), position) == pytest.approx(0.625)
    (path,) = tables.folder("backgammon").iterdir()
    spoilt = spoil(path.read_bytes())
    path.write_bytes(spoilt)
    with pytest.raises(sw.BadInput, match=f"{path.name} {reason}"):
        BearOff(GAME, small).truth(position)
    assert path.read_bytes() == spoilt


def test_the_oracle_has_its_settings_and_their_limits() -> None:
    found = oracle.oracle(GAME, checkers="4")
    assert isinstance(found, BearOff)
    assert found.truth(place((1,) * 5, (1,))) is None
    with pytest.raises(sw.BadInput, match="checkers must be 1 to 10"):
        oracle.oracle(GAME, checkers="11")

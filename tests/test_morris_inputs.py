"""What networks see of morris: classes, fillings of lines, mills to close next, counts; by hand and by symmetry."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.cells import observation_names
from spielwerk.games.observations.morris import CLASSES, COUNTS, DUE, HAND, shape
from variants import random_positions

GAME = sw.game("morris")
POINTS, LINES = 24, 16
MEN = len(CLASSES) + 27 * LINES  # where the men begin
CLOSING, NUMBERS = MEN + 2 * POINTS, MEN + 4 * POINTS


def seen(position: sw.Position) -> np.ndarray:
    return position.game.batch([position]).observe("tactics")[0]


def some(game: sw.Game, games: int = 6) -> list[sw.Position]:
    return [position for seed in range(games) for position in random_positions(game, seed)]


@pytest.mark.parametrize("rules", ["standard", "six", "morabaraba", "lasker"])
def test_every_variant_has_its_own_size_and_one_filling_a_line(rules: str) -> None:
    game = sw.game(f"morris:rules={rules}")
    positions = some(game, 2)
    found = game.batch(positions).observe("tactics")
    lines = len(game.constants["MILLS"])
    assert found.shape == (len(positions), *shape(dict(game.constants)))
    assert (found[:, : len(CLASSES)].sum(1) == 1).all()
    assert (found[:, len(CLASSES) : len(CLASSES) + 27 * lines].reshape(-1, lines, 27).sum(2) == 1).all()
    assert np.isfinite(found).all()
    assert found.max() <= 2


def test_the_class_is_placing_moving_or_jumping() -> None:
    for position in some(GAME):
        if position.over:
            continue
        men = [position.words[1 + player].bit_count() for player in (0, 1)]
        placing, jumping = position.words[3] + position.words[4] > 0, 3 in men
        wanted = "placing" if placing else "jumping" if jumping else "moving"
        assert CLASSES[int(seen(position)[: len(CLASSES)].argmax())] == wanted


def test_the_points_where_a_mill_can_be_closed_next_are_those_of_the_rules() -> None:
    checked = 0
    for position in some(GAME, 20):
        if position.mover < 0 or position.words[5]:  # over, or a man is to be taken
            continue
        found = np.flatnonzero(seen(position)[CLOSING : CLOSING + POINTS]).tolist()
        closing = set()
        for action in position.actions():
            if position.play(action).words[5]:
                closing.add(action % POINTS if action < POINTS * POINTS else action - POINTS * POINTS)
        assert found == sorted(closing)
        checked += bool(closing)
    assert checked > 20


def test_counts_are_those_of_the_board() -> None:
    for position in some(GAME, 4):
        if position.mover < 0:
            continue
        numbers, own = seen(position)[NUMBERS:], position.mover
        men = [position.words[1 + player] for player in (own, 1 - own)]
        for side, mine in enumerate(men):
            free, around = ~(men[0] | men[1]), GAME.constants["NEIGHBOURS"].tolist()
            slides = [(around[point] & free).bit_count() for point in range(POINTS) if mine >> point & 1]
            hand = position.words[3 + (own if side == 0 else 1 - own)]
            wanted = [hand / 9, len(slides) / 9, sum(slides) / 12, slides.count(0) / 9]
            assert numbers[COUNTS * side : COUNTS * side + 4] == pytest.approx(wanted)
        assert numbers[2 * COUNTS] == position.words[5]


def test_both_players_see_the_same_position_with_the_sides_exchanged() -> None:
    form, kernel = GAME.observation("tactics")
    mirrored = [0, 2, 1]  # empty, own, the other's
    swap = [9 * mirrored[a] + 3 * mirrored[b] + mirrored[c] for a in range(3) for b in range(3) for c in range(3)]
    for position in some(GAME, 3):
        one, two = (np.zeros(form, np.float32) for _ in range(2))
        for player, out in enumerate((one, two)):
            kernel(position.state, player, out)
        lines = one[3:MEN].reshape(LINES, 27)
        assert np.array_equal(one[:3], two[:3])
        assert np.array_equal(two[3:MEN].reshape(LINES, 27), lines[:, swap])
        for start, size in ((MEN, POINTS), (CLOSING, POINTS), (NUMBERS, COUNTS)):
            first, second = slice(start, start + size), slice(start + size, start + 2 * size)
            assert np.array_equal(one[first], two[second])
            assert np.array_equal(one[second], two[first])


@pytest.mark.parametrize("rules", ["standard", "six"])
def test_the_planes_of_points_turn_with_the_board(rules: str) -> None:
    game = sw.game(f"morris:rules={rules}")
    batch = game.batch(some(game, 3))
    planes = batch.observe("points")
    for k, turned in enumerate(game.constants["TURNED"]):
        assert np.array_equal(batch.turned(k).observe("points")[:, :, turned], planes)


def test_the_planes_of_points_say_what_the_rules_observe() -> None:
    batch = GAME.batch(some(GAME, 3))
    planes, numbers = batch.observe("points"), batch.observe()
    assert np.array_equal(planes[:, :2].reshape(len(batch), -1), numbers[:, : 2 * POINTS])
    hands, phases, taking = [78, 79], [72, 73, 74, 75, 76, 77], [82]  # where the rules write them
    assert np.array_equal(planes[:, 2:], np.repeat(numbers[:, hands + phases + taking, None], POINTS, 2))


@pytest.mark.parametrize("inputs", ["", "tactics", "points"])
def test_groups_of_inputs_are_the_phases_and_the_removal(inputs: str) -> None:
    positions = [position for position in some(GAME, 2) if position.mover >= 0]
    rows = GAME.batch(positions).observe(inputs).reshape(len(positions), -1)
    named = GAME.groups(inputs).named
    due = np.array([position.words[DUE] for position in positions])
    assert (rows[:, named["removal"]] == due[:, None]).all()
    placing = np.array([min(position.words[HAND : HAND + 2]) > 0 for position in positions])
    assert due.any()
    assert placing.any()
    phases = rows[:, named["phases"]]
    assert (phases[placing] == phases[0]).all()
    assert (phases[~placing] != phases[0]).any(1).mean() > 0.9  # `tactics` counts a last placement too


def test_the_usual_inputs_begin_with_the_board_and_groups_name_those_that_follow() -> None:
    names, groups = observation_names(GAME), GAME.groups()
    assert (groups.board, len(names)) == (72, 83)
    players = [f"{who}_{what}" for who in ("own", "other") for what in ("placing", "moving", "jumping")]
    assert [names[place] for place in groups.named["phases"]] == [*players, "own_jumps", "other_jumps"]
    assert [names[place] for place in groups.named["removal"]] == ["taking"]
    assert sw.game("nim").groups().named == {}

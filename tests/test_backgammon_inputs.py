"""The inputs of backgammon that experts count: by hand, by the rules themselves, and seen from both sides."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.observations.backgammon import CLASSES, COUNTED, EXPERT, SIDE, SIDES, TESAURO, expert
from spielwerk.games.phases.backgammon import phase
from spielwerk.kernel.specialise import specialise

GAMES = ("backgammon", "backgammon:checkers=3")
START = ".b....E.C...eE...c.e....B."
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def letter(number: int) -> str:
    return chr(64 + number) if number > 0 else chr(96 - number) if number < 0 else "."


def text(x: dict[int, int], o: dict[int, int]) -> str:
    """X's checkers by X's points and O's by O's, 25 the bar, X to roll."""
    board = [0] * 26
    for point, number in x.items():
        board[point] += number
    for point, number in o.items():
        board[25 - point] -= number
    return "".join(map(letter, board)) + " X roll"


def counted(position: str, name: str, side: int = 0) -> float:
    """One number of X's side (0) or O's (1)."""
    inputs = sw.game("backgammon").parse(position).observe(0, inputs="expert")
    return float(inputs[SIDES + COUNTED * side + SIDE.index(name)])


def rolls(position: str, name: str, side: int = 0) -> int:
    return round(36 * counted(position, name, side))


@cache
def played(name: str, boards: int = 60, steps: int = 160) -> np.ndarray:
    """Positions of random games, before rolls and after them, ends included: [n, words]."""
    batch, chance, found = sw.game(name).batch(boards, seed=3), np.random.default_rng(3), []
    for _ in range(steps):
        batch.roll()
        found.append(batch.states.copy())
        ends = batch.afterstates()
        number = np.diff(ends.offsets)
        chosen = ends.offsets[:-1] + (chance.random(boards) * number).astype(np.int64)
        batch.take(ends, np.where(number > 0, chosen, -1))
        found.append(batch.states.copy())
        batch.restart()
    return np.concatenate(found)


@cache
def played_by_pubeval(games: int = 12) -> np.ndarray:
    """Positions of its games against itself, before rolls and at the end: [n, words]."""
    game, chance, found = sw.game("backgammon"), random.Random(4), []
    pubeval = sw.agent("pubeval", game)
    for number in range(games):
        position = game.start(number)
        while not position.over:
            if position.chance:
                found.append(position.words)
                outcomes, shares = zip(*position.outcomes(), strict=True)
                position = position.roll(chance.choices(outcomes, shares)[0])
            else:
                position = position.play(pubeval.choose(position))
        found.append(position.words)
    return np.array(found, np.int64)


@cache
def scattered(number: int = 300) -> np.ndarray:
    """Positions before a roll with checkers anywhere: many blots, men on the bar and off."""
    chance, found = random.Random(5), []
    while len(found) < number:
        x, o = {}, {}
        for side, most in ((x, chance.randint(1, 15)), (o, chance.randint(1, 15))):
            places = chance.sample(range(1, 26), chance.randint(1, 9))
            for _ in range(most):
                point = chance.choice(places)
                side[point] = side.get(point, 0) + 1
        if not any(25 - point in o for point in x if point < 25):
            found.append(sw.game("backgammon").parse(text(x, o)).words)
    return np.array(found, np.int64)


def some(number: int = 300) -> np.ndarray:
    """Positions before a roll, of games and scattered."""
    games = played("backgammon")
    games = games[(games[:, 1] == 0) & (games[:, 4:8].any(axis=1)) & (games[:, 8:].any(axis=1))]
    return np.concatenate([scattered(), games[:: len(games) // number]])


def seen(name: str, states: np.ndarray, player: int) -> np.ndarray:
    """The inputs of each position as one player sees them: [n, EXPERT]."""
    states = states.copy()
    states[:, 0] = player
    states[:, 1] = 0
    return sw.game(name).batch(states).observe("expert")


def ends_by_roll(states: np.ndarray, roller: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ends of all turns after every roll: their words, positions (numbers in `states`) and rolls (in ROLLS)."""
    rolled = np.repeat(states, len(ROLLS), axis=0)
    rolled[:, 0], rolled[:, 1], rolled[:, 2:4] = roller, 2, ROLLS * len(states)
    ends = sw.game("backgammon").batch(rolled).afterstates()
    owners = np.repeat(np.arange(len(rolled)), np.diff(ends.offsets))
    return ends.batch.states, owners // len(ROLLS), owners % len(ROLLS)


def weights() -> np.ndarray:
    return np.array([1 if a == b else 2 for a, b in ROLLS])


def boards(states: np.ndarray, player: int) -> np.ndarray:
    """The checkers on each place: [n, 25]."""
    planes = states[:, 4 + 4 * player : 8 + 4 * player]
    return ((planes[:, None, :] >> np.arange(25)[:, None] & 1) << np.arange(4)).sum(axis=2)


@pytest.mark.parametrize("name", GAMES)
def test_the_other_player_sees_the_sides_exchanged(name: str) -> None:
    states = played(name)
    first, second = seen(name, states, 0), seen(name, states, 1)
    assert (first[:, :3] == second[:, :3]).all()
    assert (first[:, 3:101] == second[:, 101:199]).all()
    assert (first[:, SIDES : SIDES + COUNTED] == second[:, SIDES + COUNTED :]).all()
    assert (first[:, SIDES + COUNTED :] == second[:, SIDES : SIDES + COUNTED]).all()
    exchanged = np.concatenate([states[:, :4], states[:, 8:], states[:, 4:8]], axis=1)
    assert (seen(name, exchanged, 1) == first).all()


@pytest.mark.parametrize("name", GAMES)
def test_tesauros_inputs_are_among_them_and_dice_are_not(name: str) -> None:
    batch = sw.game(name).batch(played(name))
    inputs = batch.observe("expert")
    assert inputs.shape == (len(batch), EXPERT)
    assert (inputs[:, 3 : 3 + TESAURO] == batch.observe("tesauro")).all()
    unrolled = batch.states.copy()
    unrolled[:, 2:4] = 0
    assert (sw.game(name).batch(unrolled).observe("expert") == inputs).all()


@pytest.mark.parametrize("name", GAMES)
def test_all_numbers_are_within_reach_and_exactly_one_class_is_told(name: str) -> None:
    inputs = seen(name, played(name), 0)
    sides = inputs[:, SIDES:].reshape(len(inputs), 2, COUNTED)
    assert np.isfinite(inputs).all()
    assert (inputs[:, :3].sum(axis=1) == 1).all()
    assert sides.min() >= 0
    assert sides.max() <= 2.5
    if name == "backgammon":  # each of them happens
        assert (np.ptp(sides, axis=(0, 1)) >= 0.4).all()


def test_pubevals_games_are_mostly_contact_and_sometimes_crashed() -> None:
    inputs = seen("backgammon", played_by_pubeval(), 0)
    contact, crashed, race = inputs[:, :3].mean(axis=0)
    assert len(inputs) > 500
    assert np.isfinite(inputs).all()
    assert 0 <= inputs[:, SIDES:].min() <= inputs[:, SIDES:].max() <= 2.5
    assert contact > 0.5
    assert 0.02 < crashed < 0.2
    assert race > 0.1


def test_the_class_agrees_with_the_phase() -> None:
    game = sw.game("backgammon")
    for words in some()[:400]:
        position = sw.Position(game, words)
        if not position.over:
            roll = position.roll("2-1") if position.chance else position
            kind = CLASSES[int(position.observe(0, inputs="expert")[:3].argmax())]
            assert (kind == "race") == (phase(roll) != "contact")


@pytest.mark.parametrize(
    ("x", "o", "kind"),
    [
        ({6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}, "contact"),
        ({1: 5, 2: 4, 3: 2, 4: 2, 24: 2}, {6: 5, 8: 5, 13: 5}, "crashed"),  # nine are out of play
        ({1: 4, 2: 4, 3: 2, 4: 3, 24: 2}, {6: 5, 8: 5, 13: 5}, "contact"),  # eight
        ({1: 1, 2: 1, 3: 1, 6: 3, 8: 2}, {24: 2, 8: 5, 13: 5}, "crashed"),  # two, and seven are off
        ({6: 1, 5: 2, 4: 2}, {25: 1, 6: 7, 5: 7}, "crashed"),  # the most are off
        ({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5}, "race"),
    ],
)
def test_a_side_that_has_collapsed_makes_a_position_crashed(x: dict[int, int], o: dict[int, int], kind: str) -> None:
    for sides in ((x, o), (o, x)):
        inputs = sw.game("backgammon").parse(text(*sides)).observe(0, inputs="expert")
        assert CLASSES[int(inputs[:3].argmax())] == kind


@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        ("pips", f"{START} X roll", 1.0),
        ("pips", text({25: 1, 6: 2}, {1: 1}), 37 / 167),
        ("lead", text({10: 10}, {10: 5, 11: 5}), 5 * 5 / 100),  # 100 against 105
        ("lead", text({10: 10, 12: 1}, {10: 10}), 0),
        ("off 1", text({1: 12}, {1: 15}), 3 / 5),
        ("off 2", text({1: 12}, {1: 15}), 0),
        ("off 1", text({1: 7}, {1: 15}), 1),
        ("off 2", text({1: 7}, {1: 15}), 3 / 5),
        ("off 3", text({1: 4}, {1: 15}), 1 / 5),
        # O's rearmost checker is on X's 5 point (O's 20): 7 and 6 must get to the 4 point, 3 has passed.
        ("break contact", text({7: 1, 6: 2, 3: 4}, {20: 2, 1: 3}), (3 + 2 * 2) / 167),
        ("free pips", text({7: 1, 6: 2, 3: 4}, {20: 2, 1: 3}), 12 / 167),
        ("break contact", text({7: 1, 3: 4}, {25: 1}), (7 + 12) / 167),  # O on the bar: only off is past it
        ("free pips", text({7: 1, 3: 4}, {25: 1}), 0),
        # The start: five from 13 and three from 8 to the 6 point, three spares on it to the 1 point.
        ("timing", f"{START} X roll", (5 * 7 + 3 * 2 + 3 * 5) / 100),
        ("timing", text({24: 2, 25: 1, 19: 2, 18: 1, 6: 2, 5: 2, 4: 1}, {2: 1}), (12 + 3) / 100),
        # Places 0, 0, 0, 12 on average 3: one behind it, 9 away.
        ("moment", text({1: 3, 13: 1}, {1: 2}), 81 / 250),
        ("moment", text({6: 4}, {1: 2}), 0),
        # 2 * 3 + 1 + 1, and the 5 point is empty.
        ("wastage", text({1: 4, 2: 2, 3: 4, 4: 1, 6: 1}, {1: 2}), 9 / 15),
        ("wastage", text({4: 5, 5: 5, 6: 5}, {1: 2}), 0),
        ("anchor", f"{START} X roll", 1 / 6),
        ("anchor", text({24: 2, 20: 2, 21: 1, 1: 1}, {6: 1}), 5 / 6),
        ("deepest anchor", text({24: 2, 20: 2, 21: 1, 1: 1}, {6: 1}), 1 / 6),
        ("anchor", text({24: 1, 18: 2}, {6: 1}), 0),
        ("prime", text({8: 2, 7: 3, 6: 2, 5: 1, 4: 2, 3: 2, 12: 2}, {24: 1}), 3 / 6),
        ("prime", text({8: 1}, {24: 1}), 0),
        # Before O's checker on X's 3 point lie 4 to 9: 4, 6 and 9 are made; 10 and 2 do not count.
        ("block", text({4: 2, 6: 3, 9: 2, 10: 2, 2: 2, 8: 1}, {22: 1, 1: 1}), 3 / 6),
        ("block", text({1: 2, 6: 3, 7: 2}, {25: 1}), 2 / 6),
        ("dances", text({25: 1}, {6: 2, 5: 2, 4: 2, 3: 1, 8: 2}), 9 / 36),
        ("dances", text({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}), 1),
    ],
)
def test_pips_points_and_checkers_are_counted_as_by_hand(name: str, position: str, expected: float) -> None:
    assert counted(position, name) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("position", "number"),
    [
        # From 8 and 13: spares on 8 (three), 13 (five) and 6 (five). Made: 5 by 31 (8 and 6), 4 by 42, 3 by 53,
        # 7 by 61 (13 and 8), and nothing else.
        (f"{START} X roll", 8),
        (text({8: 2, 6: 2, 13: 2}, {1: 2}), 0),  # pairs only
        (text({8: 1, 5: 1}, {1: 2}), 2 * (5 + 2)),  # any 3 joins the blot on 5; 51 and 52: 3 needs 5 and 2; 41: 4
        (text({8: 1, 5: 1, 25: 1}, {1: 2}), 0),
        (text({9: 1, 8: 1}, {20: 2, 1: 2}), 2 * 4),  # 65: 3; 43: O's point; 32: 6; 21: 7; 54: 4
    ],
)
def test_builders_are_counted_as_by_hand(position: str, number: int) -> None:
    assert rolls(position, "builders") == number


@pytest.mark.parametrize(
    ("away", "direct", "all_shots"),
    [
        *((1, 11, 11), (2, 11, 12), (3, 11, 14), (4, 11, 15), (5, 11, 15), (6, 11, 17), (7, 0, 6), (8, 0, 6)),
        *((9, 0, 5), (10, 0, 3), (11, 0, 2), (12, 0, 3), (13, 0, 0), (15, 0, 1), (16, 0, 1), (18, 0, 1), (20, 0, 1)),
    ],
)
def test_a_blot_is_hit_by_the_known_number_of_rolls(away: int, direct: int, all_shots: int) -> None:
    position = text({22: 1, 1: 2}, {3 + away: 1})
    assert rolls(position, "direct shots") == direct
    assert rolls(position, "shots") == all_shots


@pytest.mark.parametrize(
    ("x", "o", "number"),
    [
        ({22: 1, 19: 2}, {9: 1}, 16),  # 6 away, 3-3 blocked
        ({22: 1, 17: 2, 21: 2}, {9: 1}, 15),  # 6 away, 5-1 blocked both ways
        ({22: 1, 17: 2}, {9: 1}, 17),  # one way is enough
        ({5: 1}, {25: 1, 24: 1}, 23),  # 5 from the bar, 4 for the other: 5s, 4s but 5-4 again, 3-2, 2-2
        ({5: 1}, {25: 1}, 15),  # 5 from the bar: 5s, 4-1 and 3-2
        ({5: 1, 4: 2, 1: 2}, {25: 1}, 13),  # 4-1 blocked both ways
        ({5: 1}, {25: 2}, 11),  # both must enter
        ({19: 1}, {25: 1, 10: 1}, 12),  # 4 away for a checker that waits for the other to enter: 4s and 2-2
        ({17: 1, 23: 2}, {10: 1}, 10),  # 2 away: not by 6-2, of which only the 6 can be played; and 1-1
        ({19: 2, 5: 2}, {25: 1, 10: 1}, 0),
    ],
)
def test_blocks_the_bar_and_the_larger_die_limit_shots(x: dict[int, int], o: dict[int, int], number: int) -> None:
    assert rolls(text(x, o), "shots") == number


def test_the_most_expensive_blot_and_two_blots_are_counted_as_by_hand() -> None:
    position = text({16: 1, 20: 1}, {10: 1})  # 1 and 5 away; 9 and 5 pips are lost
    assert rolls(position, "shots") == 22
    assert rolls(position, "direct shots") == 20
    assert counted(position, "loss") == pytest.approx((11 * 9 + 11 * 5) / 36 / 24)
    assert rolls(position, "double shots") == 2  # 4-1
    assert rolls(text({16: 1, 20: 1}, {10: 2}), "double shots") == 4  # 5-1 too


def test_escapes_at_the_start_are_counted_as_by_hand() -> None:
    position = f"{START} X roll"  # O's points are 5, 7 and 12 away
    assert rolls(position, "escapes") == 36 - 4 - 6 - 1 - 1  # totals of 5, of 7, 6-6, and 5-5
    assert rolls(position, "leaps") == 24 - 6  # not 1-1, 2-1, 3-1, 2-2
    assert rolls(position, "back escapes") == 24
    assert rolls(text({25: 1}, {7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2}), "leaps") == 0  # behind a full prime
    assert rolls(text({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 1}), "leaps") == 2  # 6-1, the 1 first


def test_shots_are_the_rolls_with_which_the_rules_have_a_hitting_turn() -> None:
    states = some()
    for hitter in (0, 1):
        ends, owners, rolled = ends_by_roll(states, hitter)
        before, after = boards(states, 1 - hitter)[owners], boards(ends, 1 - hitter)
        hits = np.zeros((len(states), len(ROLLS)), np.int64)
        np.maximum.at(hits, (owners, rolled), after[:, 24] - before[:, 24])
        lost = np.zeros_like(hits)
        gone = (before > after)[:, :24]
        np.maximum.at(lost, (owners, rolled), (gone * (24 - np.arange(24))).max(axis=1))
        doubles = np.array([a == b for a, b in ROLLS])
        sides = seen("backgammon", states, 1 - hitter)[:, SIDES:]
        assert (np.rint(36 * sides[:, SIDE.index("shots")]) == (hits > 0) @ weights()).all()
        assert (np.rint(36 * 24 * sides[:, SIDE.index("loss")]) == lost @ weights()).all()
        assert (np.rint(36 * sides[:, SIDE.index("double shots")]) == ((hits > 1) & ~doubles) @ weights()).all()
        assert (hits > 0).mean() > 0.1


def test_escapes_are_the_rolls_that_a_checker_alone_can_play() -> None:
    games = some(150)[::3]
    for place in range(12, 25):  # X's only checker, too far to be borne off
        alone = games.copy()
        alone[:, 4:8] = 0
        alone[:, 4] = 1 << place
        alone = alone[boards(games, 1)[:, 23 - place] == 0] if place < 24 else alone
        ends, owners, rolled = ends_by_roll(alone, 0)
        moved = place - boards(ends, 0).argmax(axis=1)
        most = np.zeros((len(alone), len(ROLLS)), np.int64)
        np.maximum.at(most, (owners, rolled), moved)
        found = (most >= np.array(ROLLS).sum(axis=1)) @ weights()
        sides = seen("backgammon", alone, 0)[:, SIDES:]
        assert (np.rint(36 * sides[:, SIDE.index("escapes")]) == found).all()
        if place >= 18:
            assert (np.rint(36 * sides[:, SIDE.index("back escapes")]) == found).all()


def test_dances_are_the_rolls_after_which_the_rules_have_no_entry() -> None:
    waiting = some()
    waiting = waiting[boards(waiting, 0)[:, 24] > 0]
    ends, owners, rolled = ends_by_roll(waiting, 0)
    entered = np.zeros((len(waiting), len(ROLLS)), np.int64)
    np.maximum.at(entered, (owners, rolled), (boards(waiting, 0)[owners] > boards(ends, 0))[:, 24])
    dances = np.rint(36 * seen("backgammon", waiting, 0)[:, SIDES + SIDE.index("dances")])
    assert len(waiting) > 50
    assert (dances == (entered == 0) @ weights()).all()


def test_home_escapes_are_the_mean_over_the_bar_and_six_points() -> None:
    # O's 7 point alone is 7 away from the bar, then 6, 5 … 1: each time the totals and doubles that meet it are lost.
    lost = [6, 5 + 1, 4 + 1, 3 + 1, 2 + 1, 1 + 1, 1]
    assert rolls(text({25: 1}, {7: 2}), "escapes") == 36 - lost[0]
    assert rolls(text({24: 1}, {7: 2}), "escapes") == 36 - lost[1]
    assert rolls(text({19: 1}, {7: 2}), "escapes") == 36 - lost[6]
    assert 36 * counted(text({24: 1, 19: 3}, {7: 2}), "back escapes") == pytest.approx(36 - (lost[1] + lost[6]) / 2)
    assert counted(text({17: 1}, {7: 2}), "back escapes") == 1
    assert 36 * counted(text({1: 1}, {7: 2}), "home escapes") == pytest.approx(36 - sum(lost) / 7)


@pytest.mark.parametrize("name", GAMES)
def test_plain_python_counts_the_same(name: str) -> None:
    game, states = sw.game(name), played(name)[::97]
    function = specialise(expert, game.bindings, "python")
    out = np.zeros((len(states), EXPERT), np.float32)
    for state, row in zip(states, out, strict=True):
        function(state, 0, row)
    assert np.allclose(out[:, SIDES:], seen(name, states, 0)[:, SIDES:], atol=1e-6)

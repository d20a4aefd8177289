"""Backgammon: another engine's games, play counts, scores, notation, GNU Backgammon's position ids."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import spielwerk as sw
from spielwerk.games.backgammon import Settings, states
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.face.backgammon_ids import gnu_id

GAME = sw.game("backgammon:scoring=full")
START = ".b....E.C...eE...c.e....B."
# Distinct end positions of the first turn by roll.
PLAYS = {21: 15, 31: 16, 32: 17, 41: 14, 42: 18, 43: 17, 51: 8, 52: 8, 53: 9, 54: 9, 61: 10, 62: 14, 63: 14, 64: 14}
PLAYS |= {65: 7, 11: 42, 22: 75, 33: 73, 44: 52, 55: 4, 66: 11}
# Ids that GNU Backgammon 1.1 prints for (opponent, player on roll).
GNU_IDS = {
    "4HPwATDgc/ABMA": f"{START} X roll",
    "ARAJaZEukaSEAQ": "abaAaACAaAa.AaA.A.AA.A..aB X roll",
    "YQAAAO6jgKgEAA": "......CE..AA......A.bAAAaA X roll",
    "CbiFaBoDYJhCAA": ".Bba.ba..a..BabcB.AA..aAa. X roll",
}


def as_recorded(words: tuple[int, ...]) -> list[list[int]]:
    """[board, bar, off] in the recorded games' convention."""
    x, o = checkers(words, 0), checkers(words, 1)
    return [[x[23 - i] - o[i] for i in range(24)], [x[24], o[24]], [15 - sum(x), 15 - sum(o)]]


def parsed(ply: dict[str, Any]) -> sw.Position:
    (o_bar, x_bar), points = ply["bar"][::-1], [ply["board"][23 - p] for p in range(24)]
    signed = [-o_bar, *points, x_bar]
    letters = "".join(map(_letter, signed))
    half = "/2" if ply["half"] else ""
    return GAME.parse(f"{letters} {'XO'[ply['player']]} {ply['dice'][0]}{ply['dice'][1]}{half}")


def moved(ply: dict[str, Any], move: dict[str, Any]) -> str:
    """The position after a recorded move."""
    board, bar, off = list(ply["board"]), list(ply["bar"]), list(ply["off"])
    player, sign = ply["player"], 1 - 2 * ply["player"]
    for step in move["steps"]:
        if step["from"] == "bar":
            bar[player] -= 1
        else:
            board[step["from"]] -= sign
        if step["to"] == "off":
            off[player] += 1
            continue
        if step["hit"]:
            board[step["to"]] = 0
            bar[1 - player] += 1
        board[step["to"]] += sign
    return text([board, bar, off])


def text(position: list[list[int]]) -> str:
    return json.dumps(position, separators=(",", ":"))


@pytest.mark.slow
def test_another_engines_games_have_the_same_plays_and_results(records: Callable[[str], Iterator[Any]]) -> None:
    for number, record in enumerate(records("openspiel/bg_seed1_n200.jsonl.gz")):
        for ply in record["plies"][:: 1 if number < 100 else 7]:
            position = parsed(ply)
            ours = [text(as_recorded(position.play(action).words)) for action in position.actions()]
            assert len(ours) == len(set(ours))
            assert set(ours) == {moved(ply, move) for move in ply["legal"]}
        last = parsed(record["plies"][-1])
        ends = [last.play(action) for action in last.actions()]
        played = moved(record["plies"][-1], record["plies"][-1]["move"])
        assert [list(end.scores or ()) for end in ends if text(as_recorded(end.words)) == played] == [record["returns"]]


def test_whole_turns_lead_where_the_other_engines_lead(records: Callable[[str], Iterator[Any]]) -> None:
    for record in records("openspiel/bg_seed1_n200.jsonl.gz"):
        for ply in record["plies"][record["i"] % 5 :: 10]:
            if ply["half"] == 0:
                ends = sorted(text(as_recorded(turn.end.words)) for turn in parsed(ply).turns())
                assert len(ends) == ply["after_n"] == ply["strict_n"]
                assert hashlib.sha1("\n".join(ends).encode()).hexdigest() == ply["after_sha1"]


@pytest.mark.parametrize("roll", PLAYS)
def test_the_first_turn_has_the_known_number_of_plays(roll: int) -> None:
    position = GAME.parse(f"{START} X {roll}")
    moves = position.moves()
    assert len(set(moves)) == len(moves) == PLAYS[roll]
    assert [position.play(move) for move in moves] == [turn.end for turn in position.turns()]


def test_the_number_of_positions_is_the_published_one() -> None:
    assert states(Settings()) == 2 * 18528584051601162496


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("..b..........A............ X 65", ["13/7"]),  # one die only: the larger
        ("..b....b.....A............ X 65", ["13/8"]),  # the smaller where the larger cannot
        ("...................bbbbbbA X 65", ["pass"]),  # a closed board
        ("...................bbb.bbB X 33", ["bar/22(2)"]),  # both must enter before anything moves
        (".......b.....A...........b X 65", None),  # a checker of O on X's bar
        ("..AA...................... X 65", None),  # O would have won before
        ("...B.A..................b. X 64", ["5/1 3/off", "5/off 3/off"]),  # a larger number bears off from behind
        ("...B..A.................b. X 41", ["6/2 3/2", "6/1"]),  # but not while one is further behind
        ("a....A..................a. X 53", ["5/off"]),
    ],
)
def test_dice_are_played_by_the_rules(position: str, moves: list[str] | None) -> None:
    if moves is None:
        with pytest.raises(sw.BadInput):
            GAME.parse(position)
    else:
        assert sorted(GAME.parse(position).moves()) == sorted(moves)


def test_a_double_is_two_actions_of_the_same_player() -> None:
    position = GAME.parse(f"{START} X 66")
    half = position.play(position.actions()[0])
    assert (position.mover, half.mover) == (0, 0)
    assert str(half).endswith(" X 66/2")
    assert half.play(half.actions()[0]).roller == 1


Checkers = tuple[int, ...]


def single_steps(own: Checkers, other: Checkers, die: int) -> set[tuple[Checkers, Checkers]]:
    """Every position after one checker has moved by `die`, by the rule book."""
    found = set()
    home = not any(own[6:])
    for origin in [24] if own[24] else [place for place in range(24) if own[place]]:
        target = origin - die
        mine, theirs = list(own), list(other)
        mine[origin] -= 1
        if target < 0 and not (home and (target == -1 or not any(own[origin + 1 : 6]))):
            continue
        if target >= 0:
            if other[23 - target] > 1:
                continue
            mine[target] += 1
            theirs[24] += theirs[23 - target]
            theirs[23 - target] = 0
        found.add((tuple(mine), tuple(theirs)))
    return found


def all_ends(own: Checkers, other: Checkers, dice: tuple[int, ...]) -> set[tuple[Checkers, Checkers]]:
    """The ends of all turns that play the most dice, found by trying every order of single steps."""
    orders = [dice * 2] if dice[0] == dice[1] else [dice, dice[::-1]]
    levels = []  # (steps played, larger die played, ends)
    for order in orders:
        ends, played = {(own, other)}, 0
        for die in order:
            further = {end for mine, theirs in ends for end in single_steps(mine, theirs, die)}
            if not further:
                break
            ends, played = further, played + 1
        levels.append((played, played == 1 and order[0] == max(dice), ends))
    most = max(level[:2] for level in levels)
    return {end for played, larger, ends in levels if (played, larger) == most for end in ends}


@pytest.mark.slow
def test_turns_are_those_that_an_independent_search_of_single_steps_finds() -> None:
    chance = random.Random(3)
    for _ in range(60):
        position = GAME.start()
        while not position.over:
            if position.chance:
                position = position.roll(chance.choice(position.rolls()))
                own, other = (checkers(position.words, player) for player in (position.mover, 1 - position.mover))
                ends = {
                    tuple(tuple(checkers(turn.end.words, player)) for player in (position.mover, 1 - position.mover))
                    for turn in position.turns()
                }
                assert ends == all_ends(tuple(own), tuple(other), position.words[2:4]), position
            position = position.play(chance.choice(position.actions()))


def test_a_hit_is_marked_and_the_way_over_a_blot_is_told_apart() -> None:
    position = GAME.parse("..........a..A..........a. X 32")
    assert {"13/8", "13/10*/8"} <= set(position.moves())
    quiet, hit = position.play("13/8"), position.play("13/10*/8")
    assert str(quiet) == "........A.a.............a. O roll"
    assert str(hit) == "a.......A...............a. O roll"
    only = GAME.parse("..........ab.A..........a. X 32")
    assert only.play("13/8") == only.play("13/10*/8")  # where only one way exists the star may be left out


@pytest.mark.parametrize("move", ["8/5, 6/5", "6/5 8/5", "8/5  6/5"])
def test_moves_are_read_in_any_order(move: str) -> None:
    position = GAME.parse(f"{START} X 31")
    assert position.play(move) == position.play("8/5 6/5")


@pytest.mark.parametrize(
    "move", ["8/4 6/5", "8/5*", "bar/5", "99/98", "6/off", "8/5 6/5 6/5", "", "8", "8/9/5 6/5", "6/6"]
)
def test_an_illegal_move_is_refused_in_one_sentence(move: str) -> None:
    position = GAME.parse(f"{START} X 31")
    with pytest.raises(sw.BadInput, match=r"is not legal here\. Legal moves: "):
        position.play(move)


@pytest.mark.parametrize(
    ("game", "position", "score"),
    [
        ("backgammon:scoring=full", ".A......................n. X 61", 1),  # one borne off
        ("backgammon:scoring=full", ".A......................o. X 61", 2),
        ("backgammon:scoring=full", ".Ab.....................m. X 61", 3),  # two in the winner's home
        ("backgammon:scoring=full", "aA......................n. X 61", 3),  # one on the bar
        ("backgammon:scoring=gammon", "aA......................n. X 61", 2),
        ("backgammon", "aA......................n. X 61", 1),
        ("backgammon:checkers=3,scoring=full", ".A......................b. X 61", 1),
        ("backgammon:checkers=3,scoring=full", ".A......................c. X 61", 2),
        ("backgammon:checkers=3,scoring=full", ".Ac....................... X 61", 3),
    ],
)
def test_a_win_scores_by_what_the_loser_has_left(game: str, position: str, score: int) -> None:
    end = sw.game(game).parse(position).play("1/off")
    assert end.over
    assert end.scores == (score, -score)


def test_hyper_backgammon_begins_with_three_checkers_on_the_last_points() -> None:
    assert str(sw.game("backgammon:checkers=3").start()) == ".aaa..................AAA. X opening"


@pytest.mark.parametrize("gnu", GNU_IDS)
def test_gnu_backgammons_position_ids_are_read_and_written(gnu: str) -> None:
    position = GAME.parse(gnu)
    assert str(position) == GNU_IDS[gnu]
    assert gnu_id(position) == gnu


@pytest.mark.parametrize("move", ["", "6/6", "1/1(4)"])
def test_only_a_pass_passes(move: str) -> None:
    position = GAME.parse("...................bbbbbbA X 65")
    with pytest.raises(sw.BadInput):
        position.play(move)
    assert position.play("pass").roller == 1


def test_judged_decisions_have_exactly_the_judged_plays(records: Callable[[str], Iterator[Any]]) -> None:
    for judged in records("backgammon/gnubg_judged.jsonl.gz"):
        other, own = judged["board"]
        letters = "".join(_letter(own[p] - other[23 - p]) for p in range(24))
        dice = "".join(map(str, judged["dice"]))
        position = GAME.parse(f"{_letter(-other[24])}{letters}{_letter(own[24])} X {dice}")
        ours = sorted([checkers(turn.end.words, 1), checkers(turn.end.words, 0)] for turn in position.turns())
        assert ours == sorted(board for board, _, _ in judged["afters"])


def _letter(number: int) -> str:
    return chr(64 + number) if number > 0 else chr(96 - number) if number < 0 else "."


def test_the_planes_and_tesauros_inputs_show_the_start() -> None:
    position = GAME.parse(f"{START} X 31")
    planes = position.observe()
    assert planes.shape == (9, 24)
    assert planes[0, 5] == pytest.approx(5 / 15)  # own 6 point
    assert planes[1, 0] == pytest.approx(2 / 15)  # O's two on X's 1 point
    assert planes[6, 0] == pytest.approx(3 / 6)
    assert planes[7, 0] == pytest.approx(1 / 6)
    assert (planes[8] == 0).all()
    units = position.observe(inputs="tesauro")
    assert units.shape == (198,)
    assert units[4 * 5 : 4 * 6].tolist() == [1, 1, 1, 1]  # five checkers: three and half of two
    assert units[4 * 23 : 4 * 24].tolist() == [1, 1, 0, 0]
    assert units[[96, 97, 196, 197]].tolist() == [0, 0, 1, 0]
    assert (position.observe(1, inputs="tesauro")[:98] == units[98:196]).all()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (".b....P.C...eE...c.e....B. X roll", "is not a position"),
        (".b....F.C...eE...c.e....B. X roll", "X has 16 checkers"),
        (".b....E.C...eE...c.e....B. X wins", "exactly when none are left"),
        (".b....D.C...eE...c.e....B. X opening", "Only the starting position"),
        (".b....E.C...eE...c.e....B. X 31/2", "not a double"),
        ("Ab....E.C...eE...c.e...... X 31", "wrong bar"),
        ("//////////////", "is not a position id"),
        ("xHPwATDgcqABMA", "something follows the last point"),
    ],
)
def test_an_impossible_position_is_refused_in_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(sw.BadInput, match=reason):
        GAME.parse(text)

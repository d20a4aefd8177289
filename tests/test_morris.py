"""Morris: the rules, against the rule book, solved positions, a strong player's and another engine's games."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import spielwerk as sw
from spielwerk.names import BadInput

Records = Callable[[str], Iterator[Any]]


def words(text: str) -> list[str]:
    return text.split()


POINTS = words("a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1")
SIX_POINTS = words("a5 c5 e5 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 a1 c1 e1")
CLOCKWISE = words("d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7")
SIX_CLOCKWISE = words("c4 d4 d3 d2 c2 b2 b3 b4 c5 e5 e3 e1 c1 a1 a3 a5")
SPOKES = ["a4 b4 c4", "e4 f4 g4", "d1 d2 d3", "d5 d6 d7"]
SIDES = ["a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"]
SIDES += ["a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"]
DIAGONALS = ["a7 b6 c5", "g7 f6 e5", "a1 b2 c3", "g1 f2 e3"]
SIX_SIDES = ["a5 c5 e5", "b4 c4 d4", "b2 c2 d2", "a1 c1 e1", "a1 a3 a5", "b2 b3 b4", "d2 d3 d4", "e1 e3 e5"]
MILLS = {
    "standard": SIDES + SPOKES,
    "lasker": SIDES + SPOKES,
    "morabaraba": SIDES + SPOKES + DIAGONALS,
    "six": SIX_SIDES,
}


def line(white: str, black: str, mover: str, hands: tuple[int, int] = (0, 0), due: str = "", more: str = "") -> str:
    """The text of a position with men on these points."""
    letters = "".join("O" if point in white else "@" if point in black else "*" for point in CLOCKWISE)
    phase = "p" if hands["wb".index(mover)] else "m"
    men = f"{len(white.split())} {hands[0]} {len(black.split())} {hands[1]}"
    rings = "/".join(letters[i : i + 8] for i in (0, 8, 16))
    return f"{rings} {mover} {phase} {due or phase.replace('m', 's')} {men} {more}".strip()


def six(white: str, black: str, mover: str) -> str:
    """The text of a position of six men's morris with no men in hand."""
    letters = "".join("O" if point in white else "@" if point in black else "*" for point in SIX_CLOCKWISE)
    return f"{letters[:8]}/{letters[8:]} {mover} m s {len(white.split())} 0 {len(black.split())} 0"


def moves(game: str, text: str) -> set[str]:
    return set(sw.game(game).parse(text).moves())


def test_the_start_is_written_as_morris_programs_write_it() -> None:
    assert str(sw.game("morris").start()) == "********/********/******** w p p 0 9 0 9"
    assert str(sw.game("morris:rules=lasker").start()) == "********/********/******** w p p 0 10 0 10"
    assert str(sw.game("morris:rules=morabaraba").start()) == "********/********/******** w p p 0 12 0 12"
    assert str(sw.game("morris:rules=six").start()) == "********/******** w p p 0 6 0 6"


@pytest.mark.parametrize("name", ["nmm_seed1_n200", "nmm_blocked_seed2", "nmm_allmills_seed3"])
def test_games_of_another_engine_are_the_same_here(records: Records, name: str) -> None:
    game = sw.game("morris:quiet=0,turns=200")
    for record in records(f"openspiel/{name}.jsonl.gz"):
        position = game.start()
        for turn in record["plies"]:
            assert position.mover == turn["player"]
            assert set(position.moves()) == {spelled(move) for move in turn["legal"]}
            position = position.play(spelled(turn["move"]))
        assert position.scores == tuple(record["returns"])


def spelled(move: dict[str, Any]) -> str:
    source = "" if move["from"] is None else f"{POINTS[move['from']]}-"
    taken = "" if move["remove"] is None else f"x{POINTS[move['remove']]}"
    return source + POINTS[move["to"]] + taken


def test_solved_positions_have_exactly_the_moves_that_were_judged(records: Records) -> None:
    game = sw.game("morris")
    for judged in records("morris/judged.jsonl.gz"):
        position = game.parse(judged["position"])
        assert str(position) == judged["position"]
        assert set(position.moves()) == set(judged["moves"])


def test_the_observed_moves_of_a_strong_player_are_legal(refs: Path) -> None:
    game = sw.game("morris")
    with gzip.open(refs / "nnmm" / "DATASET.complete.txt.gz", "rt") as file:
        for text in islice(file, 0, None, 10):
            state, _, move = text.strip().partition("-")
            position = game.parse(observed(state))
            if position.over:
                assert state[24] + state[26] == "11"  # two men in all have lost, which that player did not know
            else:
                assert move in {legal.replace("-", "").replace("x", "") for legal in position.moves()}


def observed(state: str) -> str:
    """A line of the observed games as a position of ours; the mover is white if the hands are equal."""
    mine, theirs = (" ".join(p for p, c in zip(POINTS, state, strict=False) if c == man) for man in "ME")
    hand, other_hand = int(state[24]), int(state[25])
    if hand == other_hand:
        return line(mine, theirs, "w", (hand, other_hand))
    return line(theirs, mine, "b", (other_hand, hand))


def test_actions_are_numbered_as_the_design_says() -> None:
    position = sw.game("morris").parse(line("a7 d7", "b2 d2 f4", "w", (4, 4)))
    assert position.actions() == [576 + i for i, p in enumerate(POINTS) if p not in words("a7 d7 b2 d2 f4")]
    due = position.play(576 + POINTS.index("g7"))
    assert due.mover == 0
    assert due.actions() == [576 + POINTS.index(p) for p in ("f4", "b2", "d2")]
    moving = sw.game("morris").parse(line("a7 g1 f2 e3", "b2 d2 f4", "w"))
    slides = [("a7", "d7"), ("a7", "a4"), ("e3", "e4"), ("e3", "d3"), ("g1", "g4"), ("g1", "d1")]
    assert moving.actions() == sorted(24 * POINTS.index(a) + POINTS.index(b) for a, b in slides)
    constants = [sw.game(f"morris:rules={rules}").constants for rules in MILLS]
    assert [each["ACTIONS"] for each in constants] == [600, 600, 600, 272]


def test_two_mills_closed_at_once_take_one_man() -> None:
    position = sw.game("morris").parse(line("a7 g7 d6 d5", "a1 b2 c3 f4", "w", (4, 4)))
    closing = [turn for turn in position.turns() if turn.text.startswith("d7")]
    assert {turn.text for turn in closing} == {"d7xa1", "d7xb2", "d7xc3", "d7xf4"}
    assert {turn.end.mover for turn in closing} == {1}


def test_men_in_mills_are_safe_unless_all_are_in_mills() -> None:
    white = "a7 d7 g4 b4"
    assert {m for m in moves("morris", line(white, "a1 d1 g1 f2 e3", "w")) if "x" in m} == {"g4-g7xf2", "g4-g7xe3"}
    taking = {m for m in moves("morris", line(white, "a1 d1 g1", "w", (0, 2))) if "x" in m}
    assert taking == {"g4-g7xa1", "g4-g7xd1", "g4-g7xg1"}


def test_three_men_jump_but_not_while_men_are_in_hand() -> None:
    men = ("a7 d6 c3", "b2 d2 f4 g1")
    assert len(moves("morris", line(*men, "w"))) == 3 * 17
    assert moves("morris", line(*men, "w", (1, 1))) == set(POINTS) - set(" ".join(men).split())


def test_a_player_with_two_men_or_without_a_move_has_lost() -> None:
    game = sw.game("morris")
    won = game.parse(line("a7 d7 g4", "b2 d2 f4", "w")).play("g4-g7xb2")
    assert won.over
    assert won.scores == (1.0, -1.0)
    assert not game.parse(line("a7 d7 g4", "b2 d2 f4", "w", (0, 1))).play("g4-g7xb2").over
    blocked = game.parse(line("a7 g7 a1 g1", "a4 d7 g4 d2 f2", "b")).play("d2-d1")
    assert blocked.over
    assert blocked.scores == (-1.0, 1.0)
    assert game.parse(str(won)) == won
    assert game.parse(str(blocked)) == blocked


def test_a_mill_with_nothing_to_take_passes_the_turn() -> None:
    after = sw.game("morris").parse(line("a7 d7", "", "w", (7, 9))).play("g7")
    assert after.mover == 1


def test_quiet_turns_make_a_draw_and_taking_or_placing_begins_anew() -> None:
    game = sw.game("morris:quiet=3")
    position = game.parse(line("a7 d7 g4 b4", "a1 d2 f2 e5", "w", more="q1"))
    assert position.play("g4-g1").play("e5-d5").scores == (0.0, 0.0)
    assert str(position.play("g4-g7xd2")) == line("a7 d7 g7 b4", "a1 f2 e5", "b")
    assert " q" not in str(position.play(game_action("g4", "g7")))
    lasker = sw.game("morris:rules=lasker,quiet=3").parse(line("a7 d6", "a1 g1", "w", (8, 8), more="q2"))
    assert lasker.play("a7-a4").scores == (0.0, 0.0)
    assert str(lasker.play("a4")) == line("a7 d6 a4", "a1 g1", "b", (7, 8))


def game_action(source: str, target: str) -> int:
    return 24 * POINTS.index(source) + POINTS.index(target)


def test_a_win_on_the_last_turn_before_a_draw_is_a_win() -> None:
    taking = sw.game("morris:turns=200").parse(line("a7 d7 g4", "b2 d2 f4", "w", more="t199"))
    assert taking.play("g4-g7xb2").scores == (1.0, -1.0)
    assert taking.play("g4-g1").scores == (0.0, 0.0)
    blocking = sw.game("morris").parse(line("a7 g7 a1 g1", "a4 d7 g4 d2 f2", "b", more="q99"))
    assert blocking.play("d2-d1").scores == (-1.0, 1.0)
    assert blocking.play("d2-d3").scores == (0.0, 0.0)


@pytest.mark.parametrize("repeat", [2, 3])
def test_a_position_that_comes_again_is_a_draw(repeat: int) -> None:
    game = sw.game("morris", repeat=repeat)
    position = game.parse(line("a7 b6 c3 d2", "g7 f6 e3 d1", "w"))
    for number in range(4 * (repeat - 1)):
        assert not position.over
        position = position.play(("a7-a4", "g7-g4", "a4-a7", "g4-g7")[number % 4])
        assert game.parse(str(position)) == position
    assert position.scores == (0.0, 0.0)


def test_a_taking_ends_the_memory_of_positions() -> None:
    game = sw.game("morris:repeat=2")
    position = game.parse(line("a7 d7 g4 b4", "a1 d2 f2 e5", "w")).play("b4-c4").play("e5-e4").play("g4-g7xe4")
    assert str(position) == line("a7 d7 g7 c4", "a1 d2 f2", "b")
    assert position == game.parse(str(position))


def test_lasker_lets_men_slide_before_all_are_placed_but_not_jump() -> None:
    assert moves("morris:rules=lasker", line("d6", "a1", "w", (9, 9))) == {
        *(point for point in POINTS if point not in ("d6", "a1")),
        *("d6-b6", "d6-f6", "d6-d5", "d6-d7"),
    }
    three = moves("morris:rules=lasker", line("d6 a4 c5", "a1 g1 d1", "w", (1, 1)))
    assert "a4-b4" in three
    assert "a4-g7" not in three
    assert "a4-g7" in moves("morris:rules=lasker", line("d6 a4 c5", "a1 g1 d2", "w"))


def test_morabaraba_has_diagonals() -> None:
    position = line("a7 b6", "a1 g1", "w", (10, 10))
    assert {"c5xa1", "c5xg1"} <= moves("morris:rules=morabaraba", position)
    assert "b6-c5" in moves("morris:rules=morabaraba", line("a7 b6 d3 d2", "a1 g1 c3 f4", "w"))


def test_a_full_board_of_morabaraba_is_a_draw() -> None:
    game = sw.game("morris:rules=morabaraba")
    white = "a4 d1 b2 a7 g7 d6 f6 c5 e5 f4 d3 g1"
    black = " ".join(p for p in POINTS if p not in white.split() and p != "a1")
    full = game.parse(line(white, black, "b", (0, 1))).play("a1")
    assert full.scores == (0.0, 0.0)
    assert game.parse(str(full)) == full


def test_six_mens_morris_has_no_jumping_and_no_mills_across_the_rings() -> None:
    assert sw.game("morris:rules=six").start().moves() == SIX_POINTS
    assert moves("morris:rules=six", six("a5 c4 e1", "c5 b2 d3", "w")) == {
        *("a5-a3", "c4-b4", "c4-d4", "e1-c1", "e1-e3"),
    }
    assert moves("morris:rules=six", six("a5 c5 d4", "b2 d2 a1", "w")) >= {"c5-e5", "d4-c4", "a5-a3"}
    assert "c4-c5xb2" in moves("morris:rules=six", six("a5 e5 c4", "b2 d2 a1", "w"))


@pytest.mark.parametrize("rules", MILLS)
def test_the_symmetries_are_a_group_of_16_that_keeps_the_mills(rules: str) -> None:
    game = sw.game(f"morris:rules={rules}")
    names = SIX_POINTS if rules == "six" else POINTS
    group = {tuple(row) for row in game.constants["TURNED"].tolist()}
    mills = {frozenset(map(names.index, mill.split())) for mill in MILLS[rules]}
    assert len(group) == 16
    assert tuple(game.constants["TURNED"][0].tolist()) == tuple(range(len(names)))
    assert {tuple(a[b[p]] for p in range(len(names))) for a in group for b in group} == group
    assert all({frozenset(turning[p] for p in mill) for mill in mills} == mills for turning in group)
    partners = {
        frozenset((i, *bits(word))) for i, row in enumerate(game.constants["PARTNERS"].tolist()) for word in row
    }
    assert {mill for mill in partners if len(mill) == 3} == mills


def bits(word: int) -> list[int]:
    return [i for i in range(word.bit_length()) if word >> i & 1]


def test_the_observation_is_the_mover_s_view() -> None:
    game = sw.game("morris")
    assert game.start().observe().tolist() == [0.0] * 48 + [1.0] * 24 + [1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0]
    position = game.parse(line("a7 d7 g7 a1", "b2 d2 f4", "w", due="r"))
    mine, theirs = [[float(p in men) for p in POINTS] for men in (words("a7 d7 g7 a1"), words("b2 d2 f4"))]
    free = [1.0 - a - b for a, b in zip(mine, theirs, strict=True)]
    assert position.observe(0).tolist() == mine + theirs + free + [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1]
    assert position.observe(1).tolist() == theirs + mine + free + [0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("given", ["g4-g7xb2", "G4-G7XB2", "g4g7xb2", "g4 g7 x b2", "g4–g7xB2", " g4 - g7xb2 "])
def test_moves_are_understood_in_the_ways_people_write_them(given: str) -> None:
    position = sw.game("morris").parse(line("a7 d7 g4 c3", "b2 d2 f4 e3", "w"))
    assert position.play(given) == position.play("g4-g7xb2")


def test_the_man_taken_may_be_left_out_where_only_one_can_be_taken() -> None:
    game = sw.game("morris")
    position = game.parse(line("a7 d7 g4 b4", "a1 d1 g1 f2", "w"))
    assert position.play("g4g7") == position.play("g4-g7xf2")
    with pytest.raises(BadInput, match="ambiguous here; it may mean g4-g7xf2, g4-g7xd1"):
        game.parse(line("a7 d7 g4 b4", "d1 f2", "w", (0, 2))).play("g4-g7")
    due = position.play(game_action("g4", "g7"))
    assert due.moves() == ["xf2"]
    assert due.play("xf2") == due.play("f2") == position.play("g4-g7xf2")
    assert game.parse(str(due)) == due


START = "********/********/********"
BAD = [
    ("nonsense", "is not a position"),
    (f"{START} w p p 0 9 0", "is not a position"),
    (f"{START} x p p 0 9 0 9", "is not a position"),
    ("********/******** w p p 0 9 0 9", "3 rings of 8 points"),
    ("********/*******/********* w p p 0 9 0 9", "3 rings of 8 points"),
    (f"{START} w p p 1 8 0 9", "shows 0 white men"),
    (f"{START} w p p 0 10 0 9", "White cannot have 10 men"),
    (line("a1 a4", "b2", "w", (8, 9)), "White cannot have 10 men"),
    (line("a1 a4 d7", "b2", "w"), "Black cannot have 1 men"),
    (line("a1 a4 d7", "b2 b4", "w"), "black is to move, not white"),
    (f"{START} w m s 0 9 0 9", 'the phase is "p", not "m"'),
    (f"{START} w p s 0 9 0 9", '"p" or "r" is due, not "s"'),
    (line("a1 a4 d7", "b2 b4 d2", "w", due="p"), '"s" or "r" is due, not "p"'),
    (line("a1 a4 d7", "b2 b4 d2", "w", due="r"), "White has no mill"),
    (line("a1 a4 a7", "", "w", (6, 7), due="r"), "Black has no man on the board"),
    (line("a1 a4", "b2 b4 d2", "w", due="r"), "White has only 2 men"),
    (line("a1 a4 d7", "b2 b4 d2", "w", more="q101"), "counts up to 100"),
    (line("a1 a4 d7", "b2 b4 d2", "w", more="t1"), "turns=0"),
    (line("a1 a4 a7", "b2 b4 d2", "w", due="r", more="q1"), "A removal is due"),
    (line("a1 a4 d7", "b2 b4 d2", "w", more="q1 ra1a4"), "remembers no slides"),
]
FORGETFUL = [
    ("q1", "q1 needs 1 slides"),
    ("q2 ra1a4", "q2 needs 2 slides"),
    ("q1 ra1", "is not a slide"),
    ("q1 ra1g4", "cannot have led"),
    ("q1 rd2d3", "cannot have led"),
    ("q1 re3d2", "is not legal"),
    ("ra1a4", "q0 needs 0 slides"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_impossible_positions_are_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        sw.game("morris").parse(text)


@pytest.mark.parametrize(("past", "sentence"), FORGETFUL)
def test_an_impossible_past_is_refused_with_a_reason(past: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        sw.game("morris:repeat=3").parse(line("a1 a4 d7 g7", "b2 b4 d2 f4", "w", more=past))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("quiet=-1", 'quiet cannot be "-1"'),
        ("turns=-5", 'turns cannot be "-5"'),
        ("repeat=4", 'repeat cannot be "4"'),
        ("repeat=2,quiet=0", "repeat=2 needs quiet from 1 to 400, not 0"),
        ("repeat=3,quiet=401", "repeat=3 needs quiet from 1 to 400, not 401"),
        ("rules=seven", "possible: standard, lasker, morabaraba, six"),
    ],
)
def test_impossible_variants_are_refused_with_a_reason(settings: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        sw.game(f"morris:{settings}")


def test_the_board_shows_lines_men_and_hands() -> None:
    shown = sw.game("morris").parse(line("a7 d6", "e3", "b", (7, 8))).board().splitlines()
    assert shown[0] == "7  O───────────┬───────────┐    @ black  8 in hand"
    assert shown[2] == "6  │   ┌───────O───────┐   │    O white  7 in hand"
    assert shown[8] == "3  │   │   └───┬───@   │   │"
    assert shown[12] == "1  └───────────┴───────────┘    black to move"
    assert shown[13] == "   a   b   c   d   e   f   g"

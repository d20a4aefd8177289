"""The words of scenes: what is to be done, why a touch is refused, and by how much a game was won."""

from __future__ import annotations

import pytest

import spielwerk as sw
from spielwerk.games.position import Position
from spielwerk.games.scenes import Hop, plain
from spielwerk.games.scenes.showing import margin_of, partial_turn, task_of

START = ".b....E.C...eE...c.e....B."
SHUT = "...................bbbbbbA X 66"  # O holds its whole home
BEATEN = "o......................... X wins"
JUMPING = "******O*/******@*/**O@@*O* w m s 3 0 3 0"


def played(game: str, *moves: str) -> Position:
    position = sw.game(game).start()
    for move in moves:
        position = position.play(move)
    return position


def refused(position: Position, *hops: tuple[str, str]) -> str:
    with pytest.raises(sw.BadInput) as problem:
        partial_turn(position, tuple(Hop(*hop) for hop in hops))
    return str(problem.value)


@pytest.mark.parametrize(
    ("game", "text", "task"),
    [
        ("morris", "", "place a man"),
        ("morris", JUMPING, "jump with a man"),
        ("morris:rules=six", "@*O*O*@*/O*@***** w m s 3 0 3 0", "move a man"),
        ("morris:rules=lasker", "", "place a man"),
        ("morris:rules=lasker", "********/********/O@****** w p p 1 9 1 9", "place a man or move one"),
        ("othello", "", "place a disc"),
        ("othello:size=4", "OXXX/XXXX/XXXX/XXX. X", "no disc can be placed, pass"),
        ("nim", "", "take matches from one stack"),
        ("einstein", "X1X3.../...../...../...../....O1 X 2", "move 1 or 3"),
        ("backgammon", f"{START} X 31", "move a checker"),
        ("backgammon", ".b....D.C...eE...c.e....BA X 31", "enter a checker from the bar"),
        ("backgammon", ".b....C.C...eE...c.e....BB X 31", "enter 2 checkers from the bar"),
        ("backgammon", SHUT, "no checker can move, touch the dice to pass"),
    ],
)
def test_every_game_says_what_is_to_be_done(game: str, text: str, task: str) -> None:
    position = sw.game(game).parse(text) if text else sw.game(game).start()
    assert task_of(position) == task


def test_a_mill_is_said_before_the_man_is_taken() -> None:
    position = played("morris", "a1", "a7", "d1", "d7")
    assert task_of(position, partial_turn(position, (Hop("", "g1"),))) == "a mill, take a man"


def test_a_turn_of_backgammon_says_the_die_that_is_left_and_that_it_is_to_be_confirmed() -> None:
    position = sw.game("backgammon").parse(f"{START} X 31")
    first, second = Hop("8", "5"), Hop("6", "5")
    assert task_of(position, partial_turn(position, (first,))) == "move a checker by 1"
    assert task_of(position, partial_turn(position, (first, second))) == "touch the dice to confirm, or take back"


def test_a_game_without_words_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sw.game("nim:stacks=2-2")  # a variant of its own, since stages are cached
    monkeypatch.setattr(game, "scene", plain.__name__)
    assert task_of(game.start()) == ""
    assert margin_of(game.parse("0-0 A")) == ""
    assert refused(game.start(), ("", "moves 9:9")) == "moves 9:9 cannot be chosen here."


@pytest.mark.parametrize(
    ("position", "hop", "sentence"),
    [
        (played("morris", "a1"), ("", "a1"), "A man cannot be placed on a1, which is taken."),
        (played("morris", "a1", "a7"), ("a1", "a4"), "The man on a1 cannot move yet: all men are placed first."),
        (played("morris", "a1"), ("a1", "a4"), "a1 cannot be chosen: no man of black is there to move."),
        (played("othello"), ("", "d4"), "A disc cannot be placed on d4, which is taken."),
        (played("othello"), ("", "a1"), "A disc cannot be placed on a1: it would turn no other over."),
        (played("nim", "4:3"), ("", "4.5"), "This match cannot be taken: stack 4 has 4 left."),
        (played("nim"), ("", "9.9"), "9.9 cannot be chosen here."),
    ],
)
def test_a_refused_touch_says_why(position: Position, hop: tuple[str, str], sentence: str) -> None:
    assert refused(position, hop) == sentence


def test_a_man_that_is_blocked_or_goes_too_far_is_told_so() -> None:
    position = sw.game("morris").parse("********/********/@OO@*@OO w m s 4 0 3 0")
    assert refused(position, ("", "d7")).startswith("d7 cannot be chosen: no man of white")
    assert refused(position, ("g7", "d7")) == "The man on g7 cannot go to d7, which is taken."
    assert refused(position, ("g4", "a1")) == "The man on g4 cannot go to a1, which is taken."
    assert refused(position, ("g4", "d6")).endswith("it goes along a line to the next point.")
    assert refused(position, ("", "g7")) == "The man on g7 cannot move: every point beside it is taken."


def test_only_men_outside_mills_are_taken_and_it_is_said() -> None:
    position = played("morris", "a1", "a7", "d1", "d7", "b2", "g7xa1", "a1", "b6", "f2", "d6")
    mill = ("", "g1")
    assert refused(position, mill, ("", "a7")).startswith("The man on a7 cannot be taken: it stands in a mill")
    assert refused(position, mill, ("", "a1")) == "a1 cannot be chosen: take a man of black."


def test_einstein_names_the_stones_that_may_move() -> None:
    position = sw.game("einstein").parse("X1X3X4../...../...../...../....O1 X 2")
    assert refused(position, ("", "c5")) == "Stone 4 cannot move after this roll: move 1 or 3."
    assert refused(position, ("", "e1")) == "e1 cannot be chosen: move 1 or 3."
    assert refused(position, ("a5", "c3")) == "Stone 1 cannot go to c3: it goes one step towards the far corner."


@pytest.mark.parametrize(("player", "empty", "source", "target"), [("X", "4", "6", "2"), ("O", "21", "19", "23")])
def test_points_of_backgammon_are_numbered_as_the_mover_sees_them(
    player: str, empty: str, source: str, target: str
) -> None:
    position = sw.game("backgammon").parse(f"{START} {player} 31")
    assert refused(position, ("", empty)) == f"A checker cannot move from point 4: {player} has none there."
    assert refused(position, (source, "off0")).startswith("A checker cannot move from point 6 to ")
    assert refused(position, (source, target), ("", empty)).startswith(
        "A checker cannot move from point 6 to point 2 by 3"
    )


def test_checkers_on_the_bar_enter_first_and_it_is_said() -> None:
    position = sw.game("backgammon").parse(".b....D.C...eE...c.e....BA X 31")
    assert refused(position, ("", "8")) == "A checker cannot move from point 8: one on the bar enters first."
    shut = sw.game("backgammon").parse(SHUT)
    assert refused(shut, ("", "bar0")) == "No checker can move; touch the dice."


@pytest.mark.parametrize(
    ("game", "text", "margin"),
    [
        ("backgammon", "........................a. X wins", ""),
        ("othello:size=4", "XXXX/XXXX/XXXX/XXXO -", "15–1"),
    ],
)
def test_a_result_says_by_how_much(game: str, text: str, margin: str) -> None:
    assert margin_of(sw.game(game).parse(text)) == margin


@pytest.mark.parametrize(
    ("scoring", "margin"), [("win", ""), ("gammon", "a gammon (2 points)"), ("full", "a backgammon (3 points)")]
)
def test_a_backgammon_is_called_what_it_counts(scoring: str, margin: str) -> None:
    assert margin_of(sw.game(f"backgammon:scoring={scoring}").parse(BEATEN)) == margin

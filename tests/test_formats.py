"""Games as other programs write them: matches of backgammon (`.mat`) and transcripts of Othello."""

from __future__ import annotations

import pytest

import spielwerk as sw
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records import formats
from spielwerk.arena.records.formats import mat, transcript
from spielwerk.arena.records.reader import parse
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check, records
from spielwerk.names import BadInput

MATCH = """; [Site "a club"]
; [Player 1 "Ann"]

 7 point match

 Game 1
 Ann : 0                              Ben : 2
  1)                                  52: 13/8 24/22
  2) 31: 8/5 6/5                      64: 24/14
  3)  Doubles => 2                     Takes
  4) 66: 24/18(2) 13/7(2)             66: 8/2(4)
  5) 21: 6/5 8/6                       Doubles => 4
  6)  Drops
                                       Wins 2 points

 Game 2
 Ann : 0                              Ben : 4
  1) 65: 24/13                        41: 24/23 13/9
  2) 43: 13/9 24/21
      Wins 1 point
"""
# The shortest game in which black takes every disc, and one in which white must pass.
WIPED_OUT = "e6f4e3f6g5d6e7f5c5"


def games(text: str) -> list[Record]:
    return [record for _, record in formats.read(text.splitlines())]


def played(name: str, count: int) -> list[Record]:
    game = sw.game(name)
    plan = Plan(game.name, ("random", "random"), count, 1, "teams")
    block = play_block(plan, game, (sw.agent("random", game), sw.agent("random", game)), 0, count, keep=True)
    return list(records(plan, game, block).values())


def test_a_match_is_read_with_the_cube_as_comments_and_the_score_as_a_header() -> None:
    first, second = games(MATCH)
    assert first.game == "backgammon:scoring=full"
    assert first.agents == ("Ben", "Ann")  # who rolls first is X
    assert first.headers == {
        **{"Site": "a club", "Player1": "Ann", "Length": "7", "Number": "1", "Score": "Ann 0, Ben 2"},
        "Outcome": "Ben wins 2 points",
    }
    assert [line.roll for line in first.turns] == ["5-2", "3-1", "6-4", "6-6", "6-6", "2-1"]
    assert [line.move for line in first.turns][3:5] == ["24/18(2) 13/7(2)", "8/2(4)"]
    assert [line.comment for line in first.turns] == ["", "", "", "Ann doubles to 2, Ben takes", "", ""]
    assert first.fault == (1, "Ben doubles to 4, drops the cube")
    assert first.scores == (1, -1)
    assert second.fault == (1, "resigns")
    for record in (first, second):
        check(record)
        assert parse(record.text()) == record
        assert parse(record.json()) == record


def test_points_may_be_written_as_numbers_and_moves_as_in_other_programs() -> None:
    text = MATCH.replace("13/8 24/22", "24/22, 13/8").replace("8/2(4)", "8/2 8/2 8/2 8/2")
    assert [record.scores for record in games(text)] == [record.scores for record in games(MATCH)]
    assert mat._move("25/22* 6/0(2) 13/7*/0") == "bar/22* 6/off(2) 13/7*/off"
    assert mat._move(" Cannot Move ") == mat._move("") == "pass"


def test_games_of_ours_survive_the_way_to_a_match_and_back() -> None:
    ours = played("backgammon:scoring=full", 20)
    again = games("".join(mat.write(ours)))
    assert [record.turns for record in again] == [record.turns for record in ours]
    assert [record.scores for record in again] == [record.scores for record in ours]


def test_a_match_survives_the_way_through_our_records_and_back() -> None:
    read = games(MATCH.partition("\n\n")[2])  # without the lines about the event
    assert games("".join(mat.write(read))) == read


def test_a_transcript_is_read_and_written() -> None:
    (record,) = games(WIPED_OUT.upper())
    assert record.scores == (1, -1)
    assert record.agents == ("black", "white")
    check(record)
    ours = played("othello", 50)
    text = "".join(transcript.write(ours))
    again = games(text)
    assert any(line.move == "pass" for record in ours for line in record.turns)
    assert [record.turns for record in again] == [record.turns for record in ours]
    assert "".join(transcript.write(again)) == text


def test_an_unfinished_transcript_is_an_unfinished_game() -> None:
    (record,) = games("f5 d6 c3")
    assert (record.scores, record.cut) == (None, False)
    assert len(record.turns) == 3
    check(record)
    assert '[Result "*"]' in record.text()
    assert parse(record.text()) == parse(record.json()) == record
    (without_result,) = games(MATCH.partition(" Game 2")[0].replace("Wins 2 points", "").replace("  6)  Drops\n", ""))
    assert (without_result.scores, without_result.fault) == (None, None)
    assert games("".join(mat.write([without_result])))[0].turns == without_result.turns


@pytest.mark.parametrize(
    "text",
    [
        "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5",
        "1.E6 2.F4 3.E3 4.F6 5.G5 6.D6 7.E7 8.F5 9.C5",
        "1) e6f4 2) e3f6\n\n3) g5d6 4) e7f5\n5) c5\n",
        "E6 F4 E3\nF6 G5 D6\nE7 F5 C5",
        "e6f4e3f6g5d6\ne7\nf5c5",  # f5 could begin a game, but not one that goes on with c5
    ],
)
def test_a_transcript_may_be_numbered_and_take_several_lines(text: str) -> None:
    assert games(text) == games(WIPED_OUT)
    both = games(f"{text}\nf5d6c3")
    assert [len(record.turns) for record in both] == [9, 3]
    assert [line for line, _ in formats.read(f"f5d6c3\n{text}".splitlines())] == [1, 2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (MATCH.replace("31: 8/5 6/5", "31: 8/4 6/5"), 'Line 6: Turn 2: "8/4 6/5" is not legal here'),
        (MATCH.replace("31: 8/5 6/5", "37: 8/5 6/5"), "Line 9: .* is not a row of a match"),
        (MATCH.replace("Ann : 0", "Ann"), "Line 7: .* does not name two players"),
        (MATCH.replace(" Game 1\n", ""), "Line 6: .* comes before the first game"),
        ("; only a comment\n 5 point match\n Game 1", "This game does not name its players"),
        ("f5d6c3\nf5a1", 'Line 2: Turn 2: "a1" is not legal here'),
        ("f5d6c3\nf5d", 'Line 2: "f5d" is not a transcript'),
        ("1. f5 d6\n2. a1", 'Line 2: Turn 3: "a1" is not legal here'),
        ("1. 2.", "Line 1: "),
        ("chess", "Line 1: "),
        ("", ""),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(text: str, sentence: str) -> None:
    if not text:
        assert games(text) == []
        return
    with pytest.raises(BadInput, match=sentence):
        games(text)


def test_a_game_is_not_written_in_a_format_that_cannot_hold_it() -> None:
    with pytest.raises(BadInput, match=r"A \.mat file holds games of backgammon"):
        list(mat.write(played("othello", 1)))
    with pytest.raises(BadInput, match="A transcript is a game of Othello"):
        list(transcript.write(played("nim", 1)))
    with pytest.raises(BadInput, match=r'nim has no format "mat"\. Formats: none'):
        formats.format_of(sw.game("nim"), "mat")

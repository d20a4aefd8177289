"""Positions of backgammon as other programs write them: read, written, and refused where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielwerk as sw
from damage import CAREFUL, damaged
from spielwerk.kernel.random import below, stream
from spielwerk.names import BadInput

GAME = sw.game("backgammon")
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def reached(seed: int) -> sw.Position:
    """A position in the middle of a random game, at a chance node or after it."""
    rng, position = stream(seed, "ids"), GAME.start()
    for _ in range(int(below(rng, 60))):
        if position.over:
            break
        if position.chance:
            position = position.roll(position.outcomes()[below(rng, len(position.outcomes()))][0])
        else:
            turns = position.turns()
            position = turns[below(rng, len(turns))].end
    return position


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["xgid", "gnu"]))
def test_every_position_survives_the_way_to_another_programs_text_and_back(seed: int, form: str) -> None:
    position = reached(seed)
    if position.over:
        with pytest.raises(BadInput, match="for a game that is over"):
            position.written(form)
    else:
        assert str(GAME.parse(position.written(form))) == str(position).replace("opening", "roll")


def test_ids_that_others_have_published_are_read() -> None:
    assert str(GAME.parse(START)) == ".b....E.C...eE...c.e....B. X roll"
    assert GAME.start().written("xgid") == START
    # GNU Backgammon's manual: player 1 has rolled 5-2 in a match to 9, and player 0 holds a cube of 2.
    assert str(GAME.parse("4HPwATDgc/ABMA:QYkqASAAIAAA")) == ".b....E.C...eE...c.e....B. X 52"
    assert GAME.start().written("gnu") == "4HPwATDgc/ABMA:cAkAAAAAAAAA"


def test_the_cube_and_the_score_of_a_match_do_not_matter() -> None:
    assert GAME.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:3:2:1:7:10") == GAME.parse(
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:36:0:0:0:0:10"
    )


def test_points_are_counted_from_x_whoever_is_to_move() -> None:
    position = GAME.parse("XGID=-A----------------------a-:0:0:-1:21:0:0:0:0:10")
    assert position.moves() == ["1/off"]
    assert str(position) == ".A......................a. O 21"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("XGID=abc", "is not an XGID"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "is a cube decision"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:06:0:0:0:0:10", "cannot be rolled: 0 and 6"),
        ("XGID=Bb----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "on the wrong bar"),
        ("XGID=-o----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "O has 28 checkers"),
        ("4HPwATDgc/ABMA:QZkqASAAIAAA", "is a decision about the cube or a resignation"),
        ("4HPwATDgc/ABMA:QYmvASAAIAAA", "cannot be rolled: 7"),
        ("4HPwATDgc/ABMA:", "is not a position of backgammon"),
    ],
)
def test_what_is_wrong_with_an_id_is_said(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        GAME.parse(text)


IDS = (
    START,
    "XGID=-a-B--C-dE--eE---c-e----B-:1:-1:-1:63:3:2:1:7:10",
    "4HPwATDgc/ABMA:QYkqASAAIAAA",
    "4HPwATDgc/ABMA",
)


@settings(CAREFUL, max_examples=300)
@given(data=st.data())
def test_a_damaged_id_is_a_position_that_can_be_played_or_one_sentence(data: st.DataObject) -> None:
    letters = st.text("ABOaobo-+/=:019DBR \u0663\u00b2\n", max_size=14)
    text = data.draw(damaged(data.draw(st.sampled_from(IDS)).encode()).map(lambda spoilt: spoilt.decode("latin-1")))
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(letters) + text[at + data.draw(st.integers(0, 14)) :]
    said = ""
    try:
        position = GAME.parse(text)
        assert GAME.parse(str(position)) == position
        assert position.over or position.outcomes() or position.moves()
    except BadInput as problem:
        said = str(problem)
    assert said.isprintable()


def test_there_is_no_id_in_the_middle_of_a_turn_and_none_of_another_kind() -> None:
    half = GAME.parse(".b....E.C...eE...c.e....B. X 33/2")
    with pytest.raises(BadInput, match="There is no XGID for the middle of a turn"):
        half.written("xgid")
    with pytest.raises(BadInput, match=r'backgammon has no format "xg". Did you mean "xgid"\? Formats: gnu, xgid'):
        half.written("xg")
    with pytest.raises(BadInput, match=r'nim has no format "xgid"\. Formats: none'):
        sw.game("nim").start().written("xgid")


def test_the_command_line_writes_them_too(spielwerk: Callable[..., tuple[int, str, str]]) -> None:
    rolled = GAME.start().roll("3-1")
    for form in ("xgid", "gnu"):
        assert spielwerk("show", "backgammon", str(rolled), "--as", form) == (0, f"{rolled.written(form)}\n", "")
    facts = json.loads(spielwerk("show", "backgammon", str(rolled), "--as", "xgid", "--json")[1])
    assert (facts["position"], facts["xgid"]) == (str(rolled), rolled.written("xgid"))
    refused = {
        ("backgammon", str(rolled), "xg"): 'backgammon has no format "xg". Did you mean "xgid"? Formats: gnu, xgid.\n',
        ("nim", "1-0-0-0 A", "xgid"): 'nim has no format "xgid". Formats: none.\n',
        ("backgammon", "....................a..... X wins", "xgid"): "There is no XGID for a game that is over.\n",
    }
    for (game, position, form), sentence in refused.items():
        assert spielwerk("show", game, position, "--as", form) == (2, "", sentence)

"""The grammar of names, and what it says to bad input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielwerk as sw
from spielwerk import names
from spielwerk.games.registry import kinds, variants


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("nim", "nim"),
        ("NIM", "nim"),
        (" nim : stacks = 3-4-5 ", "nim:stacks=3-4-5"),
        ("nim:misere=true,stacks=1-3-5-7", "nim"),
        ("nim:stacks=01-3-5-7", "nim"),
        ("nim:misere=FALSE", "nim:misere=false"),
        ("einstein:players=4,board=6", "einstein:board=6,players=4"),
        ("einstein:board=5,stones=6", "einstein"),
    ],
)
def test_a_name_has_one_canonical_form(given: str, canonical: str) -> None:
    assert sw.game(given).name == canonical
    assert sw.game(given) == sw.game(canonical)


def test_settings_may_be_keywords() -> None:
    assert sw.game("einstein", board=6, players=4) == sw.game("einstein:board=6,players=4")
    assert sw.agent("mcts:k=2", "nim", iterations=500, value="hand").name == "mcts:iterations=500,k=2,value=hand"


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("mcts:iterations=5", {"iterations": 500}, 'mcts: "iterations" is set both in the name and as a keyword.'),
        ("td:one", {"run": "two"}, 'td: "run" is set both in the name and as a keyword.'),
        ("mcts", {"iteratons": 500}, 'mcts has no setting "iteratons". Did you mean "iterations"?'),
        ("mcts", {"iterations": 0.5}, 'mcts: iterations must be a whole number, not "0.5".'),
    ],
)
def test_keywords_of_agents_are_checked_as_names_are(name: str, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refused:
        sw.agent(name, "nim", **settings)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("moris", 'There is no game "moris". Did you mean "morris"? Games: '),
        ("", 'There is no game "". Games: '),
        ("nim:stack=3", 'nim has no setting "stack". Did you mean "stacks"? Settings: stacks, sizes, misere, simple.'),
        ("nim:3-4-5", 'nim: "3-4-5" is not a setting; write key=value. Settings: stacks, '),
        ("nim:stacks=3,stacks=4", 'sets "stacks" twice.'),
        ("nim:stacks=3,misere", "write settings as key=value"),
        ("nim:misere=maybe", 'nim: misere must be true or false, not "maybe".'),
        ("nim:sizes=big", 'nim: sizes cannot be "big"; possible: fixed, random.'),
        ("nim:stacks=+1-3", 'nim: stacks cannot be "+1-3"'),
        ("nim:stacks=1_0", 'nim: stacks cannot be "1_0"'),
        ("nim:stacks=١-٣", 'nim: stacks cannot be "١-٣"'),
        ("nim:stacks=0-1", 'nim: stacks cannot be "0-1"; possible: 1 to 8 stacks'),
        ("einstein:board=2", 'einstein: board cannot be "2"; possible: 3, 4, 5, 6.'),
        ("einstein:board=x", 'einstein: board must be a whole number, not "x".'),
        ("einstein:board=5,players=4", "4 players cannot play on board 5"),
        ("einstein:board=3,stones=6", "no room for 6 stones"),
        ("backgammon:checkers=16", 'backgammon: checkers cannot be "16"; possible: 3, 15.'),
        ("othello:size=7", 'othello: size cannot be "7"; possible: 4, 6, 8.'),
        ("morris:rules=twelve", 'morris: rules cannot be "twelve"'),
        ("morris:quiet=-1", "quiet"),
        ("morris:repeat=3,quiet=0", "quiet"),
    ],
)
def test_a_game_that_cannot_exist_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput) as caught:
        sw.game(name)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@dataclass(frozen=True)
class Program:
    """Settings such as those of an agent that is another program."""

    depth: int = names.setting(3)
    run: str = names.setting("")
    label: str = names.setting("plain")
    weight: float = names.setting(0.5)


@pytest.mark.parametrize(
    ("name", "run", "canonical"),
    [
        ("x:bot", "bot", "x:bot"),
        ("x:run=bot", "bot", "x:bot"),
        ("x:./Bot --deep a:b", "./Bot --deep a:b", "x:./Bot --deep a:b"),
        ('x:"bot"', "bot", "x:bot"),
        ('x: "bot k=1, j=2" , depth = "4"', "bot k=1, j=2", 'x:"bot k=1, j=2",depth=4'),
        ('x:depth=4,run="bot k=1"', "bot k=1", 'x:"bot k=1",depth=4'),
        ('x:label="a=b",run=bot', "bot", "x:bot,label=a=b"),
        ('x:label="a,b"', "", 'x:label="a,b"'),
        ('x:label=""', "", 'x:label=""'),
        ("x:weight=1.0", "", "x:weight=1"),
        ("x:weight=1.50", "", "x:weight=1.5"),
        ('x:"say ""hi"" "', 'say "hi" ', 'x:"say ""hi"" "'),
    ],
)
def test_a_value_in_quotes_may_hold_anything(name: str, run: str, canonical: str) -> None:
    kind, values = names.split(name)
    settings = names.settings(Program, kind, values)
    assert settings.run == run
    assert names.write(kind, settings) == canonical


@given(st.integers(), st.text(), st.text(), st.floats(allow_nan=False))
def test_what_is_written_reads_back(depth: int, run: str, label: str, weight: float) -> None:
    settings = Program(depth, run, label, weight)
    kind, values = names.split(names.write("x", settings))
    assert names.settings(Program, kind, values) == settings


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ('x:"bot', "an unclosed quote"),
        ('x:bot,label="', "an unclosed quote"),
        ('x:bo"t"', "quotes enclose a whole value"),
        ('x:"bot"=3', "quotes enclose a whole value"),
        ('x:"bot" k', "quotes enclose a whole value"),
        ('x:bot,"label"', "write settings as key=value"),
    ],
)
def test_quotes_that_do_not_fit_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput, match=sentence):
        names.split(name)


PIECES = [
    "nim",
    "einstein",
    ":",
    ",",
    "=",
    "stacks",
    "board",
    "die",
    "3",
    "-",
    "4",
    "true",
    "x",
    " ",
    "é",
    "\n",
    "run",
    '"',
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20))
def test_no_name_confuses_the_grammar(name: str) -> None:
    problem = ""
    try:
        assert sw.game(sw.game(name).name) == sw.game(name)
    except sw.BadInput as refusal:
        problem = str(refusal)
    assert len(problem.splitlines()) <= 1


@pytest.mark.parametrize(("what", "number"), [("observe", 2), ("observe", -1), ("turned", 16), ("turned", -1)])
def test_a_player_or_symmetry_that_does_not_exist_is_refused(what: str, number: int) -> None:
    with pytest.raises(sw.BadInput, match=f"has no .* {number}; possible: 0 to "):
        getattr(sw.game("morris").start(), what)(number)


def test_a_target_that_does_not_exist_is_refused() -> None:
    with pytest.raises(sw.BadInput, match="possible: cpu, python"):
        sw.game("nim", target="tpu")


def test_every_listed_variant_exists_once() -> None:
    listed = [sw.game(name).name for kind in kinds() for name in variants(kind)]
    assert len(set(listed)) == len(listed)

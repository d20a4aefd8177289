"""Position, the face for people: texts and moves survive the round trip, and nonsense changes nothing."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spielwerk as sw
from marks import slow
from variants import DEFAULTS, VARIANTS, random_positions

EVERY = [*DEFAULTS, *VARIANTS]


@pytest.mark.parametrize("name", [*DEFAULTS, *slow(*VARIANTS)])
def test_every_position_of_random_games_survives_the_round_trip(name: str) -> None:
    game = sw.game(name, target="cpu" if name in DEFAULTS else "python")
    for seed in range(20 if name in DEFAULTS else 3):
        for position in random_positions(game, seed):
            assert game.parse(str(position)) == position, str(position)
            assert "\n" not in str(position)


@pytest.mark.parametrize("name", EVERY)
def test_every_move_and_roll_is_read_as_it_is_written(name: str) -> None:
    game = sw.game(name, target="cpu" if name in DEFAULTS else "python")
    positions = random_positions(game, 1)
    for position in positions if name in DEFAULTS else random.Random(1).sample(positions, min(2, len(positions))):
        turns = position.turns()
        assert len({turn.text for turn in turns}) == len(turns), f"two turns are written alike in {position}"
        for turn in turns:
            assert position.play(turn.text) == turn.end
            assert position.play(f"  {turn.text.upper()} ") == turn.end
        for text, (outcome, _) in zip(position.rolls(), position.outcomes(), strict=True):
            assert position.roll(text) == position.roll(outcome)


def test_turns_asked_for_again_are_the_same_and_the_askers_own() -> None:
    game = sw.game("backgammon")
    first, second = game.start(1).roll("3-1"), game.start(1).roll("6-5")
    before, other = first.turns(), second.turns()
    first.turns().clear()
    assert first.turns() == before
    assert second.turns() == other != before


@pytest.mark.parametrize("name", DEFAULTS)
def test_chances_sum_to_one(name: str) -> None:
    for position in random_positions(sw.game(name), 2):
        assert not position.chance or sum(chance for _, chance in position.outcomes()) == pytest.approx(1)


LETTERS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=40) | st.text(max_size=20)


@pytest.mark.parametrize("name", EVERY)
def test_no_parser_is_confused_by_nonsense(name: str) -> None:
    game = sw.game(name, target="python")
    position = random_positions(game, 3)[1]
    real = [str(p) for p in random_positions(game, 4)[:30]] + (position.moves() or position.rolls())

    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
    @given(LETTERS | st.builds(_damaged, st.sampled_from(real), st.integers(0, 99), LETTERS))
    def survive(text: str) -> None:
        for read in (game.parse, position.play, position.roll):
            problem = None
            try:
                after = read(text)
            except sw.BadInput as refusal:
                problem = str(refusal)
            else:
                assert game.parse(str(after)) == after
            assert problem is None or len(problem.splitlines()) == 1

    survive()


def _damaged(text: str, where: int, letters: str) -> str:
    """A real text with something in it replaced."""
    where = where % (len(text) + 1)
    return text[:where] + letters[:3] + text[where + len(letters) % 4 :]


@pytest.mark.parametrize("name", EVERY)
def test_a_picture_is_well_formed_in_both_themes(name: str) -> None:
    positions = random_positions(sw.game(name, target="python"), 5)
    for position in positions[::9]:
        light, dark, auto = (position.svg(theme) for theme in ("light", "dark", "auto"))
        assert light != dark
        for picture in (light, dark, auto):
            assert ET.fromstring(picture).tag.endswith("svg")
        assert "prefers-color-scheme: dark" in auto
    with pytest.raises(sw.BadInput, match="possible: light, dark, auto"):
        positions[0].svg("pink")


@pytest.mark.parametrize("name", EVERY)
def test_json_tells_what_the_position_is(name: str) -> None:
    game = sw.game(name, target="python")
    for position in random_positions(game, 6)[::7]:
        facts = json.loads(position.to_json())
        assert game.parse(facts["position"]) == position
        assert facts["game"] == game.name
        assert facts["moves"] == position.moves()
        assert (facts["scores"] is None) != position.over


@pytest.mark.parametrize("name", EVERY)
def test_a_board_is_drawn_for_every_position(name: str) -> None:
    for position in random_positions(sw.game(name, target="python"), 7)[::11]:
        lines = position.board().splitlines()
        assert 1 <= len(lines) <= 30
        assert max(map(len, lines)) <= 100


def test_a_position_is_immutable_and_hashable() -> None:
    start = sw.game("nim").start()
    after = start.play("2:3")
    assert (str(start), str(after)) == ("1-3-5-7 A", "1-0-5-7 B")
    start.state[1] = 0
    with pytest.raises(AttributeError, match="immutable"):
        start.mover = 1
    assert str(start) == "1-3-5-7 A"
    assert {start, sw.game("nim").parse("1-3-5-7 A")} == {start}
    assert start.play(np.int64(start.actions()[3])) == start.play(start.moves()[3])


def test_a_refused_move_names_what_is_possible_and_changes_nothing() -> None:
    start = sw.game("nim:stacks=2").start()
    nonsense: list[Any] = ["1:3", "2:1", "", "take all", 7, -1, 1.0]
    for refused in nonsense:
        with pytest.raises(sw.BadInput, match="1:1, 1:2"):
            start.play(refused)
    assert str(start) == "2 A"
    end = start.play("1:1").play("1:1")
    assert end.scores == (1, -1)  # B took the last match and loses
    with pytest.raises(sw.BadInput, match="The game is over"):
        end.play("1:1")
    with pytest.raises(sw.BadInput, match="No roll is due"):
        start.roll("6")
    with pytest.raises(sw.BadInput, match="A roll comes first"):
        sw.game("backgammon").start().play("8/5 6/5")

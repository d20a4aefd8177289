"""What the numbers are called that networks see: as many names as numbers, each where the rules write it."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.cells import observation_names
from spielwerk.games.position import Position
from variants import VARIANTS


def plain(name: str) -> Position:
    return sw.game(name, target="python").start(1)


def seen(here: Position, player: int | None = None) -> dict[str, float]:
    """The numbers that are not 0, by their names."""
    numbers = here.observe(player).ravel().tolist()
    return {name: number for name, number in zip(observation_names(here.game), numbers, strict=True) if number}


def planes(here: Position, *names: str, player: int | None = None) -> dict[str, float]:
    """Those of some planes."""
    return {name: number for name, number in seen(here, player).items() if name.split()[0] in names}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_number_of_an_observation_has_a_name_of_its_own(name: str) -> None:
    game = sw.game(name, target="python")
    names = observation_names(game)
    assert len(names) == len(set(names)) == np.prod(game.constants["OBSERVATION"])
    assert "x1" not in names


def test_a_game_that_does_not_say_has_numbered_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sw.game("nim", target="python")
    monkeypatch.setattr(game, "layout", "")
    assert observation_names(game) == ("x1", "x2", "x3", "x4", "x5")


def test_stones_of_einstein_stand_where_they_are_called() -> None:
    here = plain("einstein:board=3").roll("2")
    assert str(here).startswith("X1X3./X2.O2/.O3O1")
    mine = {"own1 a3": 1, "own2 a2": 1, "own3 b3": 1, "other1 c1": 1, "other2 c2": 1, "other3 b1": 1}
    cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
    assert seen(here) == mine | {f"{plane} {cell}": 1 for plane in ("die2", "own_turn") for cell in cells}
    other = seen(here, 1)  # from the corner at c1
    assert {name for name in other if name.startswith(("own1", "own2", "own3"))} == {"own1 a3", "own2 a2", "own3 b3"}
    assert {"other_turn a3", "other1 c1"} <= set(other)


def test_each_of_four_players_of_einstein_has_its_name() -> None:
    names = observation_names(sw.game("einstein:board=4,players=4", target="python"))
    assert [name.split()[0] for name in names[:: 4 * 4]][-6:] == [
        *("die3", "own_turn", "next_turn", "third_turn", "fourth_turn"),
        "seat",
    ]


def test_stacks_of_nim_are_shares_of_the_largest() -> None:
    here = plain("nim:stacks=2-4").play("2:1")
    assert seen(here) == {"stack1": 0.5, "stack2": 0.75, "turn": 1}


def test_discs_and_moves_of_othello_lie_where_they_are_called() -> None:
    here = plain("othello")
    own, other = {"own e4": 1, "own d5": 1}, {"other d4": 1, "other e5": 1}
    assert seen(here) == own | other | {f"move {cell}": 1 for cell in here.moves()}


def test_men_of_morris_and_what_their_players_may_do_are_named() -> None:
    here = plain("morris").play("a7").play("d6")
    assert planes(here, "own", "other") == {"own a7": 1, "other d6": 1}
    assert len(planes(here, "free")) == 22
    phases = {
        "own_placing": 1,
        "other_placing": 1,
        "own_hand": pytest.approx(8 / 9),
        "other_hand": pytest.approx(8 / 9),
    }
    assert {name: number for name, number in seen(here).items() if " " not in name} == phases
    here = here.play("d7").play("f6")
    assert "taking" not in seen(here)
    closed = here.play(here.spelled("g7xd6")[0])  # without the man that is taken
    assert seen(closed)["taking"] == 1


def test_checkers_bars_and_dice_of_backgammon_are_named() -> None:
    here = plain("backgammon").roll("3-1")
    share = pytest.approx
    assert planes(here, "own") == {
        "own p24": share(2 / 15),
        "own p13": share(5 / 15),
        "own p8": share(3 / 15),
        "own p6": share(5 / 15),
    }
    assert set(planes(here, "other")) == {"other p1", "other p12", "other p17", "other p19"}
    assert {round(6 * number, 5) for number in planes(here, "die1", "die2").values()} == {1, 3}
    assert not planes(here, "own_bar", "other_bar", "own_off", "other_off")

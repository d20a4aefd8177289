"""Whole games at the page: by click, by keyboard, by typing; and tries that are not legal."""

from __future__ import annotations

from typing import Any

import pytest

from page_hands import PLACE, WAY, can_play, drag, open_game, play_whole, type_whole, walk
from page_server import Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
STATUS, REVIEW = ".status", ".status a.button"
SMALL = ["nim:stacks=3-4-5", "othello:size=4", "einstein:board=3", "morris:rules=six,turns=24", "backgammon:checkers=3"]


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_game_is_played_by_clicking(page: Any, server: Server, game: str) -> None:
    open_game(page, server, game)
    play_whole(page, "click")
    assert page.locator(REVIEW).inner_text() == "Review this game"


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_game_is_played_by_the_keyboard_alone(page: Any, server: Server, game: str) -> None:
    open_game(page, server, game)
    play_whole(page, "keyboard")
    assert page.locator(REVIEW).inner_text() == "Review this game"


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_game_is_played_by_typing_alone(page: Any, server: Server, game: str) -> None:
    type_whole(page, server, game)
    assert page.locator(REVIEW).inner_text() == "Review this game"


@pytest.mark.parametrize("game", ["nim", "othello", "einstein:board=4,players=4", "morris", "backgammon"])
def test_arrow_keys_reach_every_place(page: Any, server: Server, game: str) -> None:
    open_game(page, server, game)
    places = page.eval_on_selector_all(".place", "all => all.map(one => one.dataset.place)")
    walk(page, places[-1])
    assert [name for name in places if page.evaluate(WAY, name) is None] == []


def test_a_typed_move_that_is_not_legal_is_explained_and_a_legal_one_announced(page: Any, server: Server) -> None:
    open_game(page, server, "morris")
    assert can_play(page) == "play"
    page.fill(".typed input", "z9")
    page.keyboard.press("Enter")
    page.wait_for_selector(".status.problem")
    assert '"z9" is not legal here. Legal moves: a7' in page.inner_text(STATUS)
    page.fill(".typed input", "d2")
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button[aria-label='1. white d2']")
    page.wait_for_function("() => document.querySelector('#said').textContent.includes('black plays ')")


def test_a_click_on_what_cannot_be_chosen_is_explained_and_changes_nothing(page: Any, server: Server) -> None:
    open_game(page, server, "othello")
    assert can_play(page) == "play"
    page.locator(PLACE.format("a1")).click(force=True)
    page.wait_for_selector(".status.problem")
    assert "A disc cannot be placed on a1: it would turn no other over." in page.inner_text(STATUS)
    assert page.locator("spw-moves button").count() == 0
    page.locator(PLACE.format("d3")).click(force=True)
    page.wait_for_selector("spw-moves button[aria-label='1. black d3']")


def test_a_piece_can_be_dragged_and_goes_back_where_it_may_not_be(page: Any, server: Server) -> None:
    open_game(page, server, "einstein:board=3,stones=1", more="&at=X1../.../..O1 X 1")
    assert can_play(page) == "play"
    where = "() => document.querySelector('.pieces .piece').style.transform"
    before = page.evaluate(where)
    drag(page, "a3", "c3")  # two steps are one too many
    page.wait_for_selector(".status.problem")
    assert "Stone 1 cannot go to c3: it goes one step towards the far corner." in page.inner_text(STATUS)
    assert page.evaluate(where) == before
    assert page.locator("spw-moves button").count() == 0
    drag(page, "a3", "a3")  # and nothing comes of putting it down where it was
    assert page.evaluate(where) == before
    drag(page, "a3", "b2")
    page.wait_for_selector("spw-moves button[aria-label='1. X a3-b2']")
    assert page.evaluate(where) != before


def test_a_table_without_a_turn_survives_a_killed_server(page: Any, server: Server) -> None:
    open_game(page, server, "nim")
    assert can_play(page) == "play"
    server.kill()
    page.wait_for_selector(".status.problem")
    server.start()
    page.wait_for_function("() => !document.querySelector('.status.problem')", timeout=30_000)
    assert can_play(page) == "play"
    page.fill(".typed input", "1:1")
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button[aria-label='1. A 1:1']")

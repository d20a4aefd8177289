"""The board under one's hands in a real browser: dice that swap, a board that turns, corners, names, what is said."""

from __future__ import annotations

from typing import Any

import pytest

import spielwerk as sw
from page_hands import PLACE, can_play, open_game
from page_server import DESKTOP, PHONE, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
ROLLED = "&at=.b....E.C...eE...c.e....B. X 31"
MIDDLES = (
    """all => all.map(one => one.getBoundingClientRect()).map(box => [box.x + box.width / 2, box.y + box.height / 2])"""
)


def middle(page: Any, selector: str) -> tuple[float, float]:
    """The middle of some places together."""
    found = page.eval_on_selector_all(selector, MIDDLES)
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def test_a_tap_on_the_dice_swaps_them_and_a_second_one_confirms_the_turn(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", more=ROLLED)
    assert can_play(page) == "play"
    page.locator(PLACE.format("dice")).click(force=True)
    page.wait_for_selector("text=A tap plays the smaller die first.")
    page.locator(PLACE.format("8")).click(force=True)
    page.wait_for_selector("[data-place='7'][aria-label^='point 7, 1 white']")
    page.locator(PLACE.format("8")).click(force=True)
    page.wait_for_selector("[data-place='5'][aria-label^='point 5, 1 white']")
    page.wait_for_selector("text=Touch the dice to confirm")
    page.locator(PLACE.format("dice")).click(force=True)
    page.wait_for_selector("spw-moves button[aria-label^='1. X 8/']")


def test_the_board_turns_and_stays_turned(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", more=ROLLED)
    assert can_play(page) == "play"
    before = middle(page, "[data-place='6']")
    page.keyboard.press("f")
    page.wait_for_function(
        f"() => document.querySelector('[data-place=\"6\"]').getBoundingClientRect().y < {before[1] - 100}"
    )
    page.reload()
    assert can_play(page) == "play"
    assert middle(page, "[data-place='6']")[1] < before[1] - 100


def test_points_are_numbered_from_ones_own_side_throughout(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", "random;you")
    assert can_play(page) == "play"
    numbers = page.locator(".labels text").all_text_contents()
    assert page.get_attribute(PLACE.format("24"), "aria-label").startswith("point 1, ")
    page.keyboard.press("h")
    page.wait_for_selector(".status >> text=says")
    page.keyboard.press("/")
    page.keyboard.type(page.inner_text(".status").split(", says")[0])
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button >> nth=2")
    assert page.locator(".labels text").all_text_contents() == numbers
    assert can_play(page) == "play"
    assert page.locator(".labels text").all_text_contents() == numbers
    page.locator("spw-board .place").first.focus()
    page.keyboard.press("f")
    page.wait_for_selector("[data-place='24'][aria-label^='point 24, ']")
    assert page.locator(".labels text").all_text_contents() == [str(25 - int(number)) for number in numbers]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("seat", range(4))
def test_with_four_players_ones_own_corner_is_below_left(browser: Any, server: Server, seat: int, size: Any) -> None:
    page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
    seats = ["random"] * 4
    seats[seat] = "you"
    open_game(page, server, "einstein:board=6,players=4", ";".join(seats))
    assert can_play(page) == "play"
    x, y = middle(page, ".place[aria-label$='can move'], .place[aria-label$='chosen']")
    right, low = middle(page, ".place:not([data-place=dice])")
    assert x < right
    assert y > low
    page.context.close()


def test_every_place_has_a_name_and_replies_are_said(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", more=ROLLED)
    assert can_play(page) == "play"
    names = page.eval_on_selector_all(".place", "all => all.map(one => one.getAttribute('aria-label'))")
    assert len(set(names)) == len(names) == 24 + 2 + 2 + 1  # points, bars, trays, dice
    assert "white tray, empty" in names
    assert page.inner_text("#said").startswith("You play X.")
    page.fill(".typed input", "8/5 6/5")
    page.keyboard.press("Enter")
    page.wait_for_function("() => /O rolled \\d-\\d, plays /.test(document.querySelector('#said').textContent)")


def test_a_key_does_only_what_its_button_can_do(page: Any, server: Server) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    open_game(page, server, "othello", "mcts:milliseconds=9000;you")
    page.wait_for_selector(".status >> text=is thinking")
    assert page.get_by_role("button", name="Hint").is_disabled()
    assert page.get_by_role("button", name="Undo").is_disabled()
    for key in "huc":
        page.keyboard.press(key)
    page.keyboard.press("e")  # whose button can be pressed
    page.wait_for_selector(".truth")
    assert [kind for kind in ("hint", "undo", "confirm", "pass") if any(f'"{kind}"' in text for text in sent)] == []
    assert "is thinking" in page.inner_text(".status")


def test_a_new_game_and_a_link_take_the_position_that_is_shown(page: Any, server: Server) -> None:
    open_game(page, server, "nim", "you;you", "&line=4:1;3:1;2:1")
    assert can_play(page) == "play"
    page.wait_for_selector("spw-moves button >> nth=2")
    for before in (2, 1):
        page.keyboard.press("[")
        page.wait_for_selector(f"spw-moves li:nth-child({before + 1}) [aria-current=true]")
    page.get_by_role("button", name="Link", exact=True).click()
    page.wait_for_selector("text=A link to this position and its line is copied.")
    assert page.evaluate("() => navigator.clipboard.readText()").endswith("line=4%3A1")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="This position").click()
    assert page.input_value("#at") == str(sw.game("nim").start().play("4:1"))


@pytest.mark.parametrize("game", ["morris", "backgammon", "othello", "nim", "einstein"])
def test_on_a_phone_the_board_has_the_whole_width_between_its_two_players(
    browser: Any, server: Server, game: str
) -> None:
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    open_game(page, server, game, "random;you")
    assert can_play(page) == "play"
    board = page.locator("spw-board svg").bounding_box()
    other, own = (page.locator(f".seat:has-text('{who}')").bounding_box() for who in ("random", "you"))
    assert board["width"] == PHONE["width"]
    assert other["y"] + other["height"] <= board["y"]
    assert own["y"] >= board["y"] + board["height"]
    assert page.locator(".status").bounding_box()["y"] > own["y"]
    page.context.close()


def test_signs_on_a_phone_are_large_enough_to_be_read(browser: Any, server: Server) -> None:
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    open_game(page, server, "backgammon", "you;you", ROLLED)
    assert can_play(page) == "play"
    page.keyboard.press("e")
    page.wait_for_selector("spw-board .worth")
    assert min(sign.bounding_box()["width"] for sign in page.locator(".worth circle").all()) >= 20
    page.context.close()

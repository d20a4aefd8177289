"""Places of the page in a real browser: the last navigation wins, the editor's texts follow the board, fingers drag."""

from __future__ import annotations

from typing import Any

import pytest

from page_hands import PLACE, can_play, check_access, open_game
from page_server import PHONE, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
BEARING = "XGID=-B----------------------b-:0:0:1:00:0:0:0:0:10"
LONG = "mcts:iterations=1000,k=1.4142,threads=2,select=uct"


@pytest.mark.parametrize(
    ("slow", "first", "heading"), [("/api/stored?*", "Games", "Watch"), ("/api/watch", "Watch", "Games")]
)
def test_the_last_navigation_wins(page: Any, server: Server, slow: str, first: str, heading: str) -> None:
    page.goto(f"{server.address}/lessons")
    held: list[Any] = []
    page.route(f"**{slow}", lambda route: held.append(route))
    page.get_by_role("link", name=first).click()
    page.wait_for_function("() => document.querySelector('main').innerText.trim() === ''")
    while not held:
        page.wait_for_timeout(20)
    page.get_by_role("link", name=heading).click()
    page.wait_for_selector(f"h1 >> text={heading}")
    with page.expect_response(f"**{slow}"):
        held[0].continue_()
    page.wait_for_timeout(100)
    assert page.inner_text("main h1") == heading
    assert page.title().startswith(heading)


def test_a_game_that_begins_late_does_not_call_back_who_has_gone(page: Any, server: Server) -> None:
    page.goto(server.address)
    held: list[Any] = []
    page.route("**/api/tables", lambda route: held.append(route))
    page.get_by_role("button", name="Play Nim").click()
    while not held:
        page.wait_for_timeout(20)
    page.get_by_role("link", name="Games").click()
    page.wait_for_selector("h1 >> text=Games")
    with page.expect_response("**/api/tables"):
        held[0].continue_()
    page.wait_for_timeout(100)
    assert page.url == f"{server.address}/games"
    page.go_back()
    page.wait_for_selector("h1 >> text=Play")
    page.go_forward()
    page.wait_for_selector("h1 >> text=Games")


def test_every_text_of_the_editor_follows_the_board_and_the_board_every_text(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/edit/backgammon")
    page.wait_for_selector("spw-board .place")
    xgid, gnu, text = page.get_by_label("xgid"), page.get_by_label("gnu"), page.get_by_label("The position as text")
    begun = [xgid.input_value(), gnu.input_value(), text.input_value()]
    assert all(begun)
    page.locator(PLACE.format("6")).click(force=True)  # takes a checker away
    page.wait_for_function(f"() => document.querySelector('[data-form=xgid]').value !== '{begun[0]}'")
    edited = [xgid.input_value(), gnu.input_value(), text.input_value()]
    assert all(one != other for one, other in zip(begun, edited, strict=True))
    gnu.fill(begun[1])
    gnu.press("Enter")
    page.wait_for_function(f"() => document.querySelector('[data-form=xgid]').value === '{begun[0]}'")
    assert text.input_value().split()[0] == begun[2].split()[0]
    xgid.fill(BEARING)
    xgid.press("Enter")
    page.wait_for_selector("[data-place='1'][aria-label^='point 1, 2 white']")
    xgid.fill("XGID=nonsense")
    xgid.press("Enter")
    page.wait_for_selector(".status.problem")
    assert page.get_by_role("button", name="Play from here").is_disabled()
    text.fill(edited[2])
    text.press("Tab")
    page.wait_for_function(f"() => document.querySelector('[data-form=xgid]').value === '{edited[0]}'")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/table/*")


def test_a_board_that_is_no_position_has_no_text_to_play_from(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/edit/othello")
    page.get_by_role("button", name="Empty board").click()
    page.wait_for_selector(".status.problem")
    assert page.get_by_label("The position as text").input_value() == ""
    assert page.get_by_role("button", name="Play from here").is_disabled()


def finger(page: Any, way: list[tuple[float, float]]) -> None:
    """A finger that touches the first point, goes to the others, and is lifted."""
    device = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", way[:1]), *(("touchMove", [one]) for one in way[1:]), ("touchEnd", [])):
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    device.detach()


def middle(page: Any, name: str) -> tuple[float, float]:
    box = page.locator(PLACE.format(name)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def line(start: tuple[float, float], end: tuple[float, float], steps: int = 12) -> list[tuple[float, float]]:
    (x, y), (u, v) = start, end
    return [(x + (u - x) * k / steps, y + (v - y) * k / steps) for k in range(steps + 1)]


def test_on_a_phone_a_finger_drags_a_piece_taps_and_scrolls(browser: Any, server: Server) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = context.new_page()
    open_game(page, server, "einstein:board=3,stones=1", more="&at=X1../.../..O1 X 1")
    assert can_play(page) == "play"
    finger(page, line(middle(page, "a3"), middle(page, "a2")))  # straight down, where a page would scroll
    page.wait_for_selector("spw-moves button[aria-label='1. X a3-a2']")
    assert page.evaluate("() => scrollY") == 0
    open_game(page, server, "einstein:board=3,stones=1", more="&at=X1../.../..O1 X 1")
    assert can_play(page) == "play"
    for name in ("a3", "b2"):
        page.locator(PLACE.format(name)).tap(force=True)
    page.wait_for_selector("spw-moves button[aria-label='1. X a3-b2']")
    x, y = middle(page, "c3")  # an empty place is no piece: there a finger scrolls
    finger(page, line((x, y + 150), (x, y)))
    page.wait_for_function("() => scrollY > 0")
    context.close()


@pytest.mark.parametrize("path", ["/", "/games"])
def test_on_a_phone_a_game_in_progress_can_be_gone_on_with(browser: Any, server: Server, path: str) -> None:
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    open_game(page, server, "nim:stacks=1-3-5-7-9", f"{LONG};you", "&line=4:1;3:1")
    page.goto(server.address + path)
    page.wait_for_selector("text=Go on")
    check_access(page, path)
    page.get_by_role("button", name="Go on").first.click()
    page.wait_for_url("**/table/*")
    page.context.close()

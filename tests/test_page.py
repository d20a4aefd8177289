"""The page in a real browser: whole games by click, by keyboard and by typing, and what must survive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from page_server import DESKTOP, PHONE, Server, chromium, served

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
SHOWN = ["morris", "backgammon", "nim"]
NEXT = """all => [", legal", ", can move"]
    .map(end => all.find(one => (one.getAttribute("aria-label") ?? "").endsWith(end)))
    .find(Boolean)?.dataset.place ?? "" """
CLIPBOARD = ["clipboard-read", "clipboard-write"]
BY_HAND = ["nim:stacks=3-4-5", "othello:size=4", "einstein:board=3", "morris:rules=six,turns=30"]
STATUS, PLACE = ".status", "[data-place='{}']"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A page whose own faults fail the test."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce", permissions=CLIPBOARD)
    found, faults = context.new_page(), []
    found.on("pageerror", lambda error: faults.append(str(error)))
    yield found
    context.close()
    assert faults == []


def open_game(page: Any, server: Server, game: str, seats: str = "you;random", more: str = "") -> None:
    page.goto(f"{server.address}/play/{game}?seats={seats}{more}")
    page.wait_for_selector("spw-board svg .place", timeout=60_000)


def can_play(page: Any) -> str:
    """`play` once it is our turn, `over` at the end."""
    page.wait_for_function(
        "() => document.querySelector('.status a.button') || !document.querySelector('.typed input').disabled",
        timeout=60_000,
    )
    return "over" if page.locator(".status a.button").count() else "play"


def legal(page: Any) -> list[str]:
    """The places that can be touched now."""
    return page.eval_on_selector_all(
        ".place.can", "all => all.map(one => one.dataset.place).filter(one => one !== 'dice')"
    )


def turns(page: Any) -> int:
    return page.locator("spw-moves button").count()


def touch_once(page: Any, how: str) -> None:
    """One touch by mouse or by keyboard: a chosen piece's target before another piece."""
    passing = page.get_by_role("button", name="Pass", exact=True)
    if passing.is_visible():
        passing.click()
        return
    name = page.eval_on_selector_all(".place", NEXT)
    if not name:
        return  # the other side moves meanwhile
    place = page.locator(PLACE.format(name))
    if how == "keyboard":
        place.focus()
        page.keyboard.press("Enter")
    else:
        place.click(force=True)


@pytest.mark.parametrize("how", ["click", "keyboard"])
@pytest.mark.parametrize(
    "game", ["nim:stacks=3-4-5", "othello:size=4", "einstein:board=3", "morris:rules=six,turns=30"]
)
def test_a_whole_game_is_played_by_hand(page: Any, server: Server, game: str, how: str) -> None:
    open_game(page, server, game)
    for _ in range(200):
        if can_play(page) == "over":
            break
        touch_once(page, how)
        page.wait_for_timeout(60)
    assert page.locator(".status a.button").inner_text() == "Review this game"


def test_a_turn_of_backgammon_is_made_checker_by_checker_and_confirmed(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", more="&at=.b....E.C...eE...c.e....B. X 31")
    assert can_play(page) == "play"
    page.locator(PLACE.format("8")).click(force=True)
    page.wait_for_selector("[data-place='5'][aria-label^='point 5, 1 white']")
    page.keyboard.press("u")
    page.wait_for_selector("[data-place='5'][aria-label^='point 5, empty']")
    page.locator(PLACE.format("8")).click(force=True)
    page.wait_for_selector("[data-place='5'][aria-label^='point 5, 1 white']")
    page.keyboard.press("/")
    page.keyboard.type("8/5 6/5")
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button[aria-label='1. X 8/5 6/5']")


def test_a_game_is_played_by_typing_and_an_illegal_try_is_explained(page: Any, server: Server) -> None:
    open_game(page, server, "morris")
    assert can_play(page) == "play"
    page.fill(".typed input", "z9")
    page.keyboard.press("Enter")
    page.wait_for_selector(".status.problem")
    assert '"z9" is not legal here. Legal moves: a7' in page.inner_text(STATUS)
    page.fill(".typed input", "d2")
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button[aria-label='1. white d2']")
    page.wait_for_function("() => document.querySelector('#said').textContent.startsWith('black plays ')")


def test_a_piece_can_be_dragged_and_goes_back_where_it_may_not_be(page: Any, server: Server) -> None:
    at = "X1../.../..O1 X 1"
    open_game(page, server, "einstein:board=3,stones=1", more=f"&at={at}")
    assert can_play(page) == "play"
    source, target = (page.locator(PLACE.format(name)).bounding_box() for name in ("a3", "b2"))
    for box, way in ((source, "down"), (target, "up")):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        getattr(page.mouse, way)()
    page.wait_for_selector("spw-moves button[aria-label='1. X a3-b2']")


def test_undo_reload_and_a_killed_server_keep_the_game(page: Any, server: Server) -> None:
    open_game(page, server, "morris")
    for name in ("d2", "d6"):
        assert can_play(page) == "play"
        before = turns(page)
        free = name if name in legal(page) else legal(page)[0]
        page.locator(PLACE.format(free)).click(force=True)
        page.wait_for_function(f"() => document.querySelectorAll('spw-moves button').length >= {before + 2}")
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('spw-moves button').length === 2")
    said = page.inner_text("spw-moves")
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('spw-moves button').length === 2")
    assert page.inner_text("spw-moves") == said
    server.kill()
    page.wait_for_selector(".status.problem")
    server.start()
    page.wait_for_function("() => !document.querySelector('.status.problem')", timeout=30_000)
    assert can_play(page) == "play"
    assert page.inner_text("spw-moves") == said
    page.locator(PLACE.format(legal(page)[0])).click(force=True)
    page.wait_for_function("() => document.querySelectorAll('spw-moves button').length >= 4")


def test_two_browsers_play_at_one_board(page: Any, browser: Any, server: Server) -> None:
    open_game(page, server, "nim", "you;you")
    assert can_play(page) == "play"
    page.get_by_role("button", name="Invite").click()
    page.wait_for_selector("text=is copied; send it")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "#seat=" in link
    other = browser.new_context().new_page()
    other.goto(link)
    other.wait_for_selector("spw-board svg .place")
    page.fill(".typed input", "1:1")
    page.keyboard.press("Enter")
    other.wait_for_selector("spw-moves button[aria-label='1. A 1:1']")
    assert can_play(other) == "play"
    assert page.locator(".typed input").is_disabled()
    other.fill(".typed input", "2:3")
    other.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button[aria-label='2. B 2:3']")
    other.context.close()


def test_the_judge_is_hidden_until_asked_and_says_who_it_is(page: Any, server: Server) -> None:
    open_game(page, server, "nim", more="&at=1-3-5-6 A")
    assert can_play(page) == "play"
    assert page.locator(".truth").is_hidden()
    page.keyboard.press("e")
    page.wait_for_selector("text=by the oracle, exact")
    page.keyboard.press("e")
    page.wait_for_selector(".truth", state="hidden")


def test_a_blunder_is_reviewed_and_becomes_a_lesson(page: Any, server: Server) -> None:
    open_game(page, server, "nim:stacks=1-3-5", more="&at=1-3-5 A")
    page.fill(".typed input", "3:5")  # leaves 1-3, from which the other side wins: 3:3 would have won
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelectorAll('spw-moves button').length >= 2 || document.querySelector('.status a')"
    )
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.get_by_role("link", name="Review this game").click()
    page.wait_for_selector("text=Judged by oracle.", timeout=60_000)
    page.wait_for_selector("spw-moves button[aria-label='1. A 3:5, missed win']")
    page.get_by_role("link", name="Learn from your mistakes").click()
    page.wait_for_selector("text=You played 3:5.")
    page.fill(".typed input", "3:4")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=try again")
    page.fill(".typed input", "3:3")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=3:3 is right.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_serious_hinders_people_with_disabilities(browser: Any, server: Server, theme: Any, size: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce").new_page()
    for path in (
        "/",
        "/play/morris?seats=you;random",
        "/play/backgammon?seats=you;random",
        "/games",
        "/lessons",
        "/edit/othello",
    ):
        page.goto(server.address + path)
        page.wait_for_selector("main h1, spw-board .place", timeout=60_000)
        page.wait_for_timeout(600)
        found = Axe().run(page).response["violations"]
        serious = [
            (one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], path
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{path} is wider than the window"
    page.context.close()


def test_the_page_asks_nobody_else_and_is_small(page: Any, server: Server, tmp_path: Path) -> None:
    asked: dict[str, int] = {}
    page.on("response", lambda response: asked.__setitem__(response.url, len(response.body())))
    for path in ("/", "/games", "/lessons", "/edit/nim", "/play/nim"):
        page.goto(server.address + path)
        page.wait_for_timeout(500)
    assert all(url.startswith(server.address) for url in asked)
    files = {url: size for url, size in asked.items() if "/page/" in url or url == f"{server.address}/"}
    assert 0 < sum(files.values()) <= 300_000

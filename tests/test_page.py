"""The page in a real browser: turns by hand, the judge, the review, and what must survive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from page_hands import PLACE, can_play, check_access, legal, open_game, turns
from page_server import DESKTOP, PHONE, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
STATUS = ".status"


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
    page.locator("spw-moves button[aria-label='1. A 3:5, missed win']").click()
    page.wait_for_selector("text=A plays 3:5: a missed win")
    page.keyboard.press("]")
    page.wait_for_function("() => location.hash === '#1'")
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
    page = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce").new_page()
    for path in ("/", "/games", "/lessons", "/edit/othello", "/edit/backgammon"):
        page.goto(server.address + path)
        page.wait_for_selector("main h1", timeout=60_000)
        page.wait_for_timeout(300)
        check_access(page, path)
    for game in ("morris", "backgammon", "nim", "othello", "einstein:board=4,players=4"):
        open_game(page, server, game, "you;you")
        can_play(page)
        check_access(page, game)
    for name in ("New game", "Invite", "?"):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector("dialog h1")
        check_access(page, name)
        page.keyboard.press("Escape")
    page.context.close()


def test_the_page_asks_nobody_else_and_is_small(page: Any, server: Server, tmp_path: Path) -> None:
    asked: dict[str, int] = {}
    refused: list[str] = []  # by the Content-Security-Policy, or by the browser
    page.on("response", lambda response: asked.__setitem__(response.url, len(response.body())))
    page.on("console", lambda said: refused.append(said.text) if said.type in ("error", "warning") else None)
    for path in ("/", "/games", "/lessons", "/edit/nim", "/lab", "/watch/nim?agents=random;random", "/play/nim"):
        page.goto(server.address + path)
        page.wait_for_timeout(500)
    assert all(url.startswith(server.address) for url in asked)
    files = {url: size for url, size in asked.items() if "/page/" in url or url == f"{server.address}/"}
    assert 0 < sum(files.values()) <= 300_000
    assert refused == []

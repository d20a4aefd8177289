"""Watching agents in a real browser: pace, steps, keys, heat, thoughts, an evolved network, and what must survive."""

from __future__ import annotations

from typing import Any

import pytest

from page_hands import check_access
from page_server import DESKTOP, PHONE, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
TURNS, THOUGHTS = "spw-moves button", "spw-thoughts table"


def watch(page: Any, server: Server, game: str, agents: str) -> None:
    """Opens a watched game, and pauses it by the keyboard."""
    page.goto(f"{server.address}/watch/{game}?agents={agents}")
    page.wait_for_selector(THOUGHTS, timeout=60_000)
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play", exact=True).wait_for()


def turns(page: Any) -> int:
    return page.locator(TURNS).count()


def has_turns(page: Any, least: int) -> None:
    page.wait_for_function(f"() => document.querySelectorAll('{TURNS}').length >= {least}")


def test_agents_play_to_the_end_at_the_chosen_pace_and_the_game_is_reviewed(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/watch")
    page.get_by_role("button", name="Watch evolution and mcts play Nim").click()
    page.wait_for_selector(THOUGHTS, timeout=60_000)
    for _ in range(3):
        page.get_by_role("button", name="Faster").click()
    page.wait_for_selector(".pace:has-text('no pause')")
    assert page.get_by_role("button", name="Faster").is_disabled()
    page.get_by_role("link", name="Review this game").click(timeout=30_000)
    page.wait_for_selector("text=Judged by oracle.", timeout=60_000)


def test_a_game_is_paused_stepped_and_looked_back_on_by_the_keyboard(page: Any, server: Server) -> None:
    watch(page, server, "othello:size=4", "random;mcts:iterations=20")
    before = turns(page)
    for more in (1, 2):
        page.keyboard.press("s")
        has_turns(page, before + more)
    page.wait_for_selector(".status:has-text('would play')")
    now = page.inner_text("spw-thoughts")
    page.keyboard.press("[")
    page.wait_for_selector(f".status:has-text('Before turn {before + 2}')")
    assert page.inner_text("spw-thoughts") != now
    page.keyboard.press("]")
    page.wait_for_selector(".status:has-text('would play')")
    assert page.inner_text("spw-thoughts") == now
    page.keyboard.press("-")
    page.wait_for_selector(".pace:has-text('2 s')")
    page.keyboard.press("+")
    page.wait_for_selector(".pace:has-text('1 s')")
    page.wait_for_timeout(300)
    assert turns(page) == before + 2  # it still rests


def test_heat_and_thoughts_say_whose_they_are_and_what_they_mean(page: Any, server: Server) -> None:
    watch(page, server, "morris", "alphazero:iterations=40;random")
    if "alphazero" not in page.inner_text("spw-thoughts"):
        page.keyboard.press("s")
    page.wait_for_selector("spw-thoughts:has-text('alphazero:iterations=40')")
    assert "40 simulations; heat: share of the tree's visits" in page.inner_text("spw-thoughts")
    warm = page.locator(".heat .heat").count()
    assert warm >= 1
    assert page.locator(".heatwords text").count() >= 1
    page.keyboard.press("v")
    page.wait_for_selector('spw-thoughts:has-text("heat: the network\'s policy")')
    for kind in ("value", "off"):
        page.keyboard.press("v")
        page.get_by_role("button", name=f"Heat: {kind}").wait_for()
    assert page.locator(".heat .heat").count() == 0


def test_an_evolved_network_lights_up_and_shows_each_move(page: Any, server: Server) -> None:
    watch(page, server, "nim", "evolution;random")
    if "evolution" not in page.inner_text("spw-thoughts"):
        page.keyboard.press("s")
    page.wait_for_selector("spw-network svg[aria-label*='lit by']")
    first = page.get_attribute("spw-network svg", "aria-label")
    lights = page.eval_on_selector_all(
        ".wire", "all => new Set(all.map(one => one.getAttribute('stroke-opacity'))).size"
    )
    assert lights > 5
    page.locator("spw-thoughts button[aria-pressed=false]").first.click()
    page.wait_for_function(
        "first => document.querySelector('spw-network svg').getAttribute('aria-label') !== first", arg=first
    )


def test_a_killed_server_and_a_reload_keep_a_watched_game(page: Any, server: Server) -> None:
    watch(page, server, "othello:size=4", "random;mcts:iterations=20")
    page.keyboard.press("s")
    has_turns(page, 1)
    page.reload()
    page.wait_for_selector(THOUGHTS)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    kept = page.inner_text("spw-moves")
    server.kill()
    page.wait_for_selector(".status.problem")
    server.start()
    page.wait_for_function("() => !document.querySelector('.status.problem')", timeout=30_000)
    assert page.inner_text("spw-moves") == kept
    for key in "+++ ":
        page.keyboard.press(key)
    page.get_by_role("link", name="Review this game").wait_for(timeout=60_000)


def test_agents_alone_in_a_new_game_are_watched_and_it_goes_on_from_the_list(page: Any, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("button", name="Choose a variant and players of Nim").click()
    page.wait_for_selector("#seat1")
    page.fill("#seat0", "random")
    page.fill("#seat1", "random")
    page.get_by_role("button", name="Play", exact=True).last.click()
    page.wait_for_selector(THOUGHTS)
    page.keyboard.press(" ")
    page.keyboard.press("s")
    has_turns(page, 1)
    address = page.url
    page.goto(address.replace("/watched/", "/table/"))  # a table leads where it belongs
    page.wait_for_url("**/watched/*")
    page.goto(f"{server.address}/games")
    page.get_by_role("button", name="Go on").first.click()
    page.wait_for_url(address)
    page.wait_for_selector(THOUGHTS)


def test_a_phone_does_not_scroll_away_from_the_board(browser: Any, server: Server) -> None:
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()
    watch(page, server, "othello:size=4", "random;mcts:iterations=20")
    for more in range(1, 4):
        page.keyboard.press("s")
        has_turns(page, more)
    assert page.evaluate("() => scrollY") == 0
    page.context.close()


@pytest.mark.parametrize(("size", "theme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def test_nothing_serious_hinders_people_with_disabilities(browser: Any, server: Server, size: Any, theme: Any) -> None:
    page = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce").new_page()
    for path in ("/watch", "/watch/nim?agents=evolution;mcts", "/watch/backgammon?agents=td;random"):
        page.goto(server.address + path)
        page.wait_for_selector(f"main h1, {THOUGHTS}", timeout=60_000)
        if "agents" in path:
            page.keyboard.press(" ")
        page.wait_for_timeout(500)
        check_access(page, path)
    page.context.close()

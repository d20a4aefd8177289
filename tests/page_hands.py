"""Hands at the page: a game is opened, and played by clicks, by keys, by dragging and by typing."""

from __future__ import annotations

from typing import Any

from page_server import Server

NEXT = """all => [", legal", ", can move"]
    .map(end => all.find(one => (one.getAttribute("aria-label") ?? "").endsWith(end)))
    .find(Boolean)?.dataset.place ?? "" """
PLACE = "[data-place='{}']"


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
        passing.evaluate("button => button.click()")  # it may go meanwhile
        return
    name = page.eval_on_selector_all(".place", NEXT)
    done = page.get_by_role("button", name="Done", exact=True)
    if not name and done.is_visible() and done.is_enabled():
        done.click()
    if not name:
        return  # or the other side moves meanwhile
    place = page.locator(PLACE.format(name))
    if how == "keyboard":
        place.focus()
        page.keyboard.press("Enter")
    else:
        place.click(force=True)


def play_whole(page: Any, how: str, most: int = 400) -> None:
    """Plays by touching whatever can be touched, until the game is over."""
    for _ in range(most):
        if can_play(page) == "over":
            return
        touch_once(page, how)
        page.wait_for_timeout(40)
    raise AssertionError("the game does not end")


def drag(page: Any, source: str, target: str) -> None:
    """Takes the piece on a place to another one."""
    for name, way in ((source, "down"), (target, "up")):
        box = page.locator(PLACE.format(name)).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        getattr(page.mouse, way)()


def check_access(page: Any, path: str) -> None:
    """Nothing serious hinders people with disabilities, and nothing is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == [], path
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{path} is wider than the window"

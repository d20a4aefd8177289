"""Hands at the page: a game is opened, and played by clicks, by keys, by dragging and by typing."""

from __future__ import annotations

import json
from typing import Any

import spielwerk as sw
from page_server import Server

NEXT = """all => [", legal", ", can move"]
    .map(end => all.find(one => (one.getAttribute("aria-label") ?? "").endsWith(end)))
    .find(Boolean)?.dataset.place ?? "" """
PLACE = "[data-place='{}']"
OVER = ".status a.button"
HERE = "() => document.activeElement?.dataset?.place ?? ''"
FINISH = """() => [...document.querySelectorAll(".tools button")]
    .find(one => ["Done", "Pass"].includes(one.textContent) && !one.hidden && !one.disabled)?.click()"""
WAY = """target => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const board = document.querySelector("spw-board");
    const paths = new Map([[document.activeElement.dataset.place, []]]);
    for (const [place, path] of paths) for (const [key, way] of Object.entries(ways)) {
        const next = board.beside(place, way);
        if (next && !paths.has(next)) paths.set(next, [...path, key]);
    }
    return paths.get(target);
}"""  # the shortest way by arrow keys; a Map can grow while one goes through it

CUT_OFF = """() => {
    const hidden = (way) => {
        const seen = way.getBoundingClientRect();
        for (let box = way.parentElement; box && seen.width; box = box.parentElement) {
            const frame = box.getBoundingClientRect();
            const cuts = getComputedStyle(box).overflowX !== "visible" && box.scrollWidth > box.clientWidth;
            if (cuts && (seen.right > frame.right + 1 || seen.left < frame.left - 1)) return true;
        }
        return false;
    };
    const ways = [...document.querySelectorAll("main a[href], main td button, main li button, main .tools button")];
    const shown = new Set(ways.filter(way => !hidden(way)).map(way => way.getAttribute("href")).filter(Boolean));
    return ways.filter(way => hidden(way) && !shown.has(way.getAttribute("href"))).map(way => way.textContent);
}"""  # what leads somewhere, and is seen only by scrolling a box sideways


def open_game(page: Any, server: Server, game: str, seats: str = "you;random", more: str = "") -> None:
    page.goto(f"{server.address}/play/{game}?seats={seats}{more}")
    page.wait_for_selector("spw-board svg .place", timeout=60_000)


def can_play(page: Any) -> str:
    """`play` once it is our turn, `over` at the end."""
    page.wait_for_selector(f"{OVER}, .typed input:not([readonly])", timeout=60_000)
    return "over" if page.locator(OVER).count() else "play"


def legal(page: Any) -> list[str]:
    """The places that can be touched now."""
    return page.eval_on_selector_all(
        ".place.can", "all => all.map(one => one.dataset.place).filter(one => one !== 'dice')"
    )


def turns(page: Any) -> int:
    return page.locator("spw-moves button").count()


def touch_once(page: Any, how: str) -> None:
    """One touch by mouse or by keyboard: a chosen piece's target before another piece."""
    name = page.eval_on_selector_all(".place", NEXT)
    if name and how == "keyboard":
        walk(page, name)
        page.keyboard.press("Enter")
    elif name:
        page.locator(PLACE.format(name)).click(force=True)
    elif how == "keyboard":
        page.keyboard.press("c")  # or the other side moves meanwhile
    else:
        page.evaluate(FINISH)


def walk(page: Any, name: str) -> None:
    """Goes to a place by Tab and the arrow keys, and by nothing else."""
    for _ in range(60):
        if page.evaluate(HERE):
            break
        page.keyboard.press("Tab")
    for key in page.evaluate(WAY, name):
        page.keyboard.press(key)
    assert page.evaluate(HERE) == name


def play_whole(page: Any, how: str, most: int = 400) -> None:
    """Plays by touching whatever can be touched, until the game is over."""
    for _ in range(most):
        if can_play(page) == "over":
            return
        touch_once(page, how)
        page.wait_for_timeout(15)
    raise AssertionError("the game does not end")


def type_whole(page: Any, server: Server, name: str) -> None:
    """Plays by typing alone: a legal move of the last position that the server has sent, until the game is over."""
    states: list[dict[str, Any]] = []

    def heard(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "state":
            states.append(message)

    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    open_game(page, server, name)
    page.keyboard.press("/")  # and never again: what is typed goes where the last move was typed
    while can_play(page) == "play":
        moves = sw.game(name).parse(states[-1]["position"]).moves()
        before = len(states)
        page.keyboard.type(moves[len(moves) // 2])
        page.keyboard.press("Enter")
        while len(states) == before:
            page.wait_for_timeout(10)


def drag(page: Any, source: str, target: str) -> None:
    """Takes the piece on a place to another one."""
    for name, way in ((source, "down"), (target, "up")):
        box = page.locator(PLACE.format(name)).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        getattr(page.mouse, way)()


def check_access(page: Any, path: str) -> None:
    """Nothing serious hinders people with disabilities, nothing is wider than the window, and no way out of sight."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == [], path
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{path} is wider than the window"
    assert page.evaluate(CUT_OFF) == [], f"{path} hides what leads somewhere in a box that must be scrolled"

"""The pictures of the page in `docs/pictures`, taken in a real Chromium from a server with a data folder of its own.

    python benchmarks/pictures.py              # all of them, in about three minutes
    python benchmarks/pictures.py edit ladder  # some of them, by name; those of the laboratory train and play first

Look at each before it is committed. Texts are as the page writes them; positions and seeds are fixed, dice are not.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
COLOURS = 128  # of a picture, which keeps it small
THOUGHTS = "spw-thoughts table"
BOARD = "spw-board svg .place"
OPENING = "?seats=you;td&at=.b....E.C...eE...c.e....B. X 31"
OTHELLO = "?seats=you;you&line=c4;e3;f2;c5;d6;e2;f3;g1;d1;g3;e6;c3"
BLUNDERED = '[Game "morris"]\n[Agents "human" "td"]\n[Result "*"]\n\n'
PLAYED = "d6 d2 f4 b4 d7 d5 f2 f6 a4 e4 g7 a7 g1 g4 d1 a1 e3 c3"
RUN = {"learner": "td", "game": "einstein:board=4", "seeds": "1-5", "evaluation": {"games": 400}}


class Site:
    """The server, and a browser before it."""

    def __init__(self, address: str, browser: Any) -> None:
        self.address, self.browser = address, browser

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What a request answers."""
        asked = urllib.request.Request(
            f"{self.address}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)

    def job(self, kind: str, body: dict[str, Any], share: float = 1.0) -> int:
        """Starts a job, and waits until so much of it is done."""
        number = self.post(f"lab/{kind}", body)["job"]
        while True:
            with urllib.request.urlopen(f"{self.address}/api/lab/jobs/{number}") as answer:
                job = json.load(answer)
            if job["state"] != "running" or (share < 1 and job["total"] and job["done"] >= share * job["total"]):
                return number
            time.sleep(0.5)

    @contextmanager
    def page(self, path: str, wait: str, size: dict[str, int] = DESKTOP, theme: Any = "light") -> Iterator[Any]:
        """A place of the page, once something is there."""
        context = self.browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
        page = context.new_page()
        page.goto(self.address + path)
        page.wait_for_selector(wait, timeout=120_000)
        page.wait_for_timeout(1200)
        yield page
        context.close()

    def take(self, name: str, path: str, wait: str, size: dict[str, int] = DESKTOP, theme: str = "light") -> None:
        """A picture of a place."""
        with self.page(path, wait, size, theme) as page:
            kept(page, name)


def kept(page: Any, name: str, whole: bool = False) -> None:
    """Writes what a page shows in its window, or the whole of it, as a small file."""
    picture = Image.open(io.BytesIO(page.screenshot(full_page=whole))).convert("RGB")
    file = FOLDER / f"page-{name}.png"
    picture.quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size // 1024} kB", flush=True)


def morris(site: Site) -> None:
    """The judge beside the board."""
    with site.page("/play/morris?seats=you;td&line=d6;d2", BOARD) as page:
        page.keyboard.press("e")
        page.wait_for_selector(".truth td")
        page.wait_for_timeout(800)
        kept(page, "morris")


def review(site: Site) -> None:
    """A game with mistakes, judged."""
    lines = [f"  {n}. {'black' if n % 2 == 0 else 'white'} {move}" for n, move in enumerate(PLAYED.split(), 1)]
    number = site.post("import", {"text": BLUNDERED + "\n".join(lines) + "\n"})["numbers"][0]
    with site.page(f"/review/{number}#10", "text=Judged by") as page:
        kept(page, "review", whole=True)


def edit(site: Site) -> None:
    """The editor, with two checkers put on the board."""
    with site.page(f"/edit/backgammon{OPENING}", BOARD) as page:
        for brush, point in (("take away", "6"), ("take away", "6"), ("white", "4"), ("white", "5")):
            page.get_by_role("button", name=brush, exact=True).click()
            page.locator(f"[data-place='{point}']").click(force=True)
            page.wait_for_timeout(400)
        kept(page, "edit")


def watch_nim(site: Site) -> None:
    """An evolved network, lit by a move."""
    with site.page("/watch/nim?agents=evolution;mcts", THOUGHTS) as page:
        page.keyboard.press(" ")
        page.wait_for_selector("spw-network svg")
        page.wait_for_timeout(500)
        kept(page, "watch-nim")


def laboratory(site: Site) -> None:
    """A run while it learns; then what it is compared with, a ladder and a study."""
    number = site.job("train", {**RUN, "name": "ewn4", "settings": {"episodes": 1_000_000}}, 0.85)
    site.take("lab", "/lab/runs/ewn4", "spw-chart polyline.line")
    site.post(f"lab/jobs/{number}/stop", {})
    quick = {"episodes": 60_000, "lam": 0.5}
    site.job("train", {**RUN, "name": "ewn4-traces", "settings": quick})
    chart = "spw-chart polyline.line"
    site.take("lab-compare-dark", "/lab/runs/ewn4,ewn4-traces", chart, theme="dark")
    site.take("lab-phone", "/lab/runs/ewn4-traces", chart, PHONE, "dark")


def ladder(site: Site) -> None:
    """Ratings after a tournament."""
    agents = ["random", "mc:iterations=50", "mcts:iterations=50", "mctse:iterations=50", "td", "oracle"]
    site.job("tournament", {"game": "einstein:board=4", "agents": agents, "games": 200})
    site.take("lab-ladder", "/lab/ladder/einstein:board=4", "td >> text=oracle")


def study(site: Site) -> None:
    """Published figures beside ours."""
    site.job("study", {"study": "einstein/table-9", "quick": True})
    site.take("lab-study", "/lab/studies/einstein/table-9?quick", ".whisker")


PICTURES: dict[str, Callable[[Site], None]] = {
    "laboratory": laboratory,
    "ladder": ladder,
    "study": study,
    "start": lambda site: site.take("lab-start", "/lab/start/train", "#own-episodes"),
    "home": lambda site: site.take("home", "/", ".boards img"),
    "morris": morris,
    "backgammon": lambda site: site.take("backgammon", f"/play/backgammon{OPENING}", BOARD),
    "review": review,
    "othello": lambda site: site.take("othello-dark", f"/play/othello{OTHELLO}", BOARD, theme="dark"),
    "phone": lambda site: site.take("phone", "/play/einstein?seats=you;td", f"{BOARD}.can", PHONE),
    "edit": edit,
    "watch": lambda site: site.take("watch", "/watch/morris?agents=alphazero;mcts&line=d6;d2;f4", THOUGHTS),
    "watch-nim": watch_nim,
    "watch-phone": lambda site: site.take("watch-phone", "/watch/othello?agents=alphazero;mcts", THOUGHTS, PHONE),
}


def main() -> None:
    """Takes the pictures that are named, or all."""
    wanted = sys.argv[1:] or list(PICTURES)
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        own = {**os.environ, "SPIELWERK_HOME": home}
        command = [sys.executable, "-m", "spielwerk", "serve", "--no-browser", "--port", "0"]
        server = subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            address = server.stdout.readline().split(" is at ")[1].strip().rstrip("/")
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            for name in wanted:
                PICTURES[name](Site(address, browser))
            browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()

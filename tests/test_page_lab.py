"""The laboratory in a real browser: a training followed live, stopped and resumed; a match; every page for everyone."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from page_hands import check_access, play_whole
from page_server import DESKTOP, PHONE, Server, chromium, served

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
RUN, SHORT, STATE = "page-run", "short-run", ".state[role=status]"
POINTS = "document.querySelector('.charts polyline.line')?.getAttribute('points').split(' ').length ?? 0"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("lab")
    with served(home) as found:
        yield found
    for pid in home.glob("jobs/*/pid"):  # a job outlives its server
        with suppress(OSError):
            os.killpg(int(pid.read_text()), signal.SIGKILL)


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A page whose own faults fail the test."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    found, faults = context.new_page(), []
    found.on("pageerror", lambda error: faults.append(str(error)))
    yield found
    context.close()
    assert faults == []


def state(page: Any, wanted: str) -> None:
    page.wait_for_selector(f"{STATE} >> text={wanted}")


def test_a_training_is_started_followed_stopped_and_resumed(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab")
    page.get_by_role("link", name="Train", exact=True).click()
    page.fill("#new-game", "nim:stacks=3-4-5")
    page.fill("#own-episodes", "40000000")
    page.fill("#new-name", RUN)
    page.get_by_text("Evaluation", exact=True).click()
    page.fill("#evaluation-games", "40")
    page.fill("#evaluation-every", "10000")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(f"**/lab/runs/{RUN}")
    page.wait_for_function(f"() => ({POINTS}) >= 4")
    before = page.evaluate(POINTS)
    page.wait_for_function(f"() => ({POINTS}) > {before}")  # the curve grows while one looks
    assert page.locator("spw-chart").first.inner_text().startswith("rate against random")
    server.kill()  # the job goes on, and the restarted server knows it
    page.wait_for_selector("text=The line is broken")
    server.start()
    page.wait_for_selector("text=The line is broken", state="hidden")
    before = page.evaluate(POINTS)
    page.wait_for_function(f"() => ({POINTS}) > {before}")  # it is followed again by itself
    page.get_by_role("button", name=f"Stop {RUN}").click()
    state(page, "stopped")
    page.get_by_role("button", name="Resume").click()
    state(page, "running")
    page.get_by_role("button", name=f"Stop {RUN}").click()
    state(page, "stopped")
    page.goto(f"{server.address}/")
    page.wait_for_selector(f".home-run >> text={RUN}")


def test_a_training_that_ends_while_one_looks_can_be_extended(page: Any, server: Server) -> None:
    short = {"learner": "td", "game": "nim:stacks=3-4-5", "name": SHORT, "settings": {"episodes": 300_000}}
    assert page.request.post(f"{server.address}/api/lab/train", data=short).ok
    page.goto(f"{server.address}/lab")
    page.locator(".jobs").get_by_role("link", name=SHORT).click()
    state(page, "finished")
    page.get_by_label("Extend to").wait_for()
    assert page.get_by_role("button", name="Stop").count() == 0
    page.fill("#longer", "60000000")
    page.get_by_role("button", name="Go on").click()
    state(page, "running")
    page.get_by_role("button", name=f"Stop {SHORT}").click()
    state(page, "stopped")
    before = len(page.request.get(f"{server.address}/api/lab/jobs").json())
    page.get_by_role("button", name="Resume").click()
    state(page, "running")
    assert len(page.request.get(f"{server.address}/api/lab/jobs").json()) == before  # the same job goes on
    page.get_by_role("button", name=f"Stop {SHORT}").click()
    state(page, "stopped")


def test_a_tournament_is_stopped_and_resumed_from_the_page(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab/start/tournament")
    page.fill("#new-game", "othello:size=6")
    page.fill("#new-agents", "random\nmc:iterations=100\nmcts:iterations=100")
    page.fill("#new-games", "400")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/lab/jobs/*")
    done = "() => document.querySelector('.lab progress')?.value ?? 0"
    page.wait_for_function(f"() => ({done})() > 0")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("[role=status] >> text=stopped")
    before = page.evaluate(done)
    assert 0 < before < 1200
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(f"() => ({done})() > {before}")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("[role=status] >> text=stopped")
    page.get_by_role("link", name="The table").click()
    page.wait_for_selector("text=400 games a pair · not finished")
    page.wait_for_selector("td >> text=random")


def test_a_game_is_played_against_a_run_that_was_trained_here(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab/runs/{SHORT}")
    page.get_by_role("link", name="Play against it").click()
    page.wait_for_selector(f".seat >> text=td:{SHORT}")
    play_whole(page, "click")
    assert page.locator(".status a.button").inner_text() == "Review this game"


def test_a_list_that_is_followed_keeps_its_order_and_the_focus(page: Any, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address}/lab")
    page.get_by_role("button", name="run", exact=True).click()
    page.wait_for_selector("th[aria-sort=ascending]")
    page.get_by_label(f"Compare {RUN}").focus()
    match = {"game": "nim", "first": "random", "second": "mc:iterations=1", "games": 9}
    assert page.request.post(f"{server.address}/api/lab/match", data=match).ok
    page.wait_for_selector(".jobs >> text=random against mc:iterations=1")
    assert page.locator("th[aria-sort=ascending]").count() == 1
    assert page.evaluate("() => document.activeElement.ariaLabel") == f"Compare {RUN}"
    assert not [url for url in asked if "/api/lab/jobs" in url or "/api/lab/runs" in url]  # nothing is polled


def test_a_setting_out_of_its_bounds_is_explained(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab/start/match")
    page.fill("#new-first", "engine:ls")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".problem >> text=starts a program")


def test_a_match_is_played_and_stands_in_the_tables(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab/start/match")
    page.fill("#new-game", "nim:stacks=3-4-5")
    page.fill("#new-first", "mc:iterations=20")
    page.fill("#new-games", "300")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("text=finished · rate of mc:iterations=20")
    page.get_by_role("link", name="The ladder").click()
    page.wait_for_selector("td >> text=mc:iterations=20")
    page.goto(f"{server.address}/lab/matches")
    page.wait_for_selector("td >> text=300")
    page.get_by_role("button", name="game", exact=True).first.click()
    assert page.locator("th[aria-sort=ascending]").count() == 1


def test_a_study_is_run_from_its_page_and_shows_published_figures_beside_ours(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/lab/studies/nim/stack-2")
    page.get_by_role("button", name="Run the quick form").click()
    page.wait_for_url("**/lab/jobs/*")
    page.get_by_role("link", name="The report").click(timeout=120_000)
    page.wait_for_selector("h2 >> text=Published and reproduced, quick form")
    page.wait_for_selector("text=○ published · ● ours")


@pytest.mark.parametrize(("theme", "size"), [("light", PHONE), ("dark", DESKTOP)], ids=["phone", "desktop"])
def test_nothing_serious_hinders_people_with_disabilities(browser: Any, server: Server, theme: Any, size: Any) -> None:
    page = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce").new_page()
    for path in ("", f"/runs/{RUN}", "/ladder", "/matches", "/studies/nim/stack-2", "/start/train", "/jobs/2"):
        page.goto(f"{server.address}/lab{path}")
        page.wait_for_selector(".lab h1", timeout=60_000)
        page.wait_for_timeout(250)
        check_access(page, path)
    page.context.close()

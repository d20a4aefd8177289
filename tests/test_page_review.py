"""Truth and review in a real browser: the judge per side, mistakes on the board, in the list and in words, lessons."""

from __future__ import annotations

import re
from typing import Any

import pytest

from page_hands import PLACE, can_play, check_access, open_game
from page_server import DESKTOP, PHONE, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
SIGNS = "spw-board .worth.{} text"


def play(page: Any, move: str) -> None:
    """Types a move once it is asked for."""
    assert can_play(page) == "play"
    before = page.locator("spw-moves button").count()
    page.fill(".typed input", move)
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => document.querySelectorAll('spw-moves button').length > {before}")
    page.locator("spw-board .place").first.focus()  # keys are for the board again


def resign_and_review(page: Any, judge: str) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.get_by_role("link", name="Review this game").click()
    page.wait_for_selector(f"text=Judged by {judge}.", timeout=120_000)


def test_the_judge_is_shown_to_each_side_that_asks_for_it(page: Any, server: Server) -> None:
    open_game(page, server, "nim", "you;you")
    assert can_play(page) == "play"
    page.locator("spw-board .place").first.focus()
    page.keyboard.press("e")
    page.wait_for_selector(".truth >> text=by the oracle, exact")
    play(page, "4:1")
    page.wait_for_selector(".truth >> text=Hidden at the turns of B.")
    assert page.locator("spw-board .worth").count() == 0
    page.keyboard.press("e")
    page.wait_for_selector(".truth >> text=by the oracle, exact")
    page.get_by_label("A", exact=True).uncheck()
    play(page, "3:1")
    page.wait_for_selector(".truth >> text=Hidden at the turns of A.")
    play(page, "2:1")
    page.keyboard.press("e")
    page.wait_for_selector(".truth", state="hidden")


def test_the_word_of_a_quick_judge_is_seen_after_the_reply_of_an_agent(page: Any, server: Server) -> None:
    open_game(page, server, "einstein:board=3")
    assert can_play(page) == "play"
    page.locator("spw-board .place").first.focus()
    page.keyboard.press("e")
    page.wait_for_selector("spw-judge tbody tr")
    page.locator("spw-judge tbody button").first.click()
    page.wait_for_function("() => document.querySelectorAll('spw-moves button').length >= 2")
    if can_play(page) == "play":
        page.wait_for_selector("spw-judge tbody tr")


def test_a_missed_win_is_marked_on_the_board_in_the_list_and_in_words(page: Any, server: Server) -> None:
    open_game(page, server, "nim:stacks=1-3-5", "you;you", more="&at=1-3-5 A")
    play(page, "3:5")  # 3:3 would have won
    play(page, "2:1")
    resign_and_review(page, "oracle")
    page.locator("spw-moves button[aria-label='1. A 3:5, missed win']").click()
    assert page.locator("spw-moves .sign").first.inner_text() == "+?"
    assert page.locator(SIGNS.format("q-blunder")).all_text_contents() == ["+?"]
    assert page.locator(SIGNS.format("q-best")).all_text_contents() == ["✓"]
    page.wait_for_selector("text=A plays 3:5: a missed win, 2.00 given away; better is 3:3, says oracle.")
    assert page.get_by_role("row", name="missed wins +? 1 1").count() == 1
    page.get_by_role("button", name="To the end").click()
    page.wait_for_selector(".status >> text=A resigned. B won.")
    assert page.locator("spw-board .worth").count() == 0


def test_a_losing_blunder_has_a_sign_and_words_of_its_own(page: Any, server: Server) -> None:
    open_game(page, server, "othello:size=4", "you;you", more="&at=..OO/XOXX/OOX./...X X")
    play(page, "c4")  # a1 and a4 draw
    resign_and_review(page, "oracle")
    page.locator("spw-moves button[aria-label$='c4, losing blunder']").click()
    assert page.locator("spw-moves .sign").first.inner_text() == "−?"
    assert page.locator(SIGNS.format("q-blunder")).all_text_contents() == ["−?"]
    page.wait_for_selector("text=Black plays c4: a losing blunder")


def test_the_move_played_and_the_better_one_are_arrows_by_quality(page: Any, server: Server) -> None:
    open_game(page, server, "backgammon", "you;you", more="&at=.b....E.C...eE...c.e....B. X 31")
    play(page, "24/20")  # 8/5 6/5 is far better
    resign_and_review(page, "td")
    page.get_by_role("button", name="To the next mistake").click()
    page.wait_for_selector("text=better is 8/5 6/5, says td (± ")
    lost, error = re.search(r"([\d.]+) given away.*± ([\d.]+)", page.inner_text(".status")).groups()  # type: ignore[union-attr]
    assert float(lost) > float(error)
    assert page.locator("spw-board path.arrow.q-blunder").count() >= 1
    assert page.locator("spw-board path.arrow.q-best").count() == 2
    assert page.locator(SIGNS.format("q-blunder")).all_text_contents() == ["??"]
    assert page.get_by_role("row", name="luck of the dice").count() == 1
    page.get_by_role("link", name="Learn from your mistakes").click()
    page.wait_for_selector("text=You played 24/20.")
    page.wait_for_selector("[data-place='8'][aria-label$='can move']")
    page.locator(PLACE.format("8")).click(force=True)
    page.wait_for_selector("[data-place='5'][aria-label^='point 5, 1 white']")
    page.locator(PLACE.format("12")).click(force=True)  # where the other side stands
    page.wait_for_selector(".status >> text=cannot")
    page.wait_for_selector("[data-place='5'][aria-label='point 5, 1 white, can move']")  # the board stays as it is
    page.locator(PLACE.format("8")).click(force=True)
    page.get_by_role("button", name="Done").wait_for()
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("[data-place='5'][aria-label='point 5, empty']")
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector("text=Better is 8/5 6/5, says td; this one comes again.", timeout=60_000)
    assert page.locator("spw-board path.arrow.q-best").count() == 2
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=0 of 1 found at once.")


def test_a_game_goes_on_from_a_reviewed_position(page: Any, server: Server) -> None:
    open_game(page, server, "nim:stacks=1-3-5", "you;you", more="&at=1-3-5 A")
    play(page, "3:5")
    play(page, "2:1")
    resign_and_review(page, "oracle")
    page.keyboard.press("]")
    page.wait_for_function("() => location.hash === '#1'")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector("#seat1")
    assert page.input_value("#at") == "1-3-0 B"
    page.get_by_role("button", name="Play", exact=True).last.click()
    page.wait_for_url("**/table/*")
    page.wait_for_selector("[data-place='2.3'][aria-label$=', legal']")
    assert page.locator(".place[aria-label$=', legal']").count() == 4  # B's choices: one match of row 1, three of row 2


def test_one_who_moves_need_not_wait_for_a_hint(page: Any, server: Server) -> None:
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(str(text))))
    page.goto(server.address)
    page.evaluate("() => localStorage.setItem('spielwerk.judge', JSON.stringify('mcts:milliseconds=10000'))")
    open_game(page, server, "othello", "you;you")
    assert can_play(page) == "play"
    page.locator("spw-board .place").first.focus()
    page.keyboard.press("h")
    page.wait_for_selector(".status >> text=Thinking …")
    page.locator(PLACE.format("d3")).click(force=True)
    page.wait_for_selector("spw-moves button[aria-label='1. black d3']")
    page.wait_for_selector(".status >> text=White to move: place a disc.")
    assert not any('"type": "hint"' in text for text in heard)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_serious_hinders_people_with_disabilities(browser: Any, server: Server, theme: Any, size: Any) -> None:
    page = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce").new_page()
    open_game(page, server, "nim:stacks=1-3-5", "you;you", more="&at=1-3-5 A")
    page.locator("spw-board .place").first.focus()
    page.keyboard.press("e")
    page.wait_for_selector("spw-judge tbody tr")
    check_access(page, "the judge")
    play(page, "3:5")
    resign_and_review(page, "oracle")
    page.locator("spw-moves button").first.click()
    check_access(page, "the review")
    page.get_by_role("link", name="Learn from your mistakes").click()
    page.wait_for_selector("text=You played 3:5.")
    check_access(page, "the lesson")
    page.context.close()

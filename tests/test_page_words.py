"""What the page says, in a real browser: what is to be done, refusals, unknown addresses, older games."""

from __future__ import annotations

import json
from typing import Any

import pytest

from page_hands import PLACE, can_play, open_game
from page_server import Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
STATUS = ".status"
NIM = '[Game "nim:stacks=1-3-5"]\n[Agents "human" "Bert"]\n[Result "*"]\n\n  1. A 3:1\n\n'


def test_a_closed_mill_is_shown_and_said(page: Any, server: Server) -> None:
    open_game(page, server, "morris", "you,you", "&line=a1;a7;d1;d7")
    assert can_play(page) == "play"
    assert page.inner_text(STATUS) == "White to move: place a man."
    page.locator(PLACE.format("g1")).click(force=True)
    page.wait_for_selector(".status >> text=White to move: a mill, take a man.")
    assert page.text_content("#said p:last-child") == "White to move: a mill, take a man."


def test_an_unknown_address_says_so_on_the_page(page: Any, server: Server) -> None:
    answer = page.goto(f"{server.address}/nosuch")
    assert answer.status == 404
    page.wait_for_selector("main >> text=There is no such page.")
    page.get_by_role("link", name="To the games").click()
    page.wait_for_selector("h1 >> text=Play")


def test_a_text_that_is_too_large_is_refused_in_a_sentence(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/games")
    page.wait_for_selector("textarea")
    page.evaluate("() => { document.querySelector('textarea').value = 'x'.repeat(300000); }")
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector("text=This is too large; the server takes at most 256 kB at once.")


def test_older_games_are_reached_by_a_link(page: Any, server: Server) -> None:
    asked = {"data": json.dumps({"text": NIM * 101}), "headers": {"Content-Type": "application/json"}}
    numbers = page.request.post(f"{server.address}/api/import", **asked).json()["numbers"]
    page.goto(f"{server.address}/games")
    page.get_by_role("link", name="Older games").click()
    page.wait_for_url("**/games?before=*")
    page.wait_for_selector(f"tbody a[href='/review/{numbers[0]}']")
    assert page.get_by_role("link", name="Older games").count() == 0


def test_several_imported_games_stand_in_the_list(page: Any, server: Server) -> None:
    page.goto(f"{server.address}/games")
    page.fill("textarea", NIM * 3)
    page.get_by_role("button", name="Import").click()
    page.wait_for_function("() => document.querySelector('#said').textContent.includes('3 games were imported.')")
    page.wait_for_function("() => document.querySelectorAll('table.games tbody tr').length >= 3")

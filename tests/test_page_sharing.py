"""Several people at one board in a real browser: invitations, also beyond this machine, and seats that nobody loses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from page_hands import can_play, open_game
from page_server import Server, served

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
SEATS = ".seats"


@pytest.fixture
def other(browser: Any) -> Iterator[Any]:
    """Another browser, which knows nothing of the first."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def invite(page: Any) -> str:
    """The link for B, once the dialog has gone."""
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("Link for B", exact=True).input_value()
    page.get_by_role("button", name="Done").click()
    return link


def sits(page: Any, *seats: str) -> None:
    for seat in seats:
        page.wait_for_selector(f"{SEATS} >> text={seat}")


def typed(page: Any, move: str, line: str, *seen: Any) -> None:
    page.fill(".typed input", move)
    page.keyboard.press("Enter")
    for one in (page, *seen):
        one.wait_for_selector(f"spw-moves button[aria-label='{line}']")


def test_two_browsers_play_at_one_board(page: Any, other: Any, server: Server) -> None:
    open_game(page, server, "nim", "you;you")
    assert can_play(page) == "play"
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("Link for B", exact=True).input_value()
    page.get_by_role("button", name="Copy the link for B").click()
    page.wait_for_selector("text=is copied; send it")
    page.wait_for_selector("text=can be reached from this machine only")
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Done").click()
    other.goto(link)
    sits(other, "A, person", "B, you")
    sits(page, "A, you", "B, person")
    assert other.url == page.url  # the key of a seat does not stay in the address
    assert "You play B." in other.inner_text("#said")
    typed(page, "1:1", "1. A 1:1", other)
    assert can_play(other) == "play"
    assert not page.locator(".typed input").is_editable()
    typed(other, "2:3", "2. B 2:3", page)


def test_a_link_opened_in_ones_own_browser_adds_a_seat_and_takes_none_away(page: Any, server: Server) -> None:
    open_game(page, server, "nim", "you;you")
    link = invite(page)
    sits(page, "A, you", "B, person")
    preview = page.context.new_page()
    preview.goto(link)
    sits(preview, "A, you", "B, you")
    typed(preview, "1:1", "1. A 1:1", page)
    typed(preview, "2:3", "2. B 2:3", page)
    typed(page, "3:5", "3. A 3:5", preview)  # which still has its own
    assert invite(preview) == link  # and the seat can be offered again
    sits(preview, "A, you", "B, person")
    page.reload()
    sits(page, "A, you", "B, person")


def test_nobody_is_invited_before_it_is_known_who_sits_where(page: Any, server: Server) -> None:
    page.route_web_socket("**", lambda line: None)  # the server says nothing
    page.goto(f"{server.address}/play/nim?seats=you;you")
    page.wait_for_selector("button:text('Link')")
    assert not page.get_by_role("button", name="Invite").is_visible()


def test_an_invitation_beyond_this_machine_brings_the_token(browser: Any, other: Any, tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as server:
        here = f"http://localhost:{server.port}"
        context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(f"{here}/play/nim?seats=you;you&{server.token}")
        link = urlsplit(invite(page))
        assert f"{link.scheme}://{link.netloc}" == server.address  # which others can reach, other than localhost
        assert link.query == server.token
        assert other.goto(f"{here}{link.path}").status == 401
        other.goto(f"{here}{link.path}?{link.query}#{link.fragment}")
        sits(other, "B, you")
        assert server.token not in other.url
        typed(page, "1:1", "1. A 1:1", other)
        typed(other, "2:3", "2. B 2:3", page)
        page.get_by_role("button", name="Link", exact=True).click()
        page.wait_for_selector("text=line is copied")
        copied = page.evaluate("() => navigator.clipboard.readText()")
        assert copied.startswith(f"{server.address}/play/nim?")
        assert server.token in copied
        context.close()

"""A game from another package in a real browser: played from the list of its moves, with no line of JavaScript."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from example_game import installed
from page_hands import OVER, open_game, turns
from page_server import Server, served

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
MOVE = ".choices button"


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the example's game."""
    found = [*map(str, installed(tmp_path_factory.mktemp("package"))), os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, found)))
        with served(tmp_path_factory.mktemp("page")) as serving:
            yield serving


def test_it_stands_among_the_games_and_is_played_from_the_list_of_its_moves(page: Any, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("button", name="Play Chomp", exact=True).wait_for()
    open_game(page, server, "chomp:size=3")
    page.wait_for_selector(MOVE)
    assert page.locator(MOVE).count() == 9
    while True:
        page.wait_for_selector(f"{OVER}, {MOVE} >> visible=true")
        if page.locator(OVER).count():
            break
        before = turns(page)
        page.locator(MOVE).last.click()
        page.wait_for_function(f"() => document.querySelectorAll('spw-moves button').length > {before}")
        page.wait_for_selector(f"{OVER}, .typed input:not([readonly])")
    assert page.locator(OVER).inner_text() == "Review this game"

"""What moves on the page in a real browser: dice that roll and pieces that go, unless the reader wants none of it."""

from __future__ import annotations

from typing import Any

import pytest

from page_hands import can_play, open_game
from page_server import DESKTOP, Server

pytestmark = pytest.mark.filterwarnings("default")  # those of the browser's driver are not ours
ROLLED = "&at=.b....E.C...eE...c.e....B. X 31"
WATCHED = """
    window.turned = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (steps, how) {
        window.turned.push(steps.map(step => step.transform).join());
        return animate.call(this, steps, how);
    };"""
TURNED = "() => window.turned.filter(steps => steps.includes('rotate')).length"
WAY = "() => getComputedStyle(document.querySelector('spw-board .piece')).transitionDuration"


def reply(page: Any, server: Server) -> None:
    """One's own turn, and the opponent's with dice of its own."""
    open_game(page, server, "backgammon", more=ROLLED)
    assert can_play(page) == "play"
    page.fill(".typed input", "8/5 6/5")
    page.keyboard.press("Enter")
    page.wait_for_selector("spw-moves button >> nth=1")
    assert can_play(page) == "play"


@pytest.mark.parametrize(("motion", "still"), [("no-preference", False), ("reduce", False), ("no-preference", True)])
def test_dice_roll_and_checkers_move_unless_that_is_switched_off(
    browser: Any, server: Server, motion: Any, still: bool
) -> None:
    context = browser.new_context(viewport=DESKTOP, reduced_motion=motion)
    context.add_init_script(WATCHED)
    page = context.new_page()
    if still:
        open_game(page, server, "nim")
        page.get_by_role("button", name="?", exact=True).click()
        page.get_by_label("No animation").check()
        page.get_by_role("button", name="Close").click()
    reply(page, server)
    lively = motion == "no-preference" and not still
    assert (page.evaluate(TURNED) >= 2) == lively
    assert (page.evaluate(WAY) not in ("0s", "none")) == lively
    context.close()

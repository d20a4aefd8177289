"""Drawings of n-tuples: `spielwerk show GAME --tuples RUN`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.cli import app
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.learn.td.tuple_pictures import SmallBoard, picture, text
from spielwerk.learn.td.tuple_set import of_network, tuple_set

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
SVG = "{http://www.w3.org/2000/svg}"
# Figures 9 to 11 of the EinStein thesis: the tuples and the weights of table 2, where it counts what can be met.
ARCHITECTURES = [("einstein:board=4", 9, 4), ("einstein", 24, 6), ("einstein:board=6,players=4", 40, 6)]


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["show", *words])
    problem = "" if done.exception is None or isinstance(done.exception, SystemExit) else str(done.exception)
    return done.exit_code, done.stdout, problem


@pytest.mark.parametrize(("name", "count", "length"), ARCHITECTURES)
def test_the_published_tuples_are_those_of_the_drawings(name: str, count: int, length: int) -> None:
    found = tuple_set(sw.game(name), "published")
    board = SmallBoard(found)
    assert len(found.tuples) == count
    for cells in found.tuples:
        places = [board.places[cell] for cell in cells]
        assert len(places) == length
        wide, high = (len({getattr(place, axis) for place in places}) for axis in "xy")
        assert wide * high == length  # side by side: a square or a rectangle
        assert max(place.x for place in places) - min(place.x for place in places) == (wide - 1) * 84


def test_every_cell_of_a_tuple_is_numbered_on_its_small_board(tmp_path: Path) -> None:
    file = tmp_path / "tuples.svg"
    assert run("einstein", "--tuples", "published", "--svg", str(file))[0] == 0
    root = ElementTree.parse(file).getroot()
    numbers = [node.text for node in root.iter(f"{SVG}text") if node.get("class") == "white"]
    assert sorted(filter(None, numbers)) == sorted("123456" * 24)
    assert len([node for node in root.iter(f"{SVG}rect") if node.get("class") == "blue"]) == 6 * 24


def test_a_terminal_shows_the_same_tuples() -> None:
    shown = text(tuple_set(sw.game("einstein:board=3"), "published"))
    assert shown.splitlines()[2:5] == [
        "1 2 ·   · 1 2   · · ·   · · ·",
        "3 4 ·   · 3 4   1 2 ·   · 1 2",
        "· · ·   · · ·   3 4 ·   · 3 4",
    ]


def test_cells_that_are_no_place_of_the_board_are_named() -> None:
    shown = text(tuple_set(sw.game("morris"), "usual"))
    assert "phase" in shown
    assert "own_closing other_closing" in shown
    assert text(tuple_set(sw.game("nim"), "all")).endswith("stack1 stack2 stack3\nstack4")


@pytest.mark.parametrize("name", ["backgammon", "othello", "morris", "nim", "einstein:board=6,players=3"])
def test_the_tuples_of_every_game_can_be_drawn(name: str) -> None:
    game = sw.game(name)
    learner = TdLearner(game, Settings(episodes=1, symmetry=True), seed=1)
    found = of_network(learner.network)
    assert picture(found).shapes
    assert found.places == len(learner.network.shape.places)
    assert sum(map(found.weights, found.tuples)) == sum(learner.network.shape.sizes)


def test_a_run_shows_its_own_tuples() -> None:
    sw.train("td", "einstein:board=3", name="two", seed=1, episodes=200, tuples="a1-a2 b2-c3")
    code, printed, _ = run("einstein:board=3", "--tuples", "two", "--json")
    facts = json.loads(printed)
    assert code == 0
    assert [one["cells"] for one in facts["tuples"]] == [["a1", "a2"], ["b2", "c3"]]
    assert facts["places"] == 4  # the transposed board has its own
    assert "plays einstein:board=3" in run("einstein", "--tuples", "two")[2]


def test_bad_input_is_one_sentence() -> None:
    assert run("einstein", "--tuples", "publishd")[2] == (
        'There is no run "publishd", and einstein has no such tuples; its sets: '
        "usual, small, published, rectangles, squares."
    )
    assert "no theme" in run("einstein", "--tuples", "published", "--theme", "blue")[2]

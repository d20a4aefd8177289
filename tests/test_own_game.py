"""The game that `examples/own_game` adds as a package would: seen, lawful, and readable."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.cli import app
from spielwerk.games import registry
from spielwerk.games.laws import check
from test_laws import SEEDS, STEADY
from variants import random_positions

EXAMPLE = Path(__file__).parents[1] / "examples" / "own_game"
NAMES = ["chomp", "chomp:size=2", "chomp:size=3", "chomp:size=8"]


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an installation of the example leaves behind: its sources on the path, and its entry points."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    points = [f"{name} = {module}" for name, module in project["entry-points"]["spielwerk.games"].items()]
    about = tmp_path / f"spielwerk_chomp-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (about / "entry_points.txt").write_text("\n".join(["[spielwerk.games]", *points, ""]))
    for folder in (tmp_path, EXAMPLE / "src"):
        monkeypatch.syspath_prepend(folder)
    _forget()
    yield
    _forget()


def _forget() -> None:
    registry._added.cache_clear()
    registry._game.cache_clear()


@cache
def _wins(position: sw.Position) -> bool:
    """Whether the player to move can win, by trying everything."""
    return position.over or not all(_wins(position.play(action)) for action in position.actions())


def test_the_command_line_lists_it_with_its_variants() -> None:
    done = CliRunner().invoke(app, ["games", "--json"])
    listed = {game["name"]: game for game in json.loads(done.stdout)["games"]}
    assert {"chomp", "chomp:size=3", "chomp:size=8"} <= listed.keys()
    assert listed["chomp"]["title"] == "Chomp"


@pytest.mark.parametrize("target", ["cpu", "python"])
@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_same_laws_as_every_game(name: str, target: str) -> None:
    game = sw.game(name, target=target)

    @settings(STEADY, max_examples=20)
    @given(SEEDS)
    def keep(seed: int) -> None:
        check(game, seed, looked_at=4)

    keep()


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_moves_read_back_what_they_write(name: str) -> None:
    game = sw.game(name, target="python")
    for seed in range(5):
        for position in random_positions(game, seed):
            assert game.parse(str(position)) == position
            for move, action in zip(position.moves(), position.actions(), strict=True):
                assert position.play(move) == position.play(action)


@pytest.mark.parametrize("text", ["4424 A", "5444 A", "444 A", "4444", "4444 C", "A", "٤٤٤٤ A"])
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(sw.BadInput):
        sw.game("chomp").parse(text)


@settings(STEADY)
@given(st.text("0123456789AB -", max_size=8))
def test_a_position_that_can_be_read_is_written_the_same(text: str) -> None:
    try:
        position = sw.game("chomp", target="python").parse(text)
    except sw.BadInput:
        return
    assert str(position) == text.strip()


@pytest.mark.parametrize("size", [2, 3, 4])
def test_there_are_no_more_positions_than_it_says(size: int) -> None:
    game = sw.game("chomp", size=size, target="python")
    found, new = set(), {game.start()}
    while new:
        found |= new
        new = {position.play(action) for position in new for action in position.actions()} - found
    assert len(found) == game.states - 2  # the whole bar is A's, and all but one piece is B's


@pytest.mark.parametrize("size", [2, 3, 4])
def test_whoever_begins_a_square_bar_wins_with_b2(size: int) -> None:
    start = sw.game("chomp", size=size, target="python").start()
    assert _wins(start)
    assert not _wins(start.play("b2"))

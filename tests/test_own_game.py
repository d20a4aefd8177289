"""The game that `examples/own_game` adds as a package would: seen, lawful, and readable."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import spielwerk as sw
from example_game import installed
from spielwerk.arena.grading.examination import public_file
from spielwerk.arena.grading.judged import questions
from spielwerk.arena.grading.phases import phase
from spielwerk.cli import app
from spielwerk.games import registry
from spielwerk.games.cells import layout, observation_names
from spielwerk.games.evaluation import evaluation
from spielwerk.games.laws import check
from spielwerk.games.outputs import outputs
from spielwerk.solvers.oracle import Oracle, Truth, oracle, preference, solver, truth_after
from test_laws import SEEDS, STEADY
from variants import random_positions

NAMES = ["chomp", "chomp:size=2", "chomp:size=3", "chomp:size=8"]


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an installation of the example leaves behind: its sources on the path, and its entry points."""
    for folder in installed(tmp_path):
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


def test_its_oracle_knows_who_wins_every_position_and_how_soon(home: Path) -> None:
    game = sw.game("chomp:size=3")
    known = oracle(game)
    assert known.complete
    new, found = {game.start()}, set[sw.Position]()
    while new:
        found |= new
        new = {position.play(action) for position in new for action in position.actions()} - found
    for position in found:
        if not position.over:
            truth = known.truth(position)
            assert truth is not None
            assert truth.value == (1 if _wins(position) else -1)
            after = [truth_after(known, turn.end, position.mover) for turn in position.turns()]
            best = max((one for one in after if one), key=preference)
            assert truth == best


def test_it_is_solved_graded_and_learned_like_a_game_of_the_house(home: Path) -> None:
    def spielwerk(*words: str) -> dict[str, Any]:
        done = CliRunner().invoke(app, [*words, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    facts = spielwerk("solve", "chomp")
    assert (facts["states"], facts["value"]) == (sw.game("chomp").states - 2, 1.0)
    assert spielwerk("grade", "chomp", "oracle", "--decisions", "60")["perfect"] == 1
    assert spielwerk("match", "chomp", "oracle", "random", "-n", "20")["losses"] == 0
    trained = CliRunner().invoke(app, ["train", "td", "chomp", "episodes=3000", "--games", "20", "--name", "bar"])
    assert trained.exit_code == 0, trained.output
    assert spielwerk("grade", "chomp", "td:bar", "--decisions", "60")["best_class"] > 0.9


def test_it_can_bring_an_oracle_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, ORACLE=f"{__name__}:Stubborn")
    start = sw.game("chomp").start()
    assert oracle(start.game, hope=1).truth(start) == Truth(1.0)
    with pytest.raises(sw.BadInput, match=f'The solver of "chomp", {__name__}, does not define "solve".'):
        solver(start.game)


@pytest.mark.parametrize(
    ("part", "path", "sentence"),
    [
        ("ORACLE", "no_such_module:Oracle", 'The oracle of "chomp", no_such_module, cannot be loaded: ModuleNotFound'),
        ("ORACLE", "json:Oracle", 'The oracle of "chomp", json, does not define "Oracle".'),
        ("PHASES", "json", 'The phases of "chomp", json, does not define "phase".'),
        ("GRAPH", "json:graph", 'The graph of "chomp", json, does not define "graph".'),
        ("GRAPH", "json", 'The graph of "chomp", json, names no object: write "package.module:name".'),
        ("GRAPH", json, 'The graph of "chomp" must be a string such as "package.module", not <module'),
        ("SHAPING", "json", 'The shaping of "chomp", json, does not define "TERMS".'),
        ("SHAPING", "no_such_module", 'The shaping of "chomp", no_such_module, cannot be loaded: ModuleNotFoundError'),
        ("LAYOUT", "json", 'The layout of "chomp", json, does not define "CODINGS".'),
        ("LAYOUT", "no_such_module", 'The layout of "chomp", no_such_module, cannot be loaded: ModuleNotFoundError'),
        ("FACE", "no_such_module", 'The face of "chomp", no_such_module, cannot be loaded: ModuleNotFoundError'),
        ("EVALUATIONS", {"hope": "json"}, 'The evaluation "hope" of "chomp", json, does not define "evaluate".'),
        ("EVALUATIONS", {"hope": "no_such_module"}, 'The evaluation "hope" of "chomp", no_such_module, cannot be loa'),
        ("OUTPUTS", "json", 'The outputs of "chomp", json, does not define "outputs".'),
        ("OUTPUTS", "no_such_module", 'The outputs of "chomp", no_such_module, cannot be loaded: ModuleNotFoundError'),
        ("PUBLIC_SET", ("json:x", {}), None),
        ("PUBLIC_SET", ("colorsys:x", {}), 'The public set of "chomp", colorsys, does not define "__path__".'),
        ("PUBLIC_SET", ("json:x", {"sise": 4}), 'The public set of chomp names an unknown setting, "sise".'),
        ("JUDGED", "json", 'The format of judged positions of "chomp", json, names no object'),
        ("Settings", int, 'The game "chomp" of chomp has a "Settings" that is not a dataclass.'),
        ("constants", int, 'The game "chomp" of chomp cannot be used: TypeError'),
    ],
)
def test_a_part_that_is_missing_is_named(
    part: str, path: Any, sentence: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = tmp_path / "judged.jsonl"
    judged.write_text('{"header": 1}\n{}\n')

    def ask() -> Any:
        game = sw.game("chomp")
        asked = {
            "ORACLE": lambda: oracle(game),
            "PHASES": lambda: phase(game.start(), 0.0),
            "GRAPH": lambda: game.graph,
            "SHAPING": lambda: game.shaping,
            "LAYOUT": lambda: (observation_names(game), layout(game)),
            "EVALUATIONS": lambda: evaluation(game),
            "OUTPUTS": lambda: outputs(game),
            "PUBLIC_SET": lambda: public_file(game),
            "JUDGED": lambda: questions(game, judged),
        }
        return asked[part]() if part in asked else game

    _with(monkeypatch, **{part: path})
    if sentence is None:
        assert ask()
        return
    with pytest.raises(sw.BadInput) as refused:
        ask()
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(("part", "value"), [("FACE", "no_such_module"), ("constants", int), ("Settings", int)])
def test_a_broken_game_does_not_hide_the_others(part: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, **{part: value})
    done = CliRunner().invoke(app, ["games", "--json"])
    assert done.exit_code == 0
    assert {"nim", "morris"} <= {game["name"] for game in json.loads(done.stdout)["games"]}
    assert done.stderr.count('"chomp"') == 1
    assert [game.kind for game in registry.usual_games()] == list(registry.BUILT_IN)


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        ("Hope", "is not a subclass of spielwerk.solvers.oracle.Oracle."),
        ("Unset", 'does not define "Settings".'),
        ("Listed", 'has a "Settings" that is not a dataclass.'),
        ("Demanding", 'has a setting "hope" without a default.'),
    ],
)
def test_an_oracle_that_lacks_something_is_refused(cls: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, ORACLE=f"{__name__}:{cls}")
    with pytest.raises(sw.BadInput) as refused:
        oracle(sw.game("chomp"))
    assert str(refused.value) == f'The oracle of "chomp", {__name__}:{cls}, {sentence}'


def test_a_solver_of_its_own_need_not_say_of_what_and_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _quick_solver(monkeypatch)
    facts = sw.solve("chomp", hope=3).facts()
    assert (facts["game"], facts["states"]) == ("chomp", 3)
    assert facts["seconds"] >= 0
    done = CliRunner().invoke(app, ["solve", "chomp"])
    assert done.exit_code == 0, done.output
    quick.solve = lambda game, settings, callback: None
    with pytest.raises(sw.BadInput, match='The solver of "chomp", quick_solver, returns NoneType, not a dictionary'):
        sw.solve("chomp")


def test_settings_of_its_own_solver_are_words_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    _quick_solver(monkeypatch)
    done = CliRunner().invoke(app, ["solve", "chomp", "hope=3", "--json"])
    assert json.loads(done.stdout)["states"] == 3
    listed = CliRunner().invoke(app, ["solve", "chomp", "--list", "--json"])
    assert json.loads(listed.stdout)["settings"] == [{"name": "hope", "default": 0, "help": "", "choices": []}]
    for words, sentence in (
        (["power=4"], 'solve chomp has no setting "power". Settings: hope.'),
        (["hope"], '"hope" is not a setting; write key=value.'),
        (["hope=1", "hope=2"], '"hope" is set twice.'),
        (["game=nim"], '"game" cannot be a setting of a solver.'),
        (["hope=much"], 'solve chomp: hope must be a whole number, not "much".'),
    ):
        refused = CliRunner().invoke(app, ["solve", "chomp", *words])
        assert isinstance(refused.exception, sw.BadInput)
        assert str(refused.exception).startswith(sentence)


def test_settings_of_the_general_solver_are_words_or_options(home: Path) -> None:
    for words in (["positions=50"], ["--positions", "50"]):
        done = CliRunner().invoke(app, ["solve", "chomp", *words])
        assert "More than 50 positions: chomp is too large for this." in str(done.exception)
    both = CliRunner().invoke(app, ["solve", "chomp", "positions=50", "--positions", "50"])
    assert str(both.exception) == '"positions" is set twice.'


def test_networks_can_be_evolved_whose_outputs_mean_moves_in_a_way_of_its_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with(monkeypatch, OUTPUTS="row_outputs")
    train = ["train", "evolution", "chomp:size=2", "generations=3", "population=4", "--games", "10", "--name", "bar"]
    unknown = CliRunner().invoke(app, [*train, "output=rwo"])
    assert str(unknown.exception) == (
        'evolution: chomp has no output "rwo". Did you mean "row"? Outputs: afterstate, row.'
    )
    done = CliRunner().invoke(app, [*train, "output=row"])
    assert done.exit_code == 0, done.output
    game = sw.game("chomp:size=2")
    assert sw.agent("evolution:bar", game).choose(game.start()) in ("a1", "a2")


def _quick_solver(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets chomp have a solver that finds what it is told."""
    quick: Any = ModuleType("quick_solver")
    quick.Settings, quick.solve = Hope, lambda game, settings, callback: {"states": settings.hope}
    monkeypatch.setitem(sys.modules, "quick_solver", quick)
    _with(monkeypatch, SOLVER="quick_solver")
    return quick


def _with(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    """Lets the module of chomp name more parts, or others."""
    module = importlib.import_module("chomp")
    for name, path in parts.items():
        monkeypatch.setattr(module, name, path, raising=False)


@dataclass(frozen=True)
class Hope:
    """The settings of the oracle below."""

    hope: int = 0


class Stubborn(Oracle):
    """Expects what it hopes for."""

    Settings = Hope

    def truth(self, position: sw.Position) -> Truth:
        """The same everywhere."""
        return Truth(float(self.settings.hope))


class Unset(Oracle):
    """Forgets its settings."""


class Listed(Oracle):
    """Has settings of the wrong kind."""

    Settings = list


@dataclass(frozen=True)
class Demand:
    """A setting without a default."""

    hope: int


class Demanding(Oracle):
    """Has settings that must be given."""

    Settings = Demand

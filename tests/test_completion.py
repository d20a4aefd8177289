"""Shell completion, and the help: what one can write, and where to look for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand

import fake_learner
import spielwerk as sw
from fake_learner import Spielwerk
from spielwerk.cli import app, main
from spielwerk.commands.shared.completion import joined_words

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched

Asked = Callable[[str], list[str]]
MAIN = "import sys; sys.argv = ['spielwerk']; from spielwerk.cli import main; main()"


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


@pytest.fixture
def fish(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What is offered for the last word of a command line, in a shell that does not split words at colons."""

    def ask(line: str) -> list[str]:
        monkeypatch.setenv("_SPIELWERK_COMPLETE", "complete_fish")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", f"spielwerk {line}")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setattr(sys, "argv", ["spielwerk"])
        with pytest.raises(SystemExit):
            main()
        return [text.partition("\t")[0] for text in capsys.readouterr().out.splitlines() if text]

    return ask


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("match ei", ["einstein"]),
        ("play einstein:b", ["einstein:board="]),
        ("play einstein:board=4,pl", ["einstein:board=4,players="]),
        ("show einstein:start=", ["einstein:start=fixed", "einstein:start=shared", "einstein:start=free"]),
        ("match nim alphab", ["alphabeta"]),
        ("match nim random mcts:it", ["mcts:iterations="]),
        ("analyse nim --agent mctse:mi", ["mctse:milliseconds="]),
        ("play nim --against hu", ["human"]),
        ("train t", ["td"]),
        ("train td ni", ["nim"]),
        ("train td nim alpha_", ["alpha_end=", "alpha_shape="]),
        ("train td nim alpha=1 alpha_shape=", ["alpha_shape=geometric", "alpha_shape=linear"]),
        ("runs show fir", ["first"]),
        ("runs compare first sec", ["second"]),
        ("match nim td:fir", ["td:first"]),
        ("match nim mcts:value=sec", ["mcts:value=second"]),
        ("runs met", ["metrics"]),
        ("match chess:x", []),
    ],
)
def test_games_agents_runs_and_settings_are_completed(fish: Asked, home: Path, line: str, offered: list[str]) -> None:
    for name in ("first", "second"):
        (home / "runs" / name).mkdir(parents=True)
        (home / "runs" / name / "run.toml").touch()
    assert fish(line) == offered


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        (["match", "einstein", ":", "bo"], ["match", "einstein:bo"]),
        (["match", "einstein", ":", "board", "=", "4,pl"], ["match", "einstein:board=4,pl"]),
        (["match", "nim", ""], ["match", "nim", ""]),
        (["match", "nim", ":"], ["match", "nim:"]),
        (["train", "td", "nim", "alpha", "=", "1", "ga"], ["train", "td", "nim", "alpha=1", "ga"]),
    ],
)
def test_words_that_bash_splits_are_put_together(words: list[str], joined: list[str]) -> None:
    assert joined_words(words) == joined


def test_bash_is_told_only_what_follows_a_colon_and_nothing_heavy_is_loaded(home: Path) -> None:
    check = "import atexit; atexit.register(lambda: print('HEAVY' if HEAVY & set(sys.modules) else ''))"
    code = f"import sys; HEAVY = {{'numba', 'matplotlib', 'torch', 'onnxruntime'}}; {check}; {MAIN}"
    asked = {"_SPIELWERK_COMPLETE": "complete_bash", "SPIELWERK_HOME": str(home)}
    for words, offered in (("match\nnim\nmcts\n:\nit", "iterations="), ("match\nnim\nrandom\ntd\n:\nr", "run=")):
        environment = (
            os.environ | asked | {"COMP_WORDS": f"spielwerk\n{words}", "COMP_CWORD": str(words.count("\n") + 1)}
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.stdout.split(), done.stderr) == ([offered], "")


def test_completion_can_be_installed_and_shown(spielwerk: Spielwerk) -> None:
    shown = spielwerk("--help")[1]
    assert "--install-completion" in shown
    assert "--show-completion" in shown


def commands() -> dict[tuple[str, ...], TyperCommand]:
    """All commands, by the words that name them."""
    found: dict[tuple[str, ...], TyperCommand] = {}

    def visit(command: TyperCommand, words: tuple[str, ...]) -> None:
        found[words] = command
        for name, one in getattr(command, "commands", {}).items():
            visit(one, (*words, name))

    visit(typer.main.get_command(app), ())  # type: ignore[arg-type]
    return found


def test_the_help_is_grouped_by_what_one_wants_to_do(spielwerk: Spielwerk) -> None:
    wanted = {
        "Play": ("play",),
        "Measure": ("match", "grade"),
        "Learn": ("train", "runs"),
        "Look up": ("games", "agents"),
    }
    out = spielwerk("--help")[1]
    places = [out.index(f"─ {panel} ─") for panel in wanted]
    assert places == sorted(places)
    assert "─ Commands ─" not in out
    for words, command in commands().items():
        if len(words) == 1:
            panel = command.rich_help_panel
            assert panel in wanted
            assert all(panel == one for one, names in wanted.items() if words[0] in names)


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_types_in_the_help_say_what_to_write(words: tuple[str, ...], spielwerk: Spielwerk) -> None:
    out = spielwerk(*words, "--help")[1]
    for type_of_python in ("<bool>", "<str>", "<int>", "<float>", "<Path>", "TEXT", "INTEGER", "FLOAT", "PATH"):
        assert type_of_python not in out


def test_the_settings_of_games_can_be_asked_for_without_making_one() -> None:
    from spielwerk.games.registry import settings_class

    assert settings_class("nim")().stacks == sw.game("nim").settings.stacks

"""`spielwerk analyse`: what every kind of agent thinks of a position, as a table and as JSON."""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import spielwerk as sw
from spielwerk.agents.registry import BUILT_IN
from spielwerk.cli import main

NIM = "nim:stacks=2-3"
GAMES = {
    "pubeval": "backgammon",
    "gnubg": "backgammon",
    "race": "einstein:board=3",
    "td": "nim",
    "evolution": "nim",
}  # of agents that play no other
BOT = shlex.join([sys.executable, str(Path(__file__).parents[1] / "examples" / "engine_bot.py")])
NAMES = {"engine": f"engine:{BOT}", "mc": "mc:iterations=20", "mcts": "mcts:iterations=50"}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def analyse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command: (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spielwerk", "analyse", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return run


@pytest.mark.parametrize("kind", BUILT_IN)
def test_every_agent_judges_every_move(analyse: Run, kind: str) -> None:
    if kind == "gnubg" and not importlib.util.find_spec("gnubg"):
        pytest.skip("gnubg is not installed")
    name, position = NAMES.get(kind, kind), sw.game(GAMES.get(kind, NIM)).start()
    while position.chance:
        position = position.roll(position.outcomes()[0][0])
    code, text, _ = analyse(position.game.name, str(position), "--agent", name, "--json")
    facts = json.loads(text)
    assert code == 0
    assert {facts[key] for key in ("game", "agent", "position")} == {position.game.name, name, str(position)}
    judged = [judged["move"] for judged in facts["moves"]]
    if kind == "engine":  # which offers no analysis, so that only its move is known
        assert len(judged) == 1
        assert judged[0] in position.moves()
    else:
        assert sorted(judged) == sorted(position.moves())
    shares = [judged["probability"] for judged in facts["moves"] if judged["probability"] is not None]
    assert not shares or sum(shares) == pytest.approx(1)
    assert facts["value"] is None or isinstance(facts["value"], float)


def test_the_table_shows_the_board_the_value_and_the_columns_that_are_filled(analyse: Run) -> None:
    code, table, _ = analyse(NIM, "--agent", "random")
    assert code == 0
    assert sw.game(NIM).start().board() in table
    assert table.count("20.0 %") == 5
    assert "visits" not in table
    _, table, _ = analyse(NIM, "--agent", "mcts:iterations=50")
    assert all(word in table for word in ("move", "value", "visits", "who expects"))


def test_the_same_seed_gives_the_same_analysis(analyse: Run) -> None:
    one, again, other = (analyse(NIM, "--agent", f"engine:{BOT}", "--seed", seed) for seed in ("1", "1", "2"))
    assert one == again != other


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nim", "0-0-0-0 B", "--agent", "random"), "There is no move to think about. B won (A -1, B +1)."),
        (("backgammon", "--agent", "random", "--roll", "7-1"), '"7-1" cannot be rolled here; possible: 2-1, 3-1'),
        (("nim", "--agent", "ranom"), 'There is no agent "ranom". Did you mean "random"?'),
        (("nim", "x", "--agent", "random"), '"x" is not a position of nim'),
        (("nim", "--agent", "engine"), "engine needs a program to run"),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_one_sentence(
    analyse: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, error = analyse(*arguments)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert sentence in error


def test_an_engine_that_fails_is_one_line(analyse: Run) -> None:
    name = f"engine:{shlex.quote(sys.executable)} -c 'exit(3)'"
    assert analyse(NIM, "--agent", name) == (1, "", f"{name} ended with exit code 3.\n")


def test_an_oracle_says_how_many_turns_each_move_is_from_the_end(analyse: Run) -> None:
    """In misère nim 2-3 the only win takes one of three; then it lasts four turns, after any other move three."""
    code, out, _ = analyse("nim:stacks=2-3", "--agent", "oracle", "--json")
    facts = json.loads(out)
    assert (code, facts["value"], facts["distance"]) == (0, 1, 4)
    assert {move["move"]: move["distance"] for move in facts["moves"]} == {
        "2:1": 4,
        "1:1": 3,
        "1:2": 3,
        "2:2": 3,
        "2:3": 3,
    }
    code, out, _ = analyse("nim:stacks=2-3", "--agent", "oracle")
    assert (code, "turns to the end" in out, "who expects +1.000; 4 turns to the end" in out) == (0, True, True)
    for agent in ("random", "mcts:iterations=20"):
        out = analyse("nim:stacks=2-3", "--agent", agent, "--json")[1]
        assert "distance" not in out

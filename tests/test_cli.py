"""The command line: what it prints, and that bad input is one sentence and exit code 2."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spielwerk.bench.row import Row, as_json
from spielwerk.commands.shared import output

Run = Callable[..., tuple[int, str, str]]


def test_games_lists_every_variant(spielwerk: Run) -> None:
    code, table, _ = spielwerk("games")
    listed = json.loads(spielwerk("games", "--json")[1])["games"]
    assert code == 0
    assert {"players", "actions", "states"} <= set(listed[0])
    assert all(game["name"] in table for game in listed)
    assert next(game for game in listed if game["name"] == "morris")["actions"] == 600


def test_info_tells_versions_folders_and_devices(spielwerk: Run) -> None:
    facts = json.loads(spielwerk("info", "--json")[1])
    assert {"spielwerk", "python", "numba", "gpu", "cores"} <= set(facts)
    assert facts["home"] in spielwerk("info")[1]


def test_show_prints_board_moves_and_text(spielwerk: Run) -> None:
    code, text, _ = spielwerk("show", "othello")
    assert code == 0
    assert "d3" in text
    facts = json.loads(spielwerk("show", "nim", "0-2-0-0 B", "--json")[1])
    assert facts["moves"] == ["2:1", "2:2"]
    assert "won" in spielwerk("show", "nim", "0-0-0-0 B")[1]


def test_show_writes_a_picture(spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert spielwerk("show", "morris", "--svg", str(file), "--theme", "dark")[0] == 0
    assert file.read_text().startswith("<svg")
    code, _, error = spielwerk("show", "morris", "--svg", str(tmp_path / "no" / "board.svg"))
    assert (code, error.count("\n")) == (2, 1)
    assert "cannot be written" in error


def test_perft_counts_whole_turns(spielwerk: Run) -> None:
    assert json.loads(spielwerk("perft", "othello", "4", "--json")[1])["counts"] == [4, 12, 56, 244]
    assert "244" in spielwerk("perft", "othello", "4")[1]


def test_two_people_play_a_game_to_its_end(spielwerk: Run) -> None:
    code, text, _ = spielwerk("play", "nim:stacks=2-1", typed="help\nmoves\n1:1\nundo\nundo\n1:9\n1:2\ntext\n2:1\n")
    assert code == 0
    assert "1:1, 2:1, 1:2" in text
    assert "There is no move to take back." in text
    assert "Moves here are written like this: 1:1, 2:1, 1:2." in text
    assert "B (only 2:1)>" in text
    assert '"1:9" is not legal here' in text
    assert "0-1 B" in text
    assert "A won (A +1, B -1)." in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "chess"),
        ("show", "einstein:board=2"),
        ("show", "nim", "ten men"),
        ("show", "nim", ""),
        ("show", "morris", "OOOOOOOO/OO******/******** w m s 10 0 0 0"),
        ("show", "backgammon", ".b....F.C...eE...c.e....B. X roll"),
        ("show", "nim", "--theme", "pink", "--svg", "/dev/null"),
        ("play", "nim", "--against", "nobody"),
        ("play", "nim", "--seat", "2", "--against", "random"),
        ("perft", "nim", "0"),
        ("perft", "nim", "many"),
        ("bench", "rules", "--rounds", "0"),
        ("bench", "batch", "--device", "tpu"),
        ("laws", "nim", "--seed", "-1"),
        ("laws", "nim", "--games", "9" * 25),
        ("show", "nim", "--theme", "pink"),
        ("nonsense",),
        ("show",),
        ("show", "nim", "--no-such-option"),
        ("show", "nim", "1-3-0-0 B", "more"),
        ("analyse", "nim"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(spielwerk: Run, arguments: tuple[str, ...]) -> None:
    code, out, error = spielwerk(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"[^\n]+[.?]\n", error)


def test_help_is_printed_when_asked_for_and_when_nothing_is_said(spielwerk: Run) -> None:
    assert spielwerk("--help")[0] == spielwerk("match", "--help")[0] == 0
    assert "--seating" in spielwerk("match", "--help")[1]
    code, out, error = spielwerk()
    assert (code, "tournament" in out, error) == (2, True, "")


ROWS = [["12", "a name that is long enough, and one more", "1,234.5", "today"], ["3", "b", "-1.0", ""]]


@pytest.mark.parametrize("letters", [80, 40, 30])
def test_a_table_in_a_narrow_terminal_loses_no_figure_and_no_letter_of_a_name(
    letters: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "width", lambda: letters)
    output.print_table((">number", "name", ">figure", "when"), ROWS, spare=[["when"]])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= letters
    assert "1,234.5" in lines[3]
    assert ("today" in lines[3]) == (letters == 80)
    start, end = lines[1].index("name"), lines[1].index("figure") - 1
    shown = "".join(line[start:end] for line in lines[3 : lines.index(next(row for row in lines if " b " in row))])
    assert shown.replace(" ", "") == ROWS[0][1].replace(" ", "")


def test_agents_shows_the_values_that_a_setting_can_have(spielwerk: Run) -> None:
    assert "(exact, sample)" in spielwerk("agents", "mcts")[1]
    assert json.loads(spielwerk("agents", "engine", "--json")[1])["agents"][0]["settings"][0]["name"] == "run"


def test_a_row_of_a_benchmark_has_the_ratio_to_its_peer() -> None:
    rows = as_json([Row("a", 6.0, "games/s", "peer", 2.0), Row("b", 1.0, "s")])["rows"]
    assert rows[0] == {"name": "a", "value": 6, "unit": "games/s", "peer": "peer", "peer_value": 2, "ratio": 3}
    assert rows[1]["ratio"] is None


def test_the_command_does_not_load_the_compiler_to_list_games() -> None:
    code = "import sys; sys.argv = ['spielwerk', 'games']\ntry:\n from spielwerk.cli import main; main()\n"
    code += "finally:\n print('numba' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ)
    assert done.stderr.strip() == "False"


def test_laws_are_checked_from_the_command_line(spielwerk: Run) -> None:
    assert json.loads(spielwerk("laws", "nim", "--games", "3", "--json")[1])["laws"] == "kept"


def test_an_unusable_cache_folder_only_costs_time() -> None:
    environment = {**os.environ, "SPIELWERK_CACHE": "/proc/nowhere"}
    command = [sys.executable, "-c", "import spielwerk as sw; print(len(sw.game('nim').start().moves()))"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "16")
    assert done.stderr.count("every process compiles for itself") == 1


def test_output_that_cannot_be_written_is_one_line() -> None:
    code = "import sys; sys.argv = ['spielwerk', 'show', 'morris']\nfrom spielwerk.cli import main; main()"
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-u", "-c", code], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"No space left on device.\n")

"""The engine's side of the protocol: our agents for other programs, whatever these say."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielwerk as sw
from spielwerk.agents.protocol import COMMANDS, Server, serve

ROOT = Path(__file__).parents[1]
NIM = "nim:stacks=2-3"
START = str(sw.game(NIM).start())


def _answers(lines: str) -> list[str]:
    out = io.BytesIO()
    serve("random", io.BytesIO(lines.encode()), out)
    return out.getvalue().decode().splitlines()


def test_the_transcript_of_the_documentation_is_true() -> None:
    page = (ROOT / "docs" / "engines.md").read_text()
    (block,) = re.findall(r"^```\n(> spielwerk 1\n.*?)^```", page, re.M | re.S)
    said = [line[2:] for line in block.splitlines() if line.startswith("> ")]
    heard = [line[2:] for line in block.splitlines() if line.startswith("< ")]
    assert _answers("\n".join(said)) == heard


def test_the_server_ends_with_quit_or_with_its_input() -> None:
    assert _answers("spielwerk 1\nquit\nspielwerk 1\n") == ["name random", "author Spielwerk", "ready"]
    assert _answers("") == []
    assert _answers("\n  \n\r\nnew") == []


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("go", 'error No game is set: send "game NAME" first.'),
        (f"game {NIM}\ngo", 'error No position is set: send "position TEXT" first.'),
        (f"game {NIM}\nposition 0-0 A\ngo", 'error Nobody is to move in "0-0 A".'),
        (f"game {NIM}\nposition nonsense", 'error "nonsense" is not a position of'),
        (f"game {NIM}\nposition {START}\nposition x\nanalyse", "error No position is set"),
        (f"game {NIM}\nposition {START}\ngo milliseconds soon", 'error "go" can be followed by'),
        ("game chess", 'error There is no game "chess"'),
        ("spielwerk 2", "error This engine speaks version 1"),
        ("spielwerk", "error This engine speaks version 1"),
        ("seed -1", "error A seed is a whole number from 1 to 18446744073709551615"),
        (f"seed {2**64}", "error A seed is a whole number"),
        ("bestmove 1:1", 'error There is no command "bestmove"'),
    ],
)
def test_the_server_says_what_is_wrong(lines: str, answer: str) -> None:
    assert _answers(lines)[-1].startswith(answer)


LINES = st.lists(
    st.tuples(
        st.sampled_from([*COMMANDS[:-1], "stop", ""]),
        st.sampled_from(["", "1", NIM, "nim", START, "0-0 A", "milliseconds 5", "milliseconds", "-1"]) | st.text(),
    ).map(" ".join)
    | st.text(),
    max_size=12,
)


@settings(deadline=None)
@given(LINES)
def test_no_nonsense_ends_the_server(lines: list[str]) -> None:
    server = Server("random")
    for line in lines:
        for answer in server.answer(line):
            assert answer.split()[0] in ("name", "author", "ready", "bestmove", "analysis", "error")
            assert answer.isprintable()


@settings(deadline=None)
@given(st.binary())
def test_no_bytes_end_the_server(data: bytes) -> None:
    out = io.BytesIO()
    serve("random", io.BytesIO(data), out)
    assert out.getvalue() == b"" or out.getvalue().endswith(b"\n")


def test_an_agent_that_breaks_is_an_error_and_does_not_end_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server("random")
    list(server.answer(f"game {NIM}"))
    list(server.answer(f"position {START}"))
    with monkeypatch.context() as broken:
        broken.setattr("spielwerk.agents.random.Random.turn", lambda *_: 1 // 0)
        assert list(server.answer("go")) == ["error integer division or modulo by zero"]
    (answer,) = server.answer("go")
    assert answer.split()[1] in sw.game(NIM).parse(START).moves()


def test_the_command_serves_an_agent_on_its_input_and_output() -> None:
    said = f"spielwerk 1\ngame {NIM}\nposition {START}\nseed 9123456789123456789\nanalyse\n\xff\n".encode("latin-1")
    ours = str(Path(sys.executable).parent / "spielwerk")
    done = subprocess.run([ours, "engine", "random"], input=said, capture_output=True)
    *others, analysis, last = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, others) == (0, b"", ["name random", "author Spielwerk", "ready", "ready"])
    judged = json.loads(analysis.removeprefix("analysis "))["moves"]
    assert {move["move"] for move in judged} == set(sw.game(NIM).parse(START).moves())
    assert last.startswith("error")
    wrong = subprocess.run([ours, "engine", "mtcs"], input=b"", capture_output=True)
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count(b"\n")) == (2, b"", 1)

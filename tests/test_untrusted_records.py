"""Records and texts of others: damaged files, files without end, many games, engines and packages that misbehave."""

from __future__ import annotations

import itertools
import json
import os
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import spielwerk as sw
from damage import CAREFUL, damaged
from spielwerk.agents import registry as agents
from spielwerk.agents.engine import _read
from spielwerk.arena.agent import Forfeit
from spielwerk.arena.matches.match import Scoreboard
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records import formats, importer
from spielwerk.arena.records.reader import parse
from spielwerk.arena.records.retrace import check
from spielwerk.arena.records.store import Store
from spielwerk.cli import app
from spielwerk.files import whole
from spielwerk.games import registry as games
from spielwerk.learn import registry as learners
from spielwerk.names import BadInput

TEXT = '[Game "nim:stacks=1-2"]\n[Agents "a" "b"]\n[Seed "1"]\n[Result "-1 +1"]\n\n  1. A 1:1\n  2. B 2:1\n  3. A 2:1\n'
JSON = parse(TEXT).json() + "\n"
MAT = (
    '; [Site "somewhere"]\n 7 point match\n\n Game 1\n Ann : 0                             Ben : 0\n'
    "  1) 31: 8/5 6/5                      52: 13/8 24/22\n  2)  Doubles => 2                     Takes\n"
)
TRANSCRIPT = "f5d6c3d3c4\nf5f6e6f4\n"
COMMAND = [sys.executable, "-c", "from spielwerk.cli import main; main()"]


def _read_all(text: str) -> None:
    for line, record in formats.read(text.split("\n")):
        try:
            check(record)
        except BadInput as problem:
            raise BadInput(f"Line {line}: {problem}") from None  # as an import says it


@CAREFUL
@given(data=st.data())
def test_a_damaged_record_is_refused_in_a_sentence_with_its_line(data: st.DataObject) -> None:
    good = data.draw(st.sampled_from((TEXT, JSON, MAT, TRANSCRIPT, TEXT + "\n" + JSON)))
    text = data.draw(damaged(good.encode())).decode("utf-8", "replace")
    said = "Line 1: "
    try:
        _read_all(text)
    except BadInput as problem:
        said = str(problem)
    assert said.startswith("Line ")
    assert said.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "[" * 20_000,
        '{"game": "nim", "agents": ["a", "b"], "scores": [' + "9" * 400 + ", 0]}",
        '{"game": "nim", "agents": ["a", "b"], "scores": [1e300, 0], "turns": []}',
        '{"game": "nim", "agents": ["a", "b"], "scores": [NaN, 0], "turns": []}',
        '[Game "nim"]\n1. A ' + "x " * 20_000,
        " 1 point match\n Game 1\n" + "a : 1  " * 20_000,
        '{"a": ' * 20_000,
    ],
)
def test_a_crafted_record_is_refused_at_once(text: str) -> None:
    with pytest.raises(BadInput, match=r"^Line "):
        _read_all(text)


def test_a_game_without_end_is_refused() -> None:
    rows = itertools.chain([" 1 point match\n", " Game 1\n", " a : 0     b : 0\n"], itertools.repeat("; hello\n"))
    with pytest.raises(BadInput, match="has more than 100,000 lines"):
        list(formats.read(rows))
    headers = (f'[H{number} "x"]\n' for number in itertools.count())
    with pytest.raises(BadInput, match="at most 1,000 headers"):
        list(formats.read(itertools.chain(['[Game "nim"]\n'], headers)))


def test_a_device_without_end_is_refused_by_its_first_line(home: Path) -> None:
    done = CliRunner().invoke(app, ["import", "/dev/zero"])
    assert isinstance(done.exception, BadInput)
    assert "/dev/zero: Line 1 has more than" in str(done.exception)


def _games(count: int) -> Iterator[tuple[int, Any]]:
    for number in range(count):
        yield number, parse(TEXT.replace('[Seed "1"]', f'[Note "{number}"]'))


def _memory(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_an_import_takes_no_more_memory_for_more_games(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "AT_ONCE", 50)
    with Store() as store:
        importer.imported(store, _games(60))  # compiles, and opens the store
        few, many = (_memory(lambda count=count: importer.imported(store, _games(count))) for count in (100, 900))
        assert many < 2.5 * few
        assert store.match(3).plan.games == 900 - 100  # the others were known
        assert importer.imported(store, _games(900)) == importer.Imported([], 900)


def test_a_match_takes_no_more_memory_for_more_games() -> None:
    game = sw.game("nim:stacks=1-2")

    def play(games: int) -> Scoreboard:
        board = Scoreboard(Plan(game.name, ("a", "b"), games), game, games)
        for first in range(0, games, 5000):
            board.add(Block(first, np.tile([1.0, -1.0], (5000, 1))))
        return board

    few, many = (_memory(lambda games=games: play(games).summary(games)) for games in (100_000, 2_000_000))
    assert many < 1.2 * few
    found = play(2_000_000).summary(2_000_000)
    assert (found.games, found.wins, found.rate) == (2_000_000, 1_000_000, 0.5)


@pytest.mark.parametrize(
    "text",
    [
        '{"value": 1e300, "moves": []}',
        '{"value": 2, "moves": []}',
        '{"value": 0, "moves": [{"move": "1:1", "visits": -1}]}',
        '{"value": 0, "moves": [{"move": "1:1", "visits": 1e999}]}',
        '{"value": 0, "moves": [{"move": "1:1", "probability": 1.5}]}',
        '{"value": ' + "9" * 400 + ', "moves": []}',
        '{"value": true, "moves": []}',
        "[" * 20_000,
    ],
)
def test_the_values_of_an_engine_are_bounded(text: str) -> None:
    with pytest.raises(Forfeit, match="gave an analysis that cannot be read"):
        _read(text, sw.game("nim").start())


ANALYSIS = (
    b'{"value": 0.5, "moves": [{"move": "1:1", "value": 0.5, "visits": 7, "probability": 0.5, "score": 2.5}, '
    b'{"move": "2:1", "value": null, "distance": 3}], "note": "deep", "distance": 4}'
)


@CAREFUL
@given(data=st.data())
def test_a_damaged_analysis_is_shown_or_forfeits_with_a_reason(data: st.DataObject) -> None:
    said = ""
    try:
        found = _read(data.draw(damaged(ANALYSIS)).decode("utf-8", "replace"), sw.game("nim").start())
        assert all(text.isprintable() for row in found.table()[1] for text in row)
        assert json.dumps(found.facts(), allow_nan=False)
    except Forfeit as fault:
        said = str(fault)
    assert said.isprintable()


def test_the_texts_of_an_engine_are_printable() -> None:
    found = _read('{"value": 0.5, "moves": [{"move": "\\u001b[2J", "value": 1.0}]}', sw.game("nim").start())
    assert found.moves[0].move == r"\x1b[2J"


BROKEN = {
    "exits": "import sys\nsys.exit(3)\n",
    "raises": "raise RuntimeError('\\x1b[2J')\n",
    "lacks": "TITLE = 'x'\n",
    "wrong": "TITLE = 'x'\nSettings = 7\nconstants = states = lambda settings: {}\n",
    "constants": (
        "import dataclasses\nTITLE = 'x'\n@dataclasses.dataclass(frozen=True)\nclass Settings: pass\n"
        "def constants(settings): raise SystemExit\ndef states(settings): return 1\n"
    ),
}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages whose games, agents and learners are broken, each in its way."""
    about = tmp_path / "spielwerk_broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spielwerk-broken\nVersion: 1\n")
    points = "".join(
        f"[spielwerk.{group}]\n" + "".join(f"{name} = broken_{name}{part}\n" for name in BROKEN)
        for group, part in (("games", ""), ("agents", ":Agent"), ("learners", ":KIND"))
    )
    (about / "entry_points.txt").write_text(points)
    for name, text in BROKEN.items():
        (tmp_path / f"broken_{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    caches = (games._added, agents._added, learners._added, learners._loaded)
    for cache in caches:
        cache.cache_clear()
    yield
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("broken", "home")
def test_what_is_broken_in_other_packages_is_reported_and_left_out() -> None:
    for command in ("games", "agents"):
        done = CliRunner().invoke(app, [command, "--json"])
        assert (done.exit_code, done.exception) == (0, None)
        assert all(f'"{name}"' in done.stderr for name in BROKEN)
        assert "\x1b" not in done.stderr
        assert '"name": "random"' in done.stdout or '"name": "nim"' in done.stdout
    for name in BROKEN:
        with pytest.raises(BadInput):
            sw.game(name)
        with pytest.raises(BadInput):
            sw.agent(name, "nim")
    assert [record.game for _, record in formats.read(TRANSCRIPT.split("\n"))] == ["othello"] * 2
    assert ".safetensors" in learners.played_files()


def _run(*arguments: str | bytes, home: Path, before: Callable[[], Any] | None = None, **streams: Any) -> Any:
    environment = {**os.environ, "SPIELWERK_HOME": str(home)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([*COMMAND, *arguments], env=environment, preexec_fn=before, check=False, **streams)


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_no_reason_for_a_traceback(tmp_path: Path, closed: int) -> None:
    done = _run("show", "nim", home=tmp_path, before=lambda: os.close(closed))
    assert (done.returncode, done.stderr) == (0, b"")


def _write_to_a_full_disk(path: Path) -> None:
    with whole(path) as part:
        part.write_bytes(b"begun")
        raise OSError(28, "No space left on device")  # as a full disk says it, without a name


def test_a_full_disk_is_named_and_leaves_no_empty_file(tmp_path: Path) -> None:
    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    path = tmp_path / "picture.svg"
    done = _run("show", "morris", "--svg", str(path), home=tmp_path, before=small)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert str(path).encode() in done.stderr
    assert not any("picture" in one.name for one in tmp_path.iterdir())
    with pytest.raises(OSError, match="No space") as failed:
        _write_to_a_full_disk(path)
    assert failed.value.filename == str(path)
    assert not path.exists()


def test_what_is_no_utf8_is_no_reason_for_a_traceback(tmp_path: Path) -> None:
    for arguments in ((b"show", b"nim", b"\xff"), (b"import", b"\xff"), (b"analyse", b"nim", b"--agent", b"td:\xff/1")):
        done = _run(*arguments, home=tmp_path)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    done = _run("play", "nim", home=tmp_path, input=b"\xff\xfe\nquit\n")
    assert b"Traceback" not in done.stderr


def test_an_unknown_home_and_long_numbers_end_in_a_sentence(tmp_path: Path) -> None:
    done = _run("matches", home=Path("~nobody-of-that-name"))
    assert (done.returncode, done.stderr) == (
        2,
        b"The folder ~nobody-of-that-name does not exist; set SPIELWERK_HOME to another one.\n",
    )
    long = "9" * 5000
    for arguments in (("replay", long), ("review", long), ("train", "td", "nim", "--seeds", long)):
        done = _run(*arguments, home=tmp_path)
        assert (done.returncode, b"Traceback" in done.stderr, len(done.stderr) < 6000) == (2, False, True)


def test_the_settings_of_an_agent_are_listed_also_where_some_are_given() -> None:
    done = CliRunner().invoke(app, ["agents", "mcts:iterations=500", "--json"])
    assert (done.exit_code, '"name": "mcts"' in done.stdout) == (0, True)

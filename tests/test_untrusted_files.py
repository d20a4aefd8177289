"""Files that cannot be trusted: judged positions, runs, checkpoints, exports, packed runs. One sentence for each."""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spielwerk as sw
from damage import CAREFUL, damaged
from onnx_networks import Network
from spielwerk.api.runs import facts_of_runs
from spielwerk.arena.grading import judged
from spielwerk.learn import checkpoint, runs
from spielwerk.learn.evolution.champion_files import trained as champion
from spielwerk.learn.evolution.graph_json import read_json, write_json
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.packing import pack, unpack
from spielwerk.learn.td.compact import GAPS, SIZE, STEPS, _deflated
from spielwerk.learn.td.compact import unpack as unpacked
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.network_files import trained
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput
from td_runs import drawn, keep
from test_evolution_files import a_genome, names_of

NIM, LARGE = sw.game("nim"), "einstein:board=6,players=4"
POSITION = sw.game("morris").start()
JUDGED = [{"header": {}}, {"position": str(POSITION), "moves": dict.fromkeys(POSITION.moves(), 0)}]
LINES = "".join(f"{json.dumps(one)}\n" for one in [*JUDGED, JUDGED[1]]).encode()
MEASURED = {"episode": 5, "what": "rate against random", "value": 0.5, "low": 0.4, "high": 0.6, "games": 10}


def _refused(work: Callable[[], Any]) -> bool:
    """Whether it ends in one printable sentence; nothing but BadInput may come."""
    said = ""
    try:
        work()
    except BadInput as problem:
        said = str(problem)
    assert said.isprintable()
    return bool(said)


def _ask(path: Path) -> list[judged.Question]:
    return [read() for read in judged.questions(sw.game("morris"), path)]


def _packed_bytes(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    return change(gzip.compress(data))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (_packed_bytes(LINES, lambda data: data[:40] + b"\xff\xff\xff" + data[43:]), "is damaged"),
        (_packed_bytes(LINES, lambda data: data[:-4]), "is damaged"),
        (LINES + b'{"position": "x", "moves": {"a7": ' + b"9" * 400 + b"}}\n", "is not JSON"),
        (LINES + b'{"position": "x", "moves": {"a7": 1e400}}\n', "is not JSON"),
        (LINES.replace(b": 0", b": 1000000000000000"), "whole number up to"),
        (gzip.compress(b"0" * (1 << 24)), "Line 1 has more than"),
    ],
)
def test_a_judged_file_that_is_broken_or_without_end_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "judged").write_bytes(data)
    with pytest.raises(BadInput, match=said):
        _ask(tmp_path / "judged")


def test_a_gzip_bomb_takes_no_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(LINES.partition(b"\n")[0] + b"\n" + b" " * (1 << 26)))
    tracemalloc.start()
    with pytest.raises(BadInput, match="Line 2 has more than"):
        _ask(bomb)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 25


@CAREFUL
@given(data=st.data())
def test_a_damaged_judged_file_is_refused_in_a_sentence(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "judged"
    plain = data.draw(st.booleans())
    path.write_bytes(data.draw(damaged(LINES if plain else gzip.compress(LINES))))
    if not _refused(lambda: _ask(path)):
        assert all(worth.score == 0 for one in _ask(path) for worth in one.worths.values() if plain is False)


CONFIGS = [
    ("seeds = [1]", "seeds = []"),
    ("seeds = [1]", "seeds = [-1]"),
    ("seeds = [1]", f"seeds = [{'9' * 400}]"),
    ("seeds = [1]", f"seeds = [{'9' * 5000}]"),
    ("seeds = [1]", "seeds = 1"),
    ("seeds = [1]", "seeds = [1, 1]"),
    ("seeds = [1]", 'seeds = ["1"]'),
    ("seeds = [1]", "seeds = [true]"),
    ("seeds = [1]", f"seeds = {'[' * 20_000}"),
    ("keep = 0", "keep = -1"),
    ("keep = 0", f"keep = {'9' * 30}"),
    ('kind = "td"', "kind = 7"),
    ('kind = "td"', 'kind = ["td"]'),
    ('game = "nim"', "game = nan"),
    ('game = "nim"', 'game = "no such game"'),
    ("episodes = 100000", "episodes = 0"),
    ("episodes = 100000", 'episodes = "many"'),
    ("episodes = 100000", f"episodes = {'9' * 18}"),
    ("decisions = 500", 'decisions = "x"'),
    ("[run]", "[[run]]"),
]


@pytest.mark.parametrize(("right", "wrong"), CONFIGS)
def test_a_run_with_a_crafted_config_is_listed_as_damaged_and_the_others_as_ever(
    home: Path, right: str, wrong: str
) -> None:
    for name in ("bad", "good"):
        keep(name, drawn(NIM))
    path = home / "runs" / "bad" / "run.toml"
    assert right in path.read_text()
    path.write_text(path.read_text().replace(right, wrong))
    bad, good = facts_of_runs()
    assert (good["run"], "problem" in good) == ("good", False)
    assert (bad["run"], "problem" in bad) == ("bad", True)
    assert bad["problem"].isprintable()


@pytest.mark.parametrize("what", ["pipe", "folder", "large", "bytes"])
def test_a_config_that_is_no_text_file_is_refused(home: Path, what: str) -> None:
    keep("bad", drawn(NIM))
    path = home / "runs" / "bad" / "run.toml"
    path.unlink()
    {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "large": lambda: path.write_text("#" * 2_000_000),
        "bytes": lambda: path.write_bytes(b"\xff"),
    }[what]()
    (found,) = facts_of_runs()
    assert "run.toml" in found["problem"]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"value": "x"}, {"value": None}, {"episode": -1}, {"episode": 10**17}, {"games": 1.5}, {"what": 7}),
        *({"value": 1e300}, {"low": True}, {"more": 1}),
    ],
)
def test_measurements_of_wrong_types_are_damage(home: Path, wrong: dict[str, Any]) -> None:
    run = keep("bad", drawn(NIM))
    path = run.seed_folder(1) / "measurements.jsonl"
    for text in (json.dumps(MEASURED | wrong), "[]", "7", "[" * 20_000, '{"value": NaN}', "9" * 400):
        path.write_text(f"{json.dumps(MEASURED)}\n{text}\n")
        with pytest.raises(BadInput, match=r"measurements\.jsonl is damaged"):
            run.measurements(1)
        assert "problem" in facts_of_runs()[0]
    path.write_text(f"{json.dumps(MEASURED)}\n")
    assert run.measurements(1)[0].value == 0.5


@CAREFUL
@given(data=st.data())
def test_a_damaged_file_of_a_run_is_refused_in_a_sentence(home: Path, data: st.DataObject) -> None:
    shutil.rmtree(home / "runs", ignore_errors=True)
    run = keep("bad", drawn(NIM))
    (run.seed_folder(1) / "measurements.jsonl").write_text(f"{json.dumps(MEASURED)}\n" * 2)
    (run.seed_folder(1) / "metrics.jsonl").write_text(
        '{"episode": 1, "seconds": 0.5, "speed": 2.0, "error": 0.1}\n' * 2
    )
    names = [
        "run.toml",
        *(f"seed-1/{one}" for one in ("measurements.jsonl", "metrics.jsonl", "checkpoint.safetensors")),
    ]
    path = run.folder / data.draw(st.sampled_from(names))
    path.write_bytes(data.draw(damaged(path.read_bytes())))
    _refused(lambda: json.dumps(sw.run("bad").all_facts(), allow_nan=False))
    _refused(lambda: trained(NIM, "bad"))
    json.dumps(facts_of_runs(), allow_nan=False)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_refused_whatever_the_learner(home: Path, wrong: float) -> None:
    learner = drawn(NIM)
    learner.network.weights[3] = wrong
    keep("bad", learner)
    with pytest.raises(BadInput, match='cannot be used: "weights" holds numbers that are not finite'):
        sw.agent("td:bad", NIM)
    path = home / "any.safetensors"
    for dtype in (np.float16, np.float32, np.float64):
        checkpoint.write(path, {"layer": np.array([1, wrong], dtype), "history_rows": np.array([np.nan])}, {})
        with pytest.raises(BadInput, match='"layer" holds numbers that are not finite'):
            checkpoint.read(path)["layer"]
    assert np.isnan(checkpoint.read(path)["history_rows"]).all()  # a figure that there is not


def _crafted(path: Path, optimism: float = 0.0, moved: int = 3_000_000) -> None:
    """A small file whose settings ask for large tables."""
    settings = Settings(table="hashed", memory=3.2, optimism=optimism)
    network = NTupleNetwork(sw.game(LARGE), settings, 1, empty=True)
    gaps = np.full(moved, network.size // (moved + 1), np.uint64)
    arrays = {GAPS: _deflated(gaps), STEPS: _deflated(np.ones(moved, np.int16)), SIZE: np.array([network.size])}
    about = {"kind": "td", "game": LARGE, "seed": "1", "tuples": network.tuples, "coding": network.layout.coding}
    checkpoint.write(path, arrays, about | {"settings": json.dumps(asdict(settings))})


@pytest.mark.parametrize("crafted", [{"optimism": 0.5, "moved": 10}, {"moved": 3_000_000}])
def test_a_small_file_cannot_ask_for_much_memory(tmp_path: Path, crafted: dict[str, Any]) -> None:
    path = tmp_path / "small.safetensors"
    _crafted(path, **crafted)
    assert path.stat().st_size < 200_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match=r"asks for 3\.2 GB of memory, too much for a file of .* kB"):
        sw.agent(f"td:{path}", LARGE)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_packed_weights_that_go_back_or_beyond_are_refused() -> None:
    for gaps in ([2, 0], [1, 2**64 - 1], [2**63, 2**63 + 1], [9]):
        arrays = {GAPS: _deflated(np.array(gaps, np.uint64)), STEPS: _deflated(np.ones(len(gaps), np.int16))}
        with pytest.raises(ValueError, match="do not fit"):
            unpacked({**arrays, SIZE: np.array([8])}, 8, 0.0)


@CAREFUL
@given(data=st.data())
def test_a_damaged_export_is_refused_in_a_sentence(tmp_path_factory: Any, data: st.DataObject) -> None:
    folder = tmp_path_factory.getbasetemp() / "exports"
    folder.mkdir(exist_ok=True)
    genome, kind = a_genome(3), data.draw(st.sampled_from(("json", "onnx", "safetensors")))
    path = folder / f"a.{kind}"
    if kind == "json":
        write_json(path, genome, *names_of(genome), {"game": "nim"})
    elif kind == "onnx":
        Network(NIM, {"value": 1}).write(path)
    else:
        checkpoint.write(path, {"weights": np.ones(4)}, {"game": "nim", "kind": "td", "episode": "4"})
    path.write_bytes(data.draw(damaged(path.read_bytes())))
    if kind == "json":
        _refused(lambda: read_json(path))
        _refused(lambda: champion(NIM, str(path)))
    elif kind == "onnx":
        _refused(lambda: OnnxModel(path, NIM))
    else:
        _refused(lambda: dict(checkpoint.read(path)))
        _refused(lambda: sw.agent(f"td:{path}", NIM))


@pytest.mark.parametrize("suffix", ["json", "onnx", "safetensors"])
def test_a_pipe_is_no_export(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"pipe.{suffix}"
    os.mkfifo(path)
    with pytest.raises(BadInput, match="not a regular file"):
        sw.agent(f"{'td' if suffix == 'safetensors' else 'evolution'}:{path}", NIM)


@CAREFUL
@given(data=st.data())
def test_a_damaged_packed_run_is_refused_and_leaves_nothing(home: Path, data: st.DataObject) -> None:
    shutil.rmtree(home / "runs", ignore_errors=True)
    keep("one", drawn(NIM))
    path = home / "one.zip"
    pack("one", path)
    path.write_bytes(data.draw(damaged(path.read_bytes())))
    if _refused(lambda: unpack(path, "two")):
        assert runs.names_of_runs() == ["one"]
        assert [one.name for one in runs.home().iterdir()] == ["one"]
    else:
        assert trained(NIM, "two").weights.tolist() == trained(NIM, "one").weights.tolist()

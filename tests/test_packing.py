"""A run as one file: packed, carried to another home, resumed there; and what is no such file is refused."""

from __future__ import annotations

import io
import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import fake_learner
from fake_learner import Spielwerk
from spielwerk.arena.records.store import Store
from spielwerk.learn import runs
from spielwerk.learn.packing import ABOUT, FORMAT, pack, unpack
from spielwerk.names import BadInput
from test_metrics import config, train

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A finished run with two earlier checkpoints, in a file."""
    assert train(runs.create(config(60, (1, 2), keep=2), "one"))
    pack("one", tmp_path / "one.zip")
    return tmp_path / "one.zip"


def files(run: runs.Run) -> dict[str, bytes]:
    found = [path for path in run.folder.rglob("*") if path.is_file() and path.name not in ("lock", "curves.png")]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in found}


def learned(run: runs.Run) -> dict[str, bytes]:
    """Without what depends on time."""
    return {name: data for name, data in files(run).items() if not name.endswith("metrics.jsonl")}


def changed(path: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """The archive with other files in it."""
    with zipfile.ZipFile(path) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    change(inside)
    other = path.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for name, data in inside.items():
            archive.writestr(name, data)
    return other


def nothing_left() -> bool:
    """Whether the run `one` is all that there is, also of hidden folders."""
    return [path.name for path in runs.home().iterdir()] == ["one"]


def test_a_run_is_unpacked_as_it_was_packed_also_into_the_store(packed: Path) -> None:
    run, two = runs.open_run("one"), unpack(packed, "two")
    assert (files(two), two.config) == (files(run), run.config)
    with Store() as store:
        assert store.measurements("two") == store.measurements("one")
    runs.delete("one")
    assert files(unpack(packed)) == files(two)
    assert runs.names_of_runs() == ["one", "two"]


def test_the_same_run_gives_the_same_file_and_hidden_and_foreign_files_stay_behind(packed: Path) -> None:
    run = runs.open_run("one")
    for foreign in (".one.part", "notes.txt", "seed-1/more.safetensors", "seed-9/checkpoint.safetensors"):
        (run.folder / foreign).parent.mkdir(exist_ok=True)
        (run.folder / foreign).write_text("x")
    again = packed.with_name("again.zip")
    pack("one", again)
    assert again.read_bytes() == packed.read_bytes()


@pytest.mark.parametrize("chunks", [1, 4])
def test_a_run_carried_to_another_machine_and_back_ends_like_one_that_stayed(
    chunks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = runs.create(config(60, (1, 2), keep=2), "whole")
    assert train(whole)
    wanted = learned(whole) | {"run.toml": b""}
    run, machine = runs.create(config(60, (1, 2), keep=2), "one"), 0
    while not train(run, chunks):
        file = tmp_path / f"{machine}.zip"
        pack("one", file)
        machine += 1
        monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path / f"home{machine}"))
        run = unpack(file)
    assert machine > 1
    assert learned(run) | {"run.toml": b""} == wanted
    episodes = [line["episode"] for line in run.metrics(1)]
    assert episodes == sorted(set(episodes))


def test_a_run_is_never_replaced(packed: Path) -> None:
    run = runs.open_run("one")
    (run.folder / "seed-1" / "measurements.jsonl").write_text("")
    before = files(run)
    with pytest.raises(
        BadInput, match=r"^The run one exists already; add --name NAME to unpack .* under another name\.$"
    ):
        unpack(packed)
    assert files(run) == before
    for name in ("../two", "a/b", "", ".x"):
        other = changed(packed, lambda inside, name=name: inside.update(_about(run=name)))
        with pytest.raises(BadInput, match="A run cannot be called"):
            unpack(other)
    assert nothing_left()


def _about(**said: str) -> dict[str, bytes]:
    return {ABOUT: json.dumps({"format": FORMAT, "run": "two", **said}).encode()}


@pytest.mark.parametrize(
    "name",
    [
        "../evil.txt",
        "/tmp/evil.txt",
        "seed-1/../../evil.txt",
        "seed-1/evil.py",
        "seed-3/checkpoint.safetensors",  # a seed that the run has not
        "seed-01/checkpoint.safetensors",
        "seed-1/at-21.safetensors",  # a moment that it does not keep
        "seed-1/",
        "curves.png",
        "seed-1\\checkpoint.safetensors",
        "sitecustomize.py",
    ],
)
def test_a_foreign_file_is_refused_wherever_it_would_lie(packed: Path, tmp_path: Path, name: str) -> None:
    other = changed(packed, lambda inside: inside.update({name: b"x"}))
    with pytest.raises(BadInput, match="which does not belong to its run"):
        unpack(other, "two")
    assert nothing_left()
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith("evil")]
    assert not Path("/tmp/evil.txt").exists()


def test_links_and_doubled_files_are_refused(packed: Path) -> None:
    name = "seed-1/checkpoint.safetensors"
    link = zipfile.ZipInfo(name)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    linked = changed(packed, lambda inside: inside.pop(name))
    with zipfile.ZipFile(linked, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadInput, match="which does not belong to its run"):
        unpack(linked, "two")
    with zipfile.ZipFile(packed, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(name, "another")
    with pytest.raises(BadInput, match="which does not belong to its run"):
        unpack(packed, "two")
    assert nothing_left()


def test_more_than_the_disk_has_is_refused_before_anything_is_written(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = changed(packed, lambda inside: inside.update({"seed-1/checkpoint.safetensors": bytes(3_000_000)}))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=2_000_000))
    with pytest.raises(BadInput, match="of disk"):
        unpack(bomb, "two")
    assert nothing_left()


@pytest.mark.parametrize(("name", "size"), [("run.toml", 2_000_000), (ABOUT, 2_000_000)])
def test_a_text_that_is_too_long_is_refused(packed: Path, name: str, size: int) -> None:
    other = changed(packed, lambda inside: inside.update({name: b" " * size}))
    with pytest.raises(BadInput, match="more than it can have"):
        unpack(other, "two")
    assert nothing_left()


def test_a_file_cut_short_or_changed_anywhere_is_refused_in_one_sentence_or_says_the_same(packed: Path) -> None:
    data, run = packed.read_bytes(), runs.open_run("one")
    broken = packed.with_name("broken.zip")
    refused = 0
    cuts = [data[:length] for length in range(0, len(data), max(1, len(data) // 20))]
    for place in range(0, len(data), max(1, len(data) // 150)):
        cuts.append(data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :])
    for number, damaged in enumerate(cuts):
        broken.write_bytes(damaged)
        try:
            found = unpack(broken, "two")
        except BadInput:
            refused += 1
            assert nothing_left()
        else:
            assert files(found) == files(run), number
            runs.delete("two")
    assert refused > 0.5 * len(cuts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda inside: inside.pop(ABOUT), "is damaged, truncated, or not a packed run."),
        (lambda inside: inside.pop("run.toml"), "is damaged, truncated, or not a packed run."),
        (lambda inside: inside.update(_about(format="other")), "is a packed run of another version."),
        (lambda inside: inside.update({ABOUT: b"[]"}), "is a packed run of another version."),
        (lambda inside: inside.update({ABOUT: b"{"}), "is damaged, truncated, or not a packed run."),
        (lambda inside: inside.update({"run.toml": b"x = 1"}), "run.toml does not describe a training run."),
        (lambda inside: inside.update({"seed-1/measurements.jsonl": b"x\n"}), "seed-1/measurements.jsonl is damaged."),
        (lambda inside: inside.update({"seed-2/metrics.jsonl": b"x\n"}), "seed-2/metrics.jsonl is damaged."),
        (
            lambda inside: inside.update({"seed-1/checkpoint.safetensors": inside["seed-2/checkpoint.safetensors"]}),
            "seed-1/checkpoint.safetensors is a checkpoint of the seed 2, not 1.",
        ),
        (
            lambda inside: inside.update({"seed-1/at-20.safetensors": inside["seed-1/at-40.safetensors"]}),
            "seed-1/at-20.safetensors is a checkpoint of the episode 40, not 20.",
        ),
        (
            lambda inside: inside.update({"seed-1/checkpoint.safetensors": b"x"}),
            "seed-1/checkpoint.safetensors is damaged, truncated, or not a checkpoint.",
        ),
    ],
)
def test_what_is_wrong_inside_is_said(packed: Path, change: Callable[[dict[str, bytes]], object], said: str) -> None:
    other = changed(packed, change)
    with pytest.raises(BadInput) as refusal:
        unpack(other, "two")
    assert str(refusal.value).startswith(str(other))
    assert str(refusal.value).endswith(said)
    assert ".new" not in str(refusal.value)
    assert nothing_left()


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    (tmp_path / "empty").write_bytes(_empty())
    for name, said in (("text", "not a packed run"), ("empty", "not a packed run"), ("none", "There is no file")):
        with pytest.raises(BadInput, match=said):
            unpack(tmp_path / name)
    with pytest.raises(BadInput, match="cannot be unpacked: Is a directory"):
        unpack(tmp_path)


def _empty() -> bytes:
    data = io.BytesIO()
    zipfile.ZipFile(data, "w").close()
    return data.getvalue()


def test_a_run_in_use_is_not_packed_and_places_that_cannot_be_are_refused(packed: Path, tmp_path: Path) -> None:
    run = runs.open_run("one")
    with run.alone(), pytest.raises(BadInput, match="in use"):
        pack("one", tmp_path / "x.zip")
    for place in (tmp_path, tmp_path / "none" / "x.zip", runs.home() / "x.zip"):
        with pytest.raises(BadInput):
            pack("one", place)
    with pytest.raises(BadInput, match="There is no run"):
        pack("two", tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def test_the_commands_pack_and_unpack(spielwerk: Spielwerk, tmp_path: Path) -> None:
    words = ("episodes=20", "--games", "2", "--grade", "no", "--name", "one")
    assert spielwerk("train", "fake", "nim", *words)[0] == 0
    file = tmp_path / "one.zip"
    facts = json.loads(spielwerk("runs", "pack", "one", str(file), "--json")[1])
    assert facts == {"run": "one", "file": str(file), "bytes": file.stat().st_size}
    assert f"spielwerk runs unpack {file}" in spielwerk("runs", "pack", "one", str(file))[1]
    code, out, error = spielwerk("runs", "unpack", str(file), "--name", "two")
    assert (code, "The run two is there" in out, error) == (0, True, "")
    shown = [json.loads(spielwerk("runs", "show", name, "--json")[1]) for name in ("one", "two")]
    assert shown[0]["figures"] == shown[1]["figures"]
    assert spielwerk("runs", "unpack", str(file))[0] == 2


def test_a_program_that_a_resume_would_start_is_named(spielwerk: Spielwerk, packed: Path) -> None:
    opponent = '["engine:mine,games=2"]'
    other = changed(packed, lambda inside: inside.update({"run.toml": _measured_by(inside["run.toml"], opponent)}))
    error = spielwerk("runs", "unpack", str(other), "--name", "two")[2]
    assert error == "It is measured against engine:mine, a program that is started when you resume it.\n"


def _measured_by(toml: bytes, opponents: str) -> bytes:
    return toml.replace(b'["random:games=2"]', opponents.encode())

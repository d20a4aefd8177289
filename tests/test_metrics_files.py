"""Metrics for other programs: CSV, TensorBoard and pandas, the last two by packages that need not be there."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import fake_learner
import spielwerk as sw
from fake_learner import Spielwerk
from spielwerk.learn import runs
from spielwerk.names import BadInput

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


@pytest.fixture
def run() -> runs.Run:
    """A run that was trained."""
    return sw.train("fake", "nim", name="one", episodes=20, seeds="1-2", evaluation={"games": 4, "grade": "no"}).run


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What a stand-in for TensorBoard's writer was given: the folder and the event."""
    written: list[tuple[str, Any]] = []

    class Writer:
        """Notes events; a real one writes a file into the folder."""

        def __init__(self, folder: str) -> None:
            self.folder = folder
            Path(folder).mkdir(parents=True)
            (Path(folder) / "events.out.tfevents.1").touch()

        def add_event(self, event: Any) -> None:
            """Notes it."""
            written.append((self.folder, event))

        def close(self) -> None:
            """Nothing is left to write."""

    class Summary(SimpleNamespace):
        """A message that holds values."""

        Value = SimpleNamespace

    modules = {
        "tensorboard.compat.proto.event_pb2": {"Event": SimpleNamespace},
        "tensorboard.compat.proto.summary_pb2": {"Summary": Summary},
        "tensorboard.summary.writer.event_file_writer": {"EventFileWriter": Writer},
    }
    for name, parts in modules.items():
        module = ModuleType(name)
        vars(module).update(parts)
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("", ".compat", ".compat.proto", ".summary", ".summary.writer"):
        monkeypatch.setitem(sys.modules, f"tensorboard{name}", ModuleType(f"tensorboard{name}"))
    return written


def test_metrics_are_written_as_csv_with_all_that_was_logged_and_measured(
    run: runs.Run, spielwerk: Spielwerk, tmp_path: Path
) -> None:
    file = tmp_path / "metrics.csv"
    assert spielwerk("runs", "metrics", "one", "--csv", str(file)) == (0, f"{file} has the metrics.\n", "")
    assert spielwerk("runs", "metrics", "one", "--csv", "-") == (0, file.read_text(), "")
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    for seed in (1, 2):
        mine = [row for row in rows if row["seed"] == str(seed)]
        logged = [(line["episode"], line["highest"]) for line in run.metrics(seed)]
        assert [(int(row["episode"]), float(row["highest"])) for row in mine if row["highest"]] == logged
        rates = {int(row["episode"]): float(row["rate against random"]) for row in mine if row["rate against random"]}
        assert rates == {one.episode: one.value for one in run.measurements(seed) if one.what == "rate against random"}
    assert json.loads(spielwerk("runs", "metrics", "one", "--json")[1])["rows"][0]["seed"] == 1
    assert "highest" in spielwerk("runs", "metrics", "one")[1]
    assert spielwerk("runs", "metrics", "one", "--csv", str(tmp_path / "no" / "x.csv"))[0] == 2


def test_metrics_are_written_as_events_of_tensorboard(
    run: runs.Run, spielwerk: Spielwerk, tmp_path: Path, events: list[tuple[str, Any]]
) -> None:
    code, out, _ = spielwerk("runs", "metrics", "one", "--tensorboard", str(tmp_path / "tb"))
    assert (code, out) == (0, f"To look at them: tensorboard --logdir {tmp_path / 'tb'}\n")
    for seed in (1, 2):
        mine = [event for folder, event in events if folder == str(tmp_path / "tb" / "one" / f"seed-{seed}")]
        found = {(event.summary.value[0].tag, event.step): event.summary.value[0].simple_value for event in mine}
        for one in run.measurements(seed):
            assert found[f"strength/{one.what}", one.episode] == one.value
        for line in run.metrics(seed):
            assert found["training/highest", line["episode"]] == line["highest"]
        assert sorted(event.wall_time for event in mine) == [event.wall_time for event in mine]


@pytest.mark.filterwarnings("ignore")  # the package's own
def test_tensorboard_reads_what_is_written_for_it(run: runs.Run, spielwerk: Spielwerk, tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    for _ in range(2):  # the second time instead of the first
        assert spielwerk("runs", "metrics", "one", "--tensorboard", str(tmp_path))[0] == 0
    for seed in (1, 2):
        read = accumulator.EventAccumulator(str(tmp_path / "one" / f"seed-{seed}")).Reload()
        rates = [one for one in run.measurements(seed) if one.what == "rate against random"]
        found = read.Scalars("strength/rate against random")
        assert [one.step for one in found] == [one.episode for one in rates]
        assert [one.value for one in found] == pytest.approx([one.value for one in rates])
        highest = [(line["episode"], line["highest"]) for line in run.metrics(seed)]
        assert [(one.step, one.value) for one in read.Scalars("training/highest")] == highest


def test_without_its_package_tensorboard_is_asked_for_in_a_sentence(
    run: runs.Run, spielwerk: Spielwerk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    code, _, error = spielwerk("runs", "metrics", run.name, "--tensorboard", str(tmp_path / "tb"))
    assert (code, error) == (2, "TensorBoard is not installed: pip install 'spielwerk[tensorboard]'.\n")
    assert not (tmp_path / "tb").exists()


class Frame(list[dict[str, Any]]):
    """A stand-in for a pandas DataFrame."""

    def set_index(self, name: str) -> dict[str, dict[str, Any]]:
        """The rows by the value of one column."""
        return {row[name]: row for row in self}


def test_runs_become_a_data_frame_where_pandas_is_there(run: runs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
    found = sw.runs().to_pandas()
    facts = sw.run("one").facts()
    rate = facts["figures"]["rate against random"]
    row = found["one"]
    assert (row["kind"], row["game"], row["episodes"], row["seeds"], row["done"]) == ("fake", "nim", 20, 2, 20)
    names = ("rate against random", "rate against random, low", "rate against random, high")
    assert [row[name] for name in names] == [rate["value"], *rate["interval"]]
    assert row["setting: cells"] == 8
    assert len(sw.run(run.name).to_pandas()) == len(
        {(row["seed"], row["episode"]) for row in sw.run("one").to_pandas()}
    )
    assert "one" in sw.runs()._repr_html_()
    runs.delete("one")
    assert sw.runs().to_pandas() == []


@pytest.mark.filterwarnings("ignore")  # the package's own
def test_the_frames_of_pandas_hold_what_the_files_do(run: runs.Run, spielwerk: Spielwerk, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = sw.runs().to_pandas()
    rate = sw.run(run.name).facts()["figures"]["rate against random"]["value"]
    assert frame.loc["one", ["kind", "game", "seeds", "rate against random"]].tolist() == ["fake", "nim", 2, rate]
    assert spielwerk("runs", "metrics", "one", "--csv", str(tmp_path / "one.csv"))[0] == 0
    own, read = sw.run("one").to_pandas(), pandas.read_csv(tmp_path / "one.csv")
    pandas.testing.assert_frame_equal(own, read, check_dtype=False)
    runs.delete("one")
    assert sw.runs().to_pandas().empty


def test_without_pandas_a_sentence_says_so(run: runs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for attempt in (sw.runs().to_pandas, sw.run(run.name).to_pandas):
        with pytest.raises(BadInput, match=r"^pandas is not installed: pip install pandas\.$"):
            attempt()
    assert [one.name for one in sw.runs()] == ["one"]  # a list as ever


@pytest.mark.parametrize("command", [("curves", "one"), ("compare", "one", "two")])
def test_commands_draw_light_and_dark(
    run: runs.Run, spielwerk: Spielwerk, tmp_path: Path, command: tuple[str, ...]
) -> None:
    sw.train("fake", "nim", name="two", episodes=20, evaluation={"games": 4, "grade": "no"})
    for theme, paper in (("light", "#ffffff"), ("dark", "#15191e")):
        file = tmp_path / f"{theme}.svg"
        assert spielwerk("runs", *command, "--plot", str(file), "--theme", theme)[0] == 0
        assert f"fill: {paper}" in file.read_text()
    assert spielwerk("runs", *command, "--plot", str(tmp_path / "x.svg"), "--theme", "grey")[0] == 2

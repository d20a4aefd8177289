"""Training runs as folders: names, configs, checkpoints and measurements, and what happens to damaged ones."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.measurement import Measurement
from spielwerk.arena.plots import DOT, GRID, IN_THE_DARK, PAPER
from spielwerk.arena.records.schema import TABLES
from spielwerk.arena.records.store import Store
from spielwerk.commands.runs import COLUMNS, list_
from spielwerk.commands.shared import output
from spielwerk.games.registry import game
from spielwerk.learn import checkpoint, runs
from spielwerk.learn.config import EvaluationConfig, RunConfig, evaluation_of, read_config, seeds_of
from spielwerk.learn.curves import curve_figure, curve_plot, spanned
from spielwerk.learn.figures import count_text, curves, figures, tick_text, without_repeats
from spielwerk.learn.perfect import perfect_rate
from spielwerk.learn.td.network_files import trained
from spielwerk.names import BadInput

CONFIG = RunConfig(
    kind="fake",
    game="einstein:board=3",
    settings={"episodes": 40, "rate": 1e-05, "whole": 2.0, "on": True, "text": 'a "b"\\ é\n\t,='},
    seeds=(1, 2, 7),
    evaluation=EvaluationConfig(("random:games=20", 'engine:"a=b, c",games=3'), every=10, starts="random:2"),
    version="1.2.3",
    started="2025-01-02T03:04:05+00:00",
)
ARRAYS = {
    "weights": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4),
    "rng": np.array([2**64 - 1], np.uint64),
    "none": np.zeros((0, 2)),
    "one": np.array(5),
    "turned": np.arange(6, dtype=np.int16).reshape(2, 3).T,
}
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def measured(episode: int, value: float, what: str = "rate against random") -> Measurement:
    return Measurement(episode, what, value, value - 0.1, value + 0.1, 20)


def with_checkpoint(run: runs.Run, seed: int, about: dict[str, str] | None = None) -> Path:
    metadata = {"kind": "fake", "game": run.config.game, "seed": str(seed), "episode": "40"}
    path = run.checkpoint_file(seed)
    with run.alone():
        checkpoint.write(path, ARRAYS, metadata | (about or {}))
    return path


def test_a_config_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(CONFIG.toml(), encoding="utf-8")
    assert read_config(tmp_path / "run.toml") == CONFIG
    run = runs.create(CONFIG, "one")
    assert runs.open_run("one") == run


@pytest.mark.parametrize("text", ["", "episodes = 3", "not toml", CONFIG.toml().replace("seeds", "sods")])
def test_a_config_that_is_none_is_refused_and_listed_by_its_name(text: str) -> None:
    run = runs.create(CONFIG, "one")
    (run.folder / "run.toml").write_text(text)
    with pytest.raises(BadInput, match=r"run\.toml"):
        runs.open_run("one")
    assert runs.names_of_runs() == ["one"]


def test_runs_without_a_name_are_numbered_and_no_two_share_one() -> None:
    made = [runs.create(CONFIG).name for _ in range(3)]
    assert made == [f"fake-einstein-board3-{number}" for number in (1, 2, 3)]
    with pytest.raises(BadInput, match=f"spielwerk runs resume {made[0]}"):
        runs.create(CONFIG, made[0])
    assert runs.names_of_runs() == made
    assert not [path for path in runs.home().iterdir() if path.name.startswith(".")]


def test_hidden_folders_are_no_runs_and_those_of_dead_processes_go() -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    run = runs.create(CONFIG, "one")
    mine, left, deleted = (run.folder.with_name(name) for name in (f".new.{os.getpid()}.5", f".new.{dead.pid}", ".x.1"))
    for folder in (mine, left, deleted):
        shutil.copytree(run.folder, folder)
    assert runs.names_of_runs() == ["one"]
    runs.create(CONFIG, "two")
    assert (mine.exists(), left.exists()) == (True, False)
    assert runs.names_of_runs() == ["one", "two"]


def test_threads_can_make_runs_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: runs.create(CONFIG).name, range(40)))
    assert sorted(made) == runs.names_of_runs()
    assert len(set(made)) == 40


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "a b", "-x", "ä", "x" * 101, "a\n", "*"])
def test_a_name_that_is_no_folder_of_its_own_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="A run cannot be called"):
        runs.check_name(name)
    with pytest.raises(BadInput, match="There is no run"):
        runs.open_run(name)


def test_a_checkpoint_is_read_as_it_was_written_and_equal_ones_are_equal_files(tmp_path: Path) -> None:
    about = {letter: letter * 3 for letter in "qwertyuiop"} | {"episode": "12"}
    for name in ("a", "b"):
        checkpoint.write(tmp_path / name, ARRAYS, about)
    found = checkpoint.read(tmp_path / "a")
    assert (found.metadata, found.episode, set(found)) == (about, 12, set(ARRAYS))
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
    found["weights"][0, 0] = 5  # which does not change the file
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_checkpoint_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    checkpoint.write(tmp_path / "whole", ARRAYS, {})
    data = (tmp_path / "whole").read_bytes()
    for length in (0, 5, 8, 100, len(data) // 2, len(data) - 1):
        (tmp_path / "cut").write_bytes(data[:length])
        with pytest.raises(BadInput, match="damaged"):
            checkpoint.read(tmp_path / "cut")


def test_a_single_changed_byte_of_an_array_is_noticed(tmp_path: Path) -> None:
    checkpoint.write(tmp_path / "file", {"a": np.arange(100)}, {})
    data = bytearray((tmp_path / "file").read_bytes())
    data[-300] ^= 1
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(BadInput, match="damaged"):
        checkpoint.read(tmp_path / "file")["a"]


def contents(path: Path) -> tuple[dict[str, str], dict[str, tuple[str, tuple[int, ...], bytes]]]:
    found = checkpoint.read(path)
    return found.metadata, {name: (one.dtype.str, one.shape, one.tobytes()) for name, one in found.items()}


@pytest.mark.parametrize("flip", [1, 0x0F, 0x80])
def test_whichever_byte_of_a_checkpoint_is_changed_it_is_refused_or_says_the_same(tmp_path: Path, flip: int) -> None:
    path = tmp_path / "file"
    checkpoint.write(path, ARRAYS, {"episode": "12", "game": "nim", "settings": '{"alpha": 0.5}'})
    whole, wanted = path.read_bytes(), contents(path)
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
        try:
            assert contents(path) == wanted
        except BadInput:
            refused += 1
    assert refused > 0.9 * len(whole)


def test_what_cannot_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot be read: Is a directory\.$"):
        checkpoint.read(tmp_path)


def test_a_file_of_another_program_is_no_checkpoint(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"a": np.arange(3)}, tmp_path / "other")
    with pytest.raises(BadInput, match="not a Spielwerk checkpoint"):
        checkpoint.read(tmp_path / "other")
    with pytest.raises(BadInput, match="There is no checkpoint"):
        checkpoint.read(tmp_path / "nothing")


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    checkpoint.write(tmp_path / "file", ARRAYS, {"episode": "1"})
    with pytest.raises(OSError, match="cannot be written"):
        checkpoint.write(tmp_path / "file", {"a": np.array(["text"])}, {"episode": "2"})
    assert checkpoint.read(tmp_path / "file").episode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("key", ["game", "kind", "seed"])
def test_a_checkpoint_of_something_else_is_refused(key: str) -> None:
    run = runs.create(CONFIG, "one")
    with_checkpoint(run, 2, {key: "another"})
    with pytest.raises(BadInput, match=f"{key} another, not"):
        runs.checkpoint("one", 2)


def test_the_best_seed_had_the_highest_rate_when_it_was_last_measured() -> None:
    run = runs.create(CONFIG, "one")
    with pytest.raises(BadInput, match="no checkpoint yet"):
        runs.checkpoint("one")
    for seed, values in {1: (0.9, 0.5), 2: (0.3, 0.6), 7: (0.6,)}.items():
        with_checkpoint(run, seed)
        with run.alone():
            run.measure(seed, [measured(10 * i, value) for i, value in enumerate(values, 1)])
    assert run.best_seed() == 2
    assert runs.checkpoint("one").path == run.checkpoint_file(2)
    assert runs.checkpoint("one/7").path == runs.checkpoint("one", 7).path == run.checkpoint_file(7)


def test_the_best_seed_lost_least_where_the_oracle_graded_all() -> None:
    run = runs.create(CONFIG, "one")
    losses = {1: 0.03, 2: 0.01, 7: 0.01}
    rates = {1: 0.9, 2: 0.5, 7: 0.6}
    for seed, loss in losses.items():
        with_checkpoint(run, seed)
        with run.alone():
            run.measure(seed, [measured(10, rates[seed]), measured(10, loss, "regret")])
    assert run.best_seed() == 7  # which loses as little as 2, and wins more
    with run.alone():
        run.measure(2, [measured(10, 0.5)])
    assert run.best_seed() == 1


@pytest.mark.parametrize("name", ["one/3", "one/x", "one/1/2", "two", "one/"])
def test_a_seed_or_a_run_that_is_not_there_is_refused(name: str) -> None:
    runs.create(CONFIG, "one")
    with pytest.raises(BadInput):
        runs.checkpoint(name)


def test_a_run_of_another_game_is_called_by_its_name() -> None:
    with_checkpoint(runs.create(CONFIG, "one"), 2)
    for name in ("one", "one/2"):
        with pytest.raises(BadInput, match=r"^The run one plays einstein:board=3, not nim\.$"):
            trained(game("nim"), name)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_list_has_one_line_a_run_and_the_more_columns_the_more_room_there_is(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "width", lambda: width)
    made = [runs.create(replace(CONFIG, game=game)) for game in ("einstein:board=4", "nim", "othello:size=6")]
    for run in made:
        with run.alone():
            run.measure(1, [measured(40, 0.25), measured(40, 0.5, "rate against mc:iterations=100")])
    list_()
    out, left_out, said = capsys.readouterr().out.partition("Omitted here")
    _, header, _, *lines = (line.strip() for line in out.splitlines())
    shown = [line.split() for line in lines if line]
    columns = [name.lstrip(">") for name in (*COLUMNS, ">episodes") if name not in (">trained", "now")]
    gone = [name for name in columns if name not in header]
    assert bool(gone) == bool(left_out)
    assert all(name in said for name in gone)
    assert all(len(line) <= width for line in said.splitlines())
    assert ("--json" in said) == bool(gone)
    assert [line[:5] for line in shown] == [[run.name, run.config.game, "0", "of", "40"] for run in made]
    assert max(map(len, [header, *lines])) <= width
    assert ("more figures" in header, "began" in header) == (width >= 120, width >= 200)
    assert ("rate" in header, "against" in header) == (width >= 80, width >= 80)  # neither says anything alone


def test_measurements_are_kept_in_the_folder_and_in_the_store_and_go_with_the_run() -> None:
    run, other = runs.create(CONFIG, "one"), runs.create(CONFIG, "two")
    found = [measured(10, 0.5), measured(20, 0.25)]
    for one in (run, other):
        with one.alone():
            one.measure(7, found[:1])
            one.measure(7, found)
    with Store() as store:
        assert run.measurements(7) == store.measurements("one")[7] == found
        runs.delete("one")
        assert (store.measurements("one"), store.measurements("two")) == ({}, {7: found})
    assert runs.names_of_runs() == ["two"]
    assert [path.name for path in runs.home().iterdir()] == ["two"]


def test_a_run_in_use_is_neither_trained_nor_deleted_by_another() -> None:
    run = runs.create(CONFIG, "one")
    with run.alone():
        assert runs.in_use("one")
        for attempt in (lambda: runs.delete("one"), run.alone().__enter__):
            with pytest.raises(BadInput, match="in use"):
                attempt()
    assert not runs.in_use("one")


def test_nobody_gets_hold_of_a_run_while_it_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    run, rename, busy = runs.create(CONFIG, "one"), Path.rename, []

    def watched(path: Path, target: Path) -> Path:
        busy.append(runs.in_use("one"))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", watched)
    runs.delete("one")
    assert busy == [True]
    with pytest.raises(BadInput, match="There is no run"), run.alone():
        pass
    assert not run.folder.exists()


def test_what_a_killed_process_left_half_written_is_removed() -> None:
    run = runs.create(CONFIG, "one")
    path = with_checkpoint(run, 1)
    half = path.with_name(f".{path.name}.123.part")
    half.write_bytes(b"half")
    with run.alone():
        assert not half.exists()
        assert path.exists()


def test_a_store_of_the_first_version_is_given_the_new_table(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "old.db") as old:
        old.executescript(f"{TABLES}; PRAGMA user_version = 1")
    old.close()
    with Store(tmp_path / "old.db") as store:
        store.measure("one", 1, [measured(10, 0.5)])
    with Store(tmp_path / "old.db") as store:
        assert store.measurements("one") == {1: [measured(10, 0.5)]}
        assert store.matches() == []


def test_an_old_store_that_cannot_be_written_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as old:
        old.executescript(f"{TABLES}; PRAGMA user_version = 1")
    old.close()
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda what, mode: Path(what) != path)  # the folder can be written
    with Store(path) as store:
        assert store.matches() == []
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "seeds"),
    [
        ("3", (1, 2, 3)),
        ("1,2,7", (1, 2, 7)),
        ("7,", (7,)),
        (2, (1, 2)),
        ([5, 0], (5, 0)),
        ("1-5", (1, 2, 3, 4, 5)),
        ("3-4, 9", (3, 4, 9)),
        ("6-6", (6,)),
    ],
)
def test_seeds_are_counted_or_listed(given: str | int | list[int], seeds: tuple[int, ...]) -> None:
    assert seeds_of(given) == seeds


@pytest.mark.parametrize(
    "given",
    [
        "0",
        "",
        "x",
        "1,1",
        "-1",
        "1;2",
        "99999999999",
        "5-1",
        "1-",
        "1-2000",
        "1-3,2",
        "0-99999999999",
        f"{2**31},",
        1.5,
        [],
        [True],
        None,
    ],
)
def test_seeds_that_cannot_be_meant_are_refused(given: object) -> None:
    with pytest.raises(BadInput, match="Seeds"):
        seeds_of(given)


@pytest.mark.parametrize(
    "table",
    [
        {"opponents": "random"},
        {"opponents": []},
        {"opponents": [1]},
        {"opponents": ["random", "random:games=5"]},
        {"opponents": ["random:games=0"]},
        {"opponents": ["random:games=x"]},
        {"games": 0},
        {"every": -1},
        {"starts": "random"},
        {"starts": "random:-1"},
        {"seating": "standing"},
        {"grade": "perhaps"},
        {"evry": 10},
    ],
)
def test_an_evaluation_that_makes_no_sense_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        evaluation_of(table)


def test_evaluations_come_at_their_intervals_and_at_the_end() -> None:
    def episodes(evaluation: EvaluationConfig, of: tuple[int, ...]) -> list[int]:
        return [episode for episode in range(of[-1] + 1) if evaluation.due(episode, of)]

    assert episodes(EvaluationConfig(every=30, early=0), (100,)) == [30, 60, 90, 100]
    assert episodes(EvaluationConfig(early=0), (100,)) == list(range(10, 101, 10))
    assert episodes(EvaluationConfig(early=0), (3,)) == [1, 2, 3]
    assert episodes(EvaluationConfig(every=500, early=0), (100,)) == [100]


def test_learning_is_measured_before_it_begins_and_more_often_at_first() -> None:
    def episodes(evaluation: EvaluationConfig, of: tuple[int, ...]) -> list[int]:
        return [episode for episode in range(of[-1] + 1) if evaluation.due(episode, of)]

    assert episodes(EvaluationConfig(), (160,)) == [0, 2, 4, 8, *range(16, 161, 16)]
    assert episodes(EvaluationConfig(every=30), (100,)) == [0, 3, 7, 15, 30, 60, 90, 100]
    assert episodes(EvaluationConfig(early=1), (100,)) == [0, 5, *range(10, 101, 10)]
    assert episodes(EvaluationConfig(), (3,)) == [0, 1, 2, 3]
    assert episodes(EvaluationConfig(every=30), (100, 130, 200)) == [
        0,
        3,
        7,
        15,
        30,
        60,
        90,
        100,
        120,
        130,
        150,
        180,
        200,
    ]


VALUES = {1: (0.2, 0.4), 2: (0.3, 0.8), 7: (0.7, 0.9), 8: (0.4, 0.4), 9: (0.4, 0.5)}


def measured_run(seeds: tuple[int, ...]) -> runs.Run:
    run = runs.create(replace(CONFIG, seeds=seeds))
    with run.alone():
        for seed in seeds:
            run.measure(seed, [measured(10 * i, value) for i, value in enumerate(VALUES[seed], 1)])
    return run


@pytest.mark.parametrize(
    ("seeds", "words"),
    [
        ((1,), "one seed; bars: 95 % intervals of the measurements"),
        ((1, 2, 7), "mean of 3 seeds; thin: each seed"),
        ((1, 2, 7, 8), "mean of 4 seeds; thin: each seed"),
        ((1, 2, 7, 8, 9), "mean of 5 seeds; thin: each seed; band: 95 % interval of the mean"),
    ],
)
def test_a_band_is_drawn_from_five_seeds_on_and_each_seed_is_a_thin_line(seeds: tuple[int, ...], words: str) -> None:
    run = measured_run(seeds)
    curve, axes = curves(run)["rate against random"], curve_figure([run], "").axes[0]
    assert (curve.words, curve.band() is None, len(axes.collections) > 0) == (
        words,
        len(seeds) < 5,
        len(seeds) in (1, 5),
    )
    several = len(seeds) > 1
    thin = [line for line in axes.lines if line.get_linewidth() < 1]
    assert [line.get_ydata().tolist() for line in thin] == [list(VALUES[seed]) for seed in seeds if several]
    assert axes.lines[-1].get_ydata().tolist() == pytest.approx(np.mean([VALUES[seed] for seed in seeds], axis=0))
    assert axes.lines[-1].get_xdata().tolist() == [10, 20]


def test_the_band_is_students_interval_of_the_mean() -> None:
    low, high = curves(measured_run((1, 2, 7, 8, 9)))["rate against random"].band()  # type: ignore[misc]
    values = np.array([VALUES[seed] for seed in (1, 2, 7, 8, 9)])
    half = 2.7764 * values.std(axis=0, ddof=1) / 5**0.5  # four degrees of freedom
    np.testing.assert_allclose(low, np.maximum(values.mean(axis=0) - half, 0), rtol=1e-4)
    np.testing.assert_allclose(high, np.minimum(values.mean(axis=0) + half, 1), rtol=1e-4)


def graded_run(game: str, starts: str = "fixed") -> runs.Run:
    evaluation = EvaluationConfig(("random:games=10",), starts=starts)
    run = runs.create(replace(CONFIG, game=game, seeds=(1,), evaluation=evaluation))
    with run.alone():
        run.measure(1, [one for at in (0, 10) for one in (measured(at, 0.5), measured(at, 0.1, "regret"))])
    return run


@pytest.mark.parametrize(
    ("game", "starts", "rate"),
    [
        ("nim:stacks=2-3", "fixed", 0.95833),
        ("einstein:board=3", "fixed", 0.90226),
        ("nim:stacks=2-3", "random:1", None),
        ("othello", "fixed", None),
    ],
)
def test_a_line_shows_perfect_play_where_it_is_known_exactly(game: str, starts: str, rate: float | None) -> None:
    rates, regrets = curve_figure([graded_run(game, starts)], "").axes[:2]
    assert regrets.lines[-1].get_ydata() == [0, 0]
    assert (rates.get_title("right") != "") == (rate is not None)
    if rate is not None:
        assert rates.lines[-1].get_ydata() == pytest.approx([rate, rate], abs=1e-5)
        assert rates.get_title("right") == f"perfect play {100 * round(rate, 4):.4g} %"


def test_perfect_play_wins_as_often_as_the_oracle_does() -> None:
    for name in ("nim:stacks=2-3", "nim:stacks=1-2-3,misere=false"):
        low, high = sw.match(name, "oracle", "random", games=4000, processes=1).match.summary.rate_interval
        assert low <= (perfect_rate(name, "random") or 0) <= high
    assert perfect_rate("nim", "mc") is None
    assert perfect_rate("chess", "random") is None


def test_ticks_of_an_axis_have_one_unit() -> None:
    assert [tick_text(number, 1_250_000) for number in (0, 250_000, 1_000_000, 1_250_000)] == [
        "0",
        "0.25M",
        "1M",
        "1.25M",
    ]
    assert [tick_text(number, 60_000) for number in (0, 500, 60_000)] == ["0", "0.5k", "60k"]
    assert [tick_text(number, 3000) for number in (0, 500, 3000)] == ["0", "500", "3,000"]


def test_pictures_are_light_or_dark(tmp_path: Path) -> None:
    run = measured_run((1, 2, 7))
    for theme, paper in (("light", "#ffffff"), ("dark", PAPER)):
        sw.run(run.name).save(tmp_path / f"{theme}.svg", theme)
        drawn = (tmp_path / f"{theme}.svg").read_text()
        assert f"fill: {paper}" in drawn
        assert (f"stroke: {DOT}" in drawn, f"stroke: {IN_THE_DARK[DOT]}" in drawn) == (
            theme == "light",
            theme == "dark",
        )
        assert (f"stroke: {GRID}" in drawn, f"stroke: {IN_THE_DARK[GRID]}" in drawn) == (
            theme == "light",
            theme == "dark",
        )
    with pytest.raises(BadInput, match='There is no theme "grey"; possible: light, dark'):
        sw.run(run.name).save(tmp_path / "x.svg", "grey")


def last(what: str, *values: tuple[float, float, float]) -> tuple[float, float]:
    """The interval of a run whose seeds have these values and ends of intervals."""
    run = runs.create(replace(CONFIG, seeds=tuple(range(len(values)))))
    with run.alone():
        for seed, value in enumerate(values):
            run.measure(seed, [Measurement(10, what, *value, 100)])
    return figures(run)[what].interval


def test_seeds_that_agree_are_not_surer_than_their_own_intervals() -> None:
    assert last("regret", (0, 0, 0.0154)) == (0, 0.0154)
    assert last("regret", (0, 0, 0.0154), (0, 0, 0.0154)) == pytest.approx((0, 0.0154 / 2**0.5))
    assert last("best class", (0.5, 0.4, 0.7), (0.5, 0.3, 0.6)) == pytest.approx(
        (0.5 - 0.05**0.5 / 2, 0.5 + 0.05**0.5 / 2)
    )
    assert last("best class", (0.5, 0.5, 0.5), (0.6, 0.6, 0.6)) == pytest.approx((0, 1))  # 0.55 ± 12.7 · 0.05


def test_an_interval_holds_only_what_is_possible() -> None:
    assert last("regret", (0.01, 0, 0.02), (0.2, 0.1, 0.3))[0] == 0
    assert last("score against random", (0.99, 0.95, 1.02))[1] == 1
    assert last("score against random", (0.98, 0.9, 1), (-0.98, -1, -0.9)) == (-1, 1)
    assert last("rate against random", (0.98, 0.9, 1), (0.7, 0.6, 0.8))[1] == 1


def test_the_last_figure_is_the_mean_of_the_seeds_with_students_interval() -> None:
    figure = figures(measured_run((1, 2, 7)))["rate against random"]
    half = 4.3027 * (0.07 / 3) ** 0.5  # 95 % of Student's distribution with two degrees of freedom
    assert (figure.value, figure.interval) == (pytest.approx(0.7), pytest.approx((0.7 - half, 1.0), rel=1e-4))
    assert figure.seeds == {1: 0.4, 2: 0.8, 7: 0.9}


def test_a_run_that_was_stopped_before_its_first_episode_has_a_picture_too() -> None:
    run = runs.create(replace(CONFIG, seeds=(1,)))
    with run.alone():
        run.measure(1, [measured(0, 0.5)])
    low, high = curve_figure([run], "").axes[0].get_xlim()  # which says nothing of singular transformations
    assert low < 0 < high


def test_curves_show_only_what_all_seeds_have_reached() -> None:
    run = measured_run((1, 2, 7))
    with run.alone():
        run.measure(2, [measured(10, 0.3)])
    assert curves(run)["rate against random"].episodes.tolist() == [10]
    with run.alone():
        run.measure(2, [])
    assert curves(run)["rate against random"].seeds == (1, 7)


@pytest.mark.parametrize(("scores", "needless"), [((0.0, 0.5), True), ((0.0, 0.4), False)])
def test_scores_are_told_only_where_they_are_not_plain_from_the_rates(
    scores: tuple[float, ...], needless: bool
) -> None:
    run = runs.create(replace(CONFIG, seeds=(1,)))
    rates = [measured(10, 0.5), measured(20, 0.75)]
    with run.alone():
        run.measure(1, rates + [measured(10 * i, score, "score against random") for i, score in enumerate(scores, 1)])
    assert ("score against random" in without_repeats(curves(run))) == (not needless)
    assert "score against random" in figures(run)


def test_numbers_of_episodes_are_short() -> None:
    wanted = {0: "0", 5: "5", 999: "999", 4338: "4.34k", 12_500: "12.5k", 99_960: "100k", 457_388: "457k"}
    wanted |= {999_999: "1000k", 1_250_000: "1.25M", 3_000_000: "3M", 10**9: "1G"}
    assert {number: count_text(number) for number in wanted} == wanted


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.2, 0.8, (0.2, 0.8)),
        (0.5, 0.51, (0.48, 0.53)),
        (0.99, 1.0, (0.95, 1.0)),
        (0.0, 0.01, (0.0, 0.05)),
    ],
)
def test_the_axis_of_a_rate_spans_five_points_that_are_possible(
    low: float, high: float, wanted: tuple[float, float]
) -> None:
    assert spanned(low, high) == pytest.approx(wanted)


def test_one_measurement_is_drawn_with_its_interval_and_the_legend_lies_below_the_panels(tmp_path: Path) -> None:
    one, two = measured_run((1,)), measured_run((1, 2, 7))
    with one.alone():
        one.measure(1, [measured(10, 0.2)])
    curve_plot([one, two], "both", tmp_path / "both.svg")
    drawn = (tmp_path / "both.svg").read_text()
    for label in ("one seed; bars: 95 % interval", "mean of 3 seeds; thin: each seed"):
        assert drawn.count(label) == 1
    assert 'id="legend_1"' in drawn
    assert 'id="legend_2"' not in drawn


def test_curves_are_drawn_for_one_run_and_for_several(tmp_path: Path) -> None:
    one, two = measured_run((1,)), measured_run((1, 2, 7))
    for number, shown in enumerate([[one], [two], [one, two]]):
        curve_plot(shown, "$title_{}", tmp_path / f"{number}.png")
        assert (tmp_path / f"{number}.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(BadInput, match="Nothing has been measured"):
        curve_plot([runs.create(CONFIG)], "", tmp_path / "none.png")

"""Training: whatever stops it, however it is cut, measured or spread over threads, it ends the same."""

from __future__ import annotations

import _thread
import functools
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

import fake_learner
import spielwerk as sw
from fake_learner import FakeLearner, Spielwerk
from signals import hear_all
from spielwerk.agents.registry import agent
from spielwerk.arena.measurement import Measurement
from spielwerk.arena.records.store import Store
from spielwerk.commands.shared.train_progress import Bars
from spielwerk.learn import checkpoint, runs
from spielwerk.learn.config import EvaluationConfig, RunConfig
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.learner import Stop
from spielwerk.learn.training import Training
from spielwerk.names import BadInput

FAKE = Path(fake_learner.__file__)
Files = dict[str, bytes]
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


class Watcher:
    """Asks the training to stop after some chunks were learned."""

    def __init__(self, chunks: int) -> None:
        self.left = chunks
        self.training: Training | None = None

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """Counts a chunk, unless nothing was left to learn."""
        self.left -= per_second > 0
        if self.left <= 0 and self.training:
            self.training.stop.set()

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """Does not matter here."""


def config(episodes: int = 60, every: int = 20, seeds: tuple[int, ...] = (1, 2), pause: float = 0.0) -> RunConfig:
    settings = {"episodes": episodes, "cells": 8, "pause": pause}
    evaluation = EvaluationConfig(("random:games=20",), every=every, decisions=20)
    return RunConfig("fake", "nim", settings, seeds, evaluation, sw.__version__, "2025-01-02T03:04:05+00:00")


@functools.cache
def evaluator_of(game: str, evaluation: EvaluationConfig) -> Evaluator:
    evaluator = Evaluator(sw.game(game), evaluation, agent)
    evaluator.ready()
    return evaluator


def train(run: runs.Run, chunks: int = 1_000_000, threads: int = 2) -> bool:
    watcher = Watcher(chunks)
    evaluator = evaluator_of(run.config.game, run.config.evaluation)
    watcher.training = Training(run, evaluator, watcher, threads, save_every=0.01)
    return watcher.training.go()


def files(run: runs.Run) -> Files:
    """All that a run has learned and measured, but for the log of metrics, which says how long that took."""
    found = [path for path in run.folder.glob("seed-*/*") if path.name != "metrics.jsonl"]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in found}


def uninterrupted(made: RunConfig) -> Files:
    run = runs.create(made)
    assert train(run)
    return files(run)


def test_every_seed_learns_all_its_episodes_and_is_measured_at_its_intervals() -> None:
    run = runs.create(config(60, 25))
    assert train(run)
    for seed in (1, 2):
        assert runs.checkpoint(run.name, seed)["counts"].tolist() == fake_learner.counted(seed, 60)
        found = run.measurements(seed)
        assert [one.episode for one in found if one.what == "rate against random"] == [0, 3, 6, 12, 25, 50, 60]
        assert {one.what for one in found} >= {"rate against random", "score against random", "regret", "best class"}
        assert all(one.low <= one.value <= one.high and one.games == 20 for one in found)
    with Store() as store:
        assert store.measurements(run.name) == {seed: run.measurements(seed) for seed in (1, 2)}


@pytest.mark.parametrize("chunks", [1, 2, 3, 5])
def test_a_resumed_run_equals_an_uninterrupted_one(chunks: int) -> None:
    made = config(30, 10)
    run = runs.create(made)
    sessions = 1
    while not train(run, chunks):
        sessions += 1
    assert sessions > 1
    assert files(run) == uninterrupted(made)


def test_neither_threads_nor_evaluations_change_what_is_learned() -> None:
    found = []
    for every, threads, seeds in ((5, 1, (3, 4)), (60, 2, (4, 3)), (1000, 3, (3, 4, 5))):
        run = runs.create(config(100, every, seeds))
        assert train(run, threads=threads)
        found.append({seed: run.checkpoint_file(seed).read_bytes() for seed in (3, 4)})
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("cores", "seeds", "each"), [(4, (1, 2), 2), (5, (1, 2), 2), (2, (1, 2, 3), 1), (3, (7,), 3), (1, (1, 2), 1)]
)
def test_seeds_share_the_cores(cores: int, seeds: tuple[int, ...], each: int, monkeypatch: pytest.MonkeyPatch) -> None:
    given, learn = {}, FakeLearner.learn

    def watched(learner: FakeLearner, episodes: int, stop: Stop) -> None:
        given[learner.seed] = learner.threads
        learn(learner, episodes, stop)

    monkeypatch.setattr(FakeLearner, "learn", watched)
    assert train(runs.create(config(10, 10, seeds)), threads=cores)
    assert given == dict.fromkeys(seeds, each)


def test_a_measurement_is_the_same_however_often_others_are_taken() -> None:
    often, seldom = (runs.create(config(60, every, (1,))) for every in (10, 30))
    assert train(often)
    assert train(seldom)
    both = [{one for one in run.measurements(1) if one.episode in (0, 30, 60)} for run in (seldom, often)]
    assert both[0] == both[1] != set()
    plain = config(60, 30, (1,))
    old = runs.create(replace(plain, evaluation=replace(plain.evaluation, early=0)))  # as before there were early ones
    assert train(old)
    assert old.measurements(1) == [one for one in seldom.measurements(1) if one.episode in (30, 60)]


def test_measurements_newer_than_the_checkpoint_are_taken_again() -> None:
    made = config(seeds=(1,))
    run = runs.create(made)
    train(run, 3)
    kept = run.episode(1)
    assert 0 < kept < 60
    late = Measurement(kept + 1, "rate against random", 0.0, 0.0, 0.0, 1)
    run.measure(1, [*run.measurements(1), late])
    assert train(run)
    assert files(run) == uninterrupted(made)


def test_a_damaged_or_foreign_checkpoint_is_not_gone_on_with() -> None:
    run = runs.create(config(seeds=(1,)))
    train(run, 3)
    path = run.checkpoint_file(1)
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(BadInput, match="damaged"):
        train(run)
    for changed in ({"settings": "{}"}, {"game": "othello"}):
        path.write_bytes(data)
        found = checkpoint.read(path)
        checkpoint.write(path, dict(found), found.metadata | changed)
        before = files(run)
        with pytest.raises(BadInput, match=next(iter(changed))):
            train(run)
        assert files(run) == before


def test_a_checkpoint_that_knows_fewer_settings_is_gone_on_with_and_a_changed_one_is_named() -> None:
    run = runs.create(config(seeds=(1,)))
    train(run, 3)
    path = run.checkpoint_file(1)
    found = checkpoint.read(path)
    older = {"episodes": 60, "cells": 8}  # pause came later; its default is what the run has
    checkpoint.write(path, dict(found), found.metadata | {"settings": json.dumps({**older, "cells": 9})})
    with pytest.raises(BadInput, match=r"was made with cells=9, but .*run\.toml says otherwise"):
        train(run)
    for settings in ('{"colour": 1}', "[", "3", '{"cells": "many"}'):
        checkpoint.write(path, dict(found), found.metadata | {"settings": settings})
        with pytest.raises(BadInput):
            train(run)
    checkpoint.write(path, dict(found), found.metadata | {"settings": json.dumps(older)})
    assert train(run)
    assert files(run) == uninterrupted(run.config)


def test_a_resumed_run_needs_no_disk_for_the_checkpoints_that_are_there(
    spielwerk: Spielwerk, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"episodes": 60, "cells": 125_000, "pause": 0.0}
    run = runs.create(replace(config(), settings=settings), "one")
    train(run, 2, threads=1)
    kept, size = run.kept(), 8 * 125_000
    assert size < kept < 1.1 * size  # that of one seed
    for free, code in ((1.95 * size, 2), (2.1 * size, 0)):  # the other, and room to write one beside it
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: SimpleNamespace(free=int(free)))
        found, _, error = spielwerk("runs", "resume", "one", "--threads", "1")
        assert (found, "of disk" in error) == (code, code == 2)


@pytest.mark.parametrize(("width", "shown"), [(100, True), (200, True), (80, False)])
def test_the_bars_show_the_figures_of_the_learners_where_there_is_room(
    width: int, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    bars = Bars(runs.create(config(5_000_000, seeds=(1, 2))))
    found = (Measurement(5, "rate against random", 0.912, 0, 1, 1), Measurement(5, "regret", 0.0061, 0, 1, 1))
    for seed in (1, 2):
        figures = {"alpha": 0.01234, "epsilon": 0.2171, "error": 0.03456, "turns": 12.5}
        bars.learned(seed, 1_000_000, 123_456.7, figures)
        bars.measured(seed, found)
    drawn = io.StringIO()
    Console(file=drawn, width=width).print(bars.progress.get_renderable())
    lines = drawn.getvalue().splitlines()
    assert len(lines) == 2
    for line in lines:
        assert ("α 0.012 ε 0.22 δ 0.035" in line, "turns" in line) == (shown, False)
        assert "123,457/s" in line
        assert "random 91.2 % · regret 0.0061" in line
        assert line.rstrip().endswith("-:--:--")


def command(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = os.environ | {"SPIELWERK_HOME": str(home)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, str(FAKE), *arguments], env=environment, preexec_fn=hear_all, **pipes)


def await_progress(process: subprocess.Popen[str], more: int) -> None:
    """Waits until every seed has a checkpoint that is so many episodes further than now."""

    def episodes() -> list[int]:
        return [run.episode(seed) for run in map(runs.open_run, runs.names_of_runs()) for seed in run.config.seeds]

    before = min(episodes(), default=0)
    while min(episodes(), default=0) < before + more:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_a_run_killed_again_and_again_ends_like_one_that_was_not(home: Path) -> None:
    words = ("episodes=900", "pause=0.002", "--every", "150", "--seeds", "2", "--games", "20", "--decisions", "20")
    options = ("--save-every", "0.1")
    process = command(home, "train", "fake", "nim", *words, *options, "--name", "one")
    for _ in range(2):
        await_progress(process, 200)
        process.kill()
        process.communicate()
        process = command(home, "runs", "resume", "one", *options)
    out, error = process.communicate()
    assert process.returncode == 0
    said = re.findall(r"^seed (1|2), episode (\d+) of 900: random \d+\.\d %, regret \d\.\d{4}$", error, re.M)
    assert len(said) == len(error.splitlines()) == len(set(said))  # each evaluation once, none that was before
    assert {("1", "900"), ("2", "900")} <= set(said) < {(seed, str(at)) for seed in "12" for at in range(150, 901, 150)}
    assert "rate against random" in out
    run = runs.open_run("one")
    assert files(run) == uninterrupted(run.config)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_ends_a_run_writes_a_checkpoint_and_says_how_to_resume(sent: signal.Signals, home: Path) -> None:
    process = command(home, "train", "fake", "nim", "episodes=100000", "pause=0.002", "--name", "one", "--early", "0")
    while not (runs.home() / "one" / "seed-1").exists():  # no evaluation, and so no checkpoint, comes for a while
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(sent)
    out, error = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert error == "Stopped. What was learned is kept; to resume: spielwerk runs resume one\n"
    run = runs.open_run("one")
    assert 0 < run.episode(1) < 10_000
    assert runs.checkpoint("one")["counts"].tolist() == fake_learner.counted(1, run.episode(1))
    assert not list(run.folder.rglob("*.part"))


class Interrupter:
    """Presses Ctrl-C, once, as soon as something was learned."""

    pressed = False

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """Ends it."""
        if not self.pressed:
            _thread.interrupt_main()
        self.pressed = True

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """Does not matter here."""


def test_ctrl_c_raises_in_a_script_once_what_was_learned_is_saved() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job may ignore
    try:
        with pytest.raises(KeyboardInterrupt, match=r'What was learned is kept; to resume: sw.resume\("one"\)'):
            sw.train("fake", "nim", name="one", episodes=300, pause=0.01, callback=Interrupter())
    finally:
        signal.signal(signal.SIGINT, before)
    run = runs.open_run("one")
    assert 0 < run.episode(1) < 300
    assert not sw.run("one").finished
    assert sw.resume("one").finished
    assert runs.checkpoint("one")["counts"].tolist() == fake_learner.counted(1, 300)


def test_a_run_of_which_nothing_is_known_yet_has_no_picture() -> None:
    name = runs.create(config()).name
    assert sw.run(name)._repr_svg_() is None
    with pytest.raises(BadInput, match=f"Nothing has been measured yet for {name}"):
        sw.run(name).plot()


def test_seeds_of_a_file_count_unless_others_are_given(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("episodes = 4\n[evaluation]\ngames = 2\ndecisions = 2\n[run]\nseeds = [4, 6]\n")
    assert sw.train("fake", "nim", file=file).run.config.seeds == (4, 6)
    assert sw.train("fake", "nim", file=file, seeds=2).run.config.seeds == (1, 2)
    assert sw.train("fake", "nim", file=file, seeds=[7]).run.config.seeds == (7,)


def test_train_prints_the_figures_and_the_commands_about_runs_agree(spielwerk: Spielwerk, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        'episodes = 40\n[evaluation]\nopponents = ["random"]\ngames = 30\nseed = 5\n[run]\nseeds = [4, 6]\n'
    )
    arguments = ("train", "fake", "nim", "cells=3", "--settings", str(file), "--decisions", "10")
    code, out, error = spielwerk(*arguments, "--json")
    facts = json.loads(out)
    assert (code, facts["run"], facts["finished"]) == (0, "fake-nim-1", True)
    assert len(error.splitlines()) == 26  # ten evaluations of each seed, two early ones, and one before it learns
    assert (facts["settings"], facts["seeds"]) == ({"episodes": 40, "cells": 3, "pause": 0.0}, [4, 6])
    assert facts["evaluation"]["opponents"] == ["random:games=30"]
    assert (facts["evaluation"]["seed"], facts["evaluation"]["decisions"]) == (5, 10)
    assert facts["done"] == {"4": 40, "6": 40}
    rate = facts["figures"]["rate against random"]
    assert rate["value"] == pytest.approx(np.mean(list(rate["seeds"].values())))
    shown = json.loads(spielwerk("runs", "show", "fake-nim-1", "--json")[1])
    measured, run = shown.pop("measurements"), runs.open_run("fake-nim-1")
    assert shown.pop("metrics") == [{"seed": seed, **line} for seed in (4, 6) for line in run.metrics(seed)]
    assert shown == facts
    assert measured == [{"seed": seed, **one.facts()} for seed in (4, 6) for one in run.measurements(seed)]
    assert json.loads(spielwerk("runs", "--json")[1])["runs"][0]["figures"] == facts["figures"]
    assert Path(facts["curves"]).read_bytes()[:4] == b"\x89PNG"
    again = Path(facts["folder"]) / "run.toml"
    code, out, _ = spielwerk("train", "fake", "nim", "--settings", str(again), "--name", "again")
    assert (code, "rate against random" in out) == (0, True)
    assert files(runs.open_run("again")) == files(runs.open_run("fake-nim-1"))
    for options in ((), ("--plot", str(tmp_path / "both.svg"))):
        assert not list(tmp_path.rglob("*both*")) + list(runs.home().glob("*.png"))
        code, out, _ = spielwerk("runs", "compare", "again", "fake-nim-1", *options)
        assert (code, "again" in out, "both.svg shows the curves" in out) == (0, True, bool(options))
    assert (tmp_path / "both.svg").exists()
    assert "fake-nim-1" in spielwerk("runs", "list")[1]
    assert "40" in spielwerk("runs", "show", "again")[1]


def test_training_ends_with_the_command_to_play_against_what_was_learned(spielwerk: Spielwerk) -> None:
    few = ("episodes=2", "--games", "2", "--grade", "no", "--name", "one")
    command = "To play against it: spielwerk play nim:stacks=2-3 --against fake:one"
    assert spielwerk("train", "fake", "nim:stacks=2-3", *few)[1].splitlines()[-1] == command
    assert spielwerk("runs", "resume", "one", "--episodes", "3")[1].splitlines()[-1] == command
    code, out, _ = spielwerk("play", *command.split("play ")[2].split(), typed="quit\n")
    assert (code, "nim:stacks=2-3" in out) == (0, True)


def test_a_run_that_was_measured_only_before_it_learned_is_shown(spielwerk: Spielwerk) -> None:
    run = runs.create(config(), "one")
    with run.alone():
        for seed in (1, 2):
            run.measure(seed, [Measurement(0, "rate against random", 0.5, 0.4, 0.6, 10)])
    code, out, error = spielwerk("runs", "show", "one")
    assert (code, error, "50.0 %" in out) == (0, "", True)
    assert spielwerk("runs")[0] == 0


def test_a_run_is_deleted_only_after_a_yes(spielwerk: Spielwerk) -> None:
    assert spielwerk("train", "fake", "nim", "episodes=2", "--games", "2", "--grade", "no", "--name", "one")[0] == 0
    code, out, error = spielwerk("runs", "delete", "one", typed="n\n")
    assert (code, out.strip(), error.endswith("Kept.\n")) == (1, "", True)
    code, out, error = spielwerk("runs", "delete", "one")  # nobody answers
    assert (code, out.strip(), error.endswith("\nNot deleted; --yes does not ask.\n")) == (1, "", True)
    assert runs.names_of_runs() == ["one"]
    assert spielwerk("runs", "delete", "one", typed="y\n")[0] == 0
    assert (runs.names_of_runs(), spielwerk("runs", "list")[0]) == ([], 0)
    assert spielwerk("runs", "delete", "one", "--yes")[0] == 2


def test_a_finished_run_and_a_name_in_use_are_refused_with_what_to_do(spielwerk: Spielwerk) -> None:
    arguments = ("train", "fake", "nim", "episodes=2", "--games", "2", "--grade", "no", "--name", "one")
    assert spielwerk(*arguments)[0] == 0
    code, _, error = spielwerk(*arguments)
    assert (code, "spielwerk runs resume one" in error) == (2, True)
    code, _, error = spielwerk("runs", "resume", "one")
    extend = "to extend it: spielwerk runs resume one --episodes 4"
    assert (code, error) == (2, f"The run one is finished, with 2 episodes; {extend}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "magic", "nim"),
        ("train", "fake", "chess"),
        ("train", "fake", "nim", "episodes=0"),
        ("train", "fake", "nim", "episodes=many"),
        ("train", "fake", "nim", "episode=5"),
        ("train", "fake", "nim", "episodes"),
        ("train", "fake", "nim", "cells=1", "cells=2"),
        ("train", "fake", "nim", "--seeds", "none"),
        ("train", "fake", "nim", "--name", "a/b"),
        ("train", "fake", "nim", "--evaluate", "nobody"),
        ("train", "fake", "nim", "--evaluate", "random", "--evaluate", "random"),
        ("train", "fake", "nim", "--evaluate", "random:games=-1"),
        ("train", "fake", "nim", "--starts", "everywhere"),
        ("train", "fake", "nim", "--starts", "random:5000"),
        ("train", "fake", "nim", "--starts", "random:8"),
        ("train", "fake", "nim", "--seating", "mixed up"),
        ("train", "fake", "nim", "--settings", "nowhere.toml"),
        ("train", "fake", "einstein:players=4,board=4", "--grade", "yes"),
        ("train", "fake", "nim", "--threads", "0"),
        ("runs", "resume", "nothing"),
        ("runs", "show", "../home"),
        ("runs", "compare", "one"),
        ("runs", "compare", "one", "one"),
    ],
)
def test_bad_input_is_a_sentence_and_leaves_no_run(spielwerk: Spielwerk, arguments: tuple[str, ...]) -> None:
    code, out, error = spielwerk(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"[^\n]+[.?]\n", error)
    assert runs.names_of_runs() == []


def test_each_measurement_is_shown_as_the_mean_of_the_seeds(spielwerk: Spielwerk) -> None:
    run = runs.create(config(60, 25), "one")
    assert train(run)
    lines = [line.split() for line in spielwerk("runs", "show", "one")[1].splitlines()]
    both = [one for seed in (1, 2) for one in run.measurements(seed) if one.what == "rate against random"]
    for episode in (25, 50, 60):
        mean = np.mean([one.value for one in both if one.episode == episode])
        assert [str(episode), f"{100 * mean:.1f}", "%"] in [line[:3] for line in lines]


def test_a_run_of_which_nothing_was_measured_is_shown_without_figures(spielwerk: Spielwerk) -> None:
    runs.create(config(seeds=(1, 2)), "one")
    code, out, error = spielwerk("runs", "show", "one")
    assert (code, error) == (0, "")
    assert out.startswith("one: fake in nim; nothing has been measured yet.\n2 seeds.\n")
    runs.create(config(seeds=(1, 2)), "two")
    assert spielwerk("runs", "compare", "one", "two") == (2, "", "Nothing has been measured yet for one, two.\n")


def test_runs_are_compared_with_how_far_they_are_and_what_differs(spielwerk: Spielwerk) -> None:
    short, long = runs.create(config(60), "short"), runs.create(config(90_000, seeds=(1,), pause=0.5), "long")
    for run, episode in ((short, 60), (long, 20)):
        with run.alone():
            for seed in run.config.seeds:
                run.measure(seed, [Measurement(episode, "rate against random", 0.5, 0.4, 0.6, 20)])
    lines = [line.split() for line in spielwerk("runs", "compare", "short", "long")[1].splitlines()]
    for wanted in (["episodes", "60", "20", "of", "90,000"], ["seeds", "2", "1"], ["pause", "0", "0.5"]):
        assert wanted in lines
    assert not [line for line in lines if line[:1] == ["cells"]]  # in which they agree


def test_runs_of_different_games_are_not_compared(spielwerk: Spielwerk) -> None:
    runs.create(config(), "one")
    runs.create(replace(config(), game="nim:stacks=1-2"), "two")
    code, out, error = spielwerk("runs", "compare", "one", "two")
    assert (code, out) == (2, "")
    assert error.endswith("one plays nim, two plays nim:stacks=1-2.\n")


def test_what_is_wrong_with_a_run_stands_below_the_table(spielwerk: Spielwerk) -> None:
    for name in ("one", "two"):
        runs.create(config(), name)
    file = runs.home() / "one" / "run.toml"
    file.write_text("")
    table, _, note = spielwerk("runs")[1].partition("\none: ")
    assert note == f"{file} does not describe a training run.\n"
    assert ("cannot be read" in table, str(file) in table, "two" in table) == (True, False, True)


@pytest.mark.parametrize(
    ("kind", "settings", "chunks"),
    [("td", {"episodes": 300}, 4), ("evolution", {"generations": 30, "population": 12}, 2)],
)
def test_a_real_learner_resumed_on_more_cores_equals_an_uninterrupted_one(
    kind: str, settings: dict[str, int], chunks: int
) -> None:
    from spielwerk.learn.registry import length_name, settings_of

    evaluation = EvaluationConfig(("random:games=50",), every=settings[length_name(kind)] // 3, decisions=50)
    made = RunConfig(kind, "nim", asdict(settings_of(kind, settings)), (1, 2), evaluation, sw.__version__, "2025")
    run = runs.create(made)
    sessions = 1
    while not train(run, chunks, threads=4):
        sessions += 1
    assert sessions > 1
    assert files(run) == uninterrupted(made)

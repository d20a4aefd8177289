"""The log of metrics, earlier checkpoints and devices: what a training keeps besides its last checkpoint."""

from __future__ import annotations

import functools
import itertools
import json
import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import fake_learner
import spielwerk as sw
from fake_learner import FakeLearner, Spielwerk
from spielwerk.agents.registry import agent
from spielwerk.learn import registry, runs
from spielwerk.learn.config import EvaluationConfig, RunConfig, keep_of, read_config
from spielwerk.learn.curves import metrics_drawn
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.metrics import LEAST, MOST, MetricsLog, read_metrics
from spielwerk.learn.training import Pace, Training
from spielwerk.names import BadInput

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


def config(episodes: int = 60, seeds: tuple[int, ...] = (1,), keep: int = 0, pause: float = 0.0) -> RunConfig:
    settings = {"episodes": episodes, "cells": 8, "pause": pause}
    evaluation = EvaluationConfig(("random:games=2",), every=episodes // 3, grade="no")
    return RunConfig("fake", "nim", settings, seeds, evaluation, sw.__version__, "2025", keep)


@functools.cache
def evaluator_of(evaluation: EvaluationConfig) -> Evaluator:
    evaluator = Evaluator(sw.game("nim"), evaluation, agent)
    evaluator.ready()
    return evaluator


def train(run: runs.Run, chunks: int = 1_000_000, device: str = "cpu", threads: int = 2) -> bool:
    callback = fake_learner.Stopping(chunks)
    evaluator = evaluator_of(run.config.evaluation)
    callback.training = Training(run, evaluator, callback, threads, 0.0, device)  # type: ignore[assignment]
    return callback.training.go()  # type: ignore[union-attr]


def test_every_line_of_the_log_says_episode_seconds_speed_and_figures() -> None:
    run = runs.create(config(60, (1, 2)))
    assert train(run)
    for seed in (1, 2):
        found = run.metrics(seed)
        assert found[-1]["episode"] == 60
        for line in found:
            assert list(line) == ["episode", "seconds", "speed", "highest"]
            assert line["highest"] == max(fake_learner.counted(seed, line["episode"]))
        assert [one["seconds"] for one in found] == sorted(one["seconds"] for one in found)


@pytest.mark.parametrize("chunks", [1, 2, 4])
def test_the_log_of_a_resumed_run_has_each_episode_once_and_goes_on_in_time(chunks: int) -> None:
    run = runs.create(config(pause=2 * LEAST))  # no chunk is too short for a line of its own
    times = 1
    while not train(run, chunks):
        times += 1
    assert times > 1
    episodes, seconds = zip(*((line["episode"], line["seconds"]) for line in run.metrics(1)), strict=True)
    assert sorted(set(episodes)) == list(episodes)
    assert sorted(seconds) == list(seconds)


def test_what_was_logged_after_the_checkpoint_is_taken_off_by_a_resume() -> None:
    run = runs.create(config())
    train(run, 2)
    kept, path = run.episode(1), run.metrics_file(1)
    before = run.metrics(1)
    late = {"episode": kept + 1, "seconds": 999.0, "speed": 1.0}
    path.write_text(path.read_text() + json.dumps(late) + '\n{"episode": 5')  # and a line that a kill cut short
    assert run.metrics(1) == [*before, late]
    assert train(run)
    assert run.metrics(1)[: len(before)] == before
    assert all(line["seconds"] < 999 for line in run.metrics(1))


@pytest.mark.parametrize("episodes", [1, 7, MOST, MOST + 1, 1_000_003])
def test_a_log_is_evenly_spread_and_never_long(episodes: int, tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "log", (episodes,))
    for episode in range(1, episodes + 1, max(1, episodes // 30_000)):
        log.learned(episode, 0.5, {"loss": 1 / 3, "nothing": float("nan"), "speed": 7.0})
    log.learned(episodes, 0.5, {"loss": 0.0})
    found = [line["episode"] for line in read_metrics(tmp_path / "log")]
    assert min(episodes, MOST) / 2 <= len(found) <= MOST
    apart = [after - before for before, after in itertools.pairwise(found)]
    assert max(apart, default=1) <= 2 * -(-episodes // MOST) + episodes // 30_000
    assert list(read_metrics(tmp_path / "log")[0]) == ["episode", "seconds", "speed", "loss"]


def test_the_speed_of_a_line_is_that_since_the_line_before_also_after_a_resume(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "log", (10 * MOST,))  # a line after every 10 episodes
    for episode, seconds in ((4, 1.0), (11, 2.0), (15, 1.0), (40, 1.0)):
        log.learned(episode, seconds, {"loss": 1 / 3})
    resumed = MetricsLog(tmp_path / "log", (10 * MOST,))
    resumed.cut(11)
    resumed.learned(31, 4.0, {"loss": 0.5})
    first = {"episode": 11, "seconds": 3.0, "speed": 3.66667, "loss": 0.333333}
    assert read_metrics(tmp_path / "log") == [first, {"episode": 31, "seconds": 7.0, "speed": 5.0, "loss": 0.5}]


@pytest.mark.parametrize("text", ["{\n", "[]\n", '{"episode": 1}\n', '{"episode": "1", "seconds": 1}\n', "\xff\n"])
def test_a_damaged_log_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "log").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInput, match=r"log is damaged\.$"):
        read_metrics(tmp_path / "log")


def test_metrics_are_drawn_beside_strength(spielwerk: Spielwerk, tmp_path: Path) -> None:
    for name, seeds in (("one", (1, 2)), ("two", (1,))):
        assert train(runs.create(config(60, seeds), name))
    path = tmp_path / "x.svg"
    for names in (("one",), ("one", "two")):
        assert spielwerk("runs", "curves", *names, "--plot", str(path)) == (0, f"{path} shows the curves.\n", "")
        drawn = re.findall(r"<!-- (.*?) -->", path.read_text())
        assert {"rate against random", "training: highest", "training: episodes a second"} <= set(drawn)
    assert spielwerk("runs", "curves", "one")[:2] == (0, f"{runs.open_run('one').curves} shows the curves.\n")
    assert spielwerk("runs", "curves", "one", "two")[0] == 2
    runs.create(config(), "none")
    assert spielwerk("runs", "curves", "none") == (2, "", "Nothing has been measured yet for none.\n")


def test_of_many_figures_the_first_ones_and_the_speed_are_drawn() -> None:
    line: dict[str, float] = dict.fromkeys(["episode", "seconds", "speed", "a", "b", "c", "d", "e"], 1.0)
    assert metrics_drawn([line, {"episode": 1, "f": 1.0}]) == ["a", "b", "c", "d", "f", "speed"]
    assert metrics_drawn([]) == []


def test_losses_of_the_training_are_drawn_first_and_always() -> None:
    line: dict[str, float] = dict.fromkeys(["episode", "speed", "a", "b", "c", "d", "value_loss", "TD error"], 1.0)
    assert metrics_drawn([line]) == ["value_loss", "TD error", "a", "b", "c", "d", "speed"]


@pytest.mark.parametrize(("episodes", "keep", "points"), [(60, 2, [20, 40]), (60, 0, []), (3, 9, [1, 2]), (1, 5, [])])
def test_earlier_checkpoints_are_evenly_spread(episodes: int, keep: int, points: list[int]) -> None:
    assert config(episodes, keep=keep).kept_at == points


@pytest.mark.parametrize("chunks", [1, 3, 1_000_000])
def test_earlier_checkpoints_are_the_same_however_often_a_run_is_stopped(chunks: int) -> None:
    run = runs.create(config(60, (1, 2), keep=3), "one")
    while not train(run, chunks):
        pass
    for seed in (1, 2):
        assert run.earlier(seed) == [15, 30, 45]
        for at in (15, 30, 45, 60):
            name = f"fake:one/{seed},at={at}"
            player = agent(name, "nim")
            assert (player.name, player.counts) == (name, fake_learner.counted(seed, at))  # type: ignore[attr-defined]
            kept = runs.checkpoint("one", seed, at)
            assert (kept.episode, set(kept) >= {"rng"}) == (at, at == 60)  # what plays needs only the weights
    assert agent("fake:one/2", "nim").counts == fake_learner.counted(2, 60)  # type: ignore[attr-defined]


def test_a_moment_that_was_not_kept_is_refused_with_those_that_were(spielwerk: Spielwerk) -> None:
    for name, keep in (("some", 2), ("none", 0)):
        assert train(runs.create(config(60, keep=keep), name))
    for name, there in (("some", "20, 40, 60."), ("none", "60; train --keep N keeps earlier ones.")):
        with pytest.raises(BadInput) as refusal:
            agent(f"fake:{name},at=30", "nim")
        assert str(refusal.value) == f"Seed 1 of the run {name} has no checkpoint at 30 episodes, only at: {there}"
    assert "Earlier checkpoints, to play with at=…: 20, 40." in spielwerk("runs", "show", "some")[1]
    with pytest.raises(BadInput, match="fake: at must be at least -1"):
        agent("fake:some,at=-2", "nim")
    with pytest.raises(BadInput, match="at=5 is for runs"):
        agent("td:at=5", "nim")


def test_the_champion_of_an_earlier_generation_plays_by_its_number(spielwerk: Spielwerk) -> None:
    words = ("generations=5", "population=4", "champion_games=1", "--games", "2", "--decisions", "2", "--name", "one")
    assert spielwerk("train", "evolution", "nim", *words)[0] == 0
    first, last = (agent(f"evolution:one,at={at}", "nim") for at in (0, 4))
    assert last.genome.weights.tolist() == agent("evolution:one", "nim").genome.weights.tolist()  # type: ignore
    assert first.name == "evolution:one,at=0"
    with pytest.raises(BadInput, match="There is no generation 5; the last one is 4"):
        agent("evolution:one,at=5", "nim")
    code, _, error = spielwerk("train", "evolution", "nim", *words[:3], "--keep", "2")
    assert (code, error.startswith("evolution needs no keep")) == (2, True)


def test_keep_is_an_option_a_line_of_a_file_and_part_of_the_run(spielwerk: Spielwerk, tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('episodes = 6\n[evaluation]\ngames = 2\ngrade = "no"\n[run]\nkeep = 2\n')
    words = ("train", "fake", "nim", "--settings", str(file), "--json")
    assert json.loads(spielwerk(*words)[1])["earlier"] == {"1": [2, 4]}
    assert json.loads(spielwerk(*words, "--keep", "1")[1])["earlier"] == {"1": [3]}
    assert read_config(runs.home() / "fake-nim-1" / "run.toml").keep == 2
    for given in ("-1", "1001"):
        code, _, error = spielwerk(*words, "--keep", given)
        said = f"The number of earlier checkpoints to keep must be 0 to 1000, not {given}.\n"
        assert (code, error) == (2, said)
    assert "keep is a setting of the run; write --keep 3" in spielwerk("train", "fake", "nim", "keep=3")[2]
    with pytest.raises(BadInput):
        keep_of("x")


def test_a_config_of_before_keeps_nothing() -> None:
    run = runs.create(config(), "one")
    path = run.folder / "run.toml"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith("keep")))
    assert runs.open_run("one").config == replace(run.config, keep=0)


def test_an_earlier_agent_is_exported(spielwerk: Spielwerk, tmp_path: Path) -> None:
    options = ("--games", "2", "--grade", "no", "--keep", "1", "--name", "one")
    assert spielwerk("train", "td", "nim", "episodes=20", *options)[0] == 0
    path = tmp_path / "early.safetensors"
    code, out, _ = spielwerk("runs", "export", "one", str(path), "--at", "10")
    assert (code, ", after 10 episodes." in out) == (0, True)
    early, exported = agent("td:one,at=10", "nim"), agent(f"td:{path}", "nim")
    weights = early.network.weights.tolist()  # type: ignore[attr-defined]
    assert exported.network.weights.tolist() == pytest.approx(weights, abs=1e-3)  # type: ignore[attr-defined]
    assert agent("td:one", "nim").network.weights.tolist() != pytest.approx(weights, abs=1e-3)  # type: ignore


@pytest.mark.parametrize(("device", "shares", "most"), [("cpu", False, 3), ("cuda", False, 1), ("cuda", True, 3)])
def test_seeds_that_share_a_gpu_learn_one_after_the_other(
    device: str, shares: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, met, lock, devices = set[int](), set[int](), threading.Lock(), set[str]()
    together = threading.Barrier(most)

    def begun(learner: FakeLearner, *_: object) -> None:
        with lock:
            busy.add(learner.seed)
            met.add(len(busy))
        devices.add(learner.device)
        together.wait(20)  # until as many are at it as can be
        learner.episode = 60
        together.wait(20)
        with lock:
            busy.discard(learner.seed)

    monkeypatch.setattr(FakeLearner, "learn", begun)
    monkeypatch.setattr(fake_learner, "FAKE", replace(fake_learner.FAKE, shares_gpu=shares))
    run = runs.create(replace(config(60, (1, 2, 3)), evaluation=EvaluationConfig(("random:games=2",), grade="no")))
    assert train(run, device=device, threads=3)
    assert (max(met), devices) == (most, {device})


def test_a_device_that_a_learner_cannot_use_is_refused(spielwerk: Spielwerk) -> None:
    for device, said in (
        ("cuda", "td learns on cuda with approximator=network; tables of n-tuples learn on the CPU."),
        ("tpu", "td learns on: cpu, cuda; not on tpu."),
    ):
        assert spielwerk("train", "td", "nim", "--device", device) == (2, "", f"{said}\n")
    assert runs.names_of_runs() == []


@pytest.mark.parametrize(("kind", "settings"), [("td", {"episodes": 5000}), ("evolution", {"generations": 8})])
def test_a_long_chunk_is_left_early_and_nothing_is_lost_by_it(kind: str, settings: dict[str, int]) -> None:
    chosen = registry.settings_of(kind, settings | ({"population": 4} if kind == "evolution" else {}))
    length = settings[registry.length_name(kind)]
    whole, parts = (registry.learner_of(kind, sw.game("nim"), chosen, 1) for _ in range(2))
    whole.learn(length)
    looks = iter([False, False, True])
    parts.learn(length, lambda: next(looks))
    assert 0 < parts.episode < length
    parts.learn(length - parts.episode)
    assert [array.tobytes() for array in parts.arrays().values()] == [one.tobytes() for one in whole.arrays().values()]


def test_the_pace_finds_chunks_of_the_length_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("spielwerk.learn.training.time.perf_counter", lambda: clock[0])
    learner, pace = FakeLearner(sw.game("nim"), fake_learner.Settings(), 1), Pace(wanted=0.5)

    def learn(episodes: int, stop: object) -> None:
        clock[0] += 0.01 * episodes
        learner.episode += episodes

    monkeypatch.setattr(learner, "learn", learn)
    chunks = []
    while learner.episode < 1000:
        before = learner.episode
        pace.learn(learner, 1000)
        chunks.append(learner.episode - before)
    assert chunks[:4] == [1, 4, 16, 49] or chunks[:4] == [1, 4, 16, 50]
    assert all(49 <= chunk <= 50 for chunk in chunks[3:-1])
    assert learner.episode == 1000
    assert pace.speed == pytest.approx(100)

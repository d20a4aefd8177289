"""Extending a run: it goes on at its last rates, and the part before stays as it was."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, replace

import pytest

import fake_learner
import spielwerk as sw
from fake_learner import Spielwerk
from spielwerk.agents.registry import agent
from spielwerk.learn import runs
from spielwerk.learn.config import EvaluationConfig, RunConfig, read_config
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.metrics import MOST, MetricsLog, read_metrics
from spielwerk.learn.registry import settings_of
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.learn.training import Training, new_learner
from spielwerk.names import BadInput

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched

SETTINGS = {"td": {"episodes": 40}, "evolution": {"generations": 3, "population": 10}, "fake": {"episodes": 40}}


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


def config(kind: str = "fake", extended: tuple[int, ...] = (), keep: int = 0) -> RunConfig:
    evaluation = EvaluationConfig(("random:games=4",), grade="no")
    settings = asdict(settings_of(kind, dict(SETTINGS[kind])))
    return RunConfig(kind, "nim", settings, (1, 2), evaluation, sw.__version__, "2025", keep, extended)


@functools.cache
def evaluator() -> Evaluator:
    made = Evaluator(sw.game("nim"), config().evaluation, agent)
    made.ready()
    return made


def train(run: runs.Run, chunks: int = 1_000_000) -> bool:
    watcher = fake_learner.Stopping(chunks)
    watcher.training = Training(run, evaluator(), watcher, 2, 0.0)  # type: ignore[assignment]
    return watcher.training.go()  # type: ignore[union-attr]


def files(run: runs.Run) -> dict[str, bytes]:
    found = [path for path in run.folder.glob("seed-*/*") if path.name != "metrics.jsonl"]
    return {str(path.relative_to(run.folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize("chunks", [2, 1_000_000])
def test_an_extended_run_equals_one_that_was_never_interrupted_and_its_first_part_stays(kind: str, chunks: int) -> None:
    keep = 0 if kind == "evolution" else 3
    run = runs.create(config(kind, keep=keep), "one")
    assert train(run)
    before, ends = {seed: run.measurements(seed) for seed in (1, 2)}, run.config.episodes
    earlier = {path: data for path, data in files(run).items() if "at-" in path}
    for length in (2 * ends + 1, 3 * ends):
        run = replace(run, config=run.config.longer(length))
        while not train(run, chunks):
            pass
    for seed in (1, 2):
        assert run.measurements(seed)[: len(before[seed])] == before[seed]
        assert run.episode(seed) == 3 * ends
    assert earlier.items() <= files(run).items()
    whole = runs.create(config(kind, (2 * ends + 1, 3 * ends), keep))
    assert train(whole)
    assert files(whole) == files(run)


def test_an_extension_keeps_checkpoints_at_the_same_intervals() -> None:
    made = config(keep=3)
    assert made.kept_at == [10, 20, 30]
    assert made.longer(65).kept_at == [10, 20, 30, 40, 50, 60]
    assert made.longer(65).longer(80).kept_at == [10, 20, 30, 40, 50, 60, 70]


def test_an_extension_is_learned_at_the_rates_with_which_the_training_ended() -> None:
    settings = Settings(episodes=50, alpha=0.4, alpha_end=0.02, epsilon=0.9, epsilon_end=0.25)
    learner = TdLearner(sw.game("nim:stacks=2-3"), settings, 1)
    learner.learn(50)
    ended = {name: learner.figures()[name] for name in ("alpha", "epsilon")}
    learner.learn(500)
    assert {name: learner.figures()[name] for name in ("alpha", "epsilon")} == ended
    assert ended == pytest.approx({"alpha": 0.02, "epsilon": 0.25})
    made = config("td", (200,))
    assert new_learner(made, 1).settings.episodes == 40  # the schedules are those of the plan


def test_an_extension_is_written_to_the_settings_of_the_run(spielwerk: Spielwerk) -> None:
    few = ("--games", "2", "--grade", "no", "--name", "one")
    assert spielwerk("train", "fake", "nim", "episodes=20", *few)[0] == 0
    code, out, _ = spielwerk("runs", "resume", "one", "--episodes", "30", "--json")
    assert (code, json.loads(out)["done"], json.loads(out)["extended"]) == (0, {"1": 30}, [30])
    file = runs.open_run("one").folder / "run.toml"
    assert (read_config(file).extended, "extended = [30]" in file.read_text()) == ((30,), True)
    assert read_config(file).settings["episodes"] == 20
    assert sw.resume("one", episodes=40).run.config.extended == (30, 40)
    assert "extended" in spielwerk("runs", "show", "one")[1]
    assert runs.checkpoint("one")["counts"].tolist() == fake_learner.counted(1, 40)
    code, _, _ = spielwerk("train", "--settings", str(file), "--name", "again")  # the whole of it at once
    assert (code, files(runs.open_run("again"))) == (0, files(runs.open_run("one")))


def test_a_run_that_was_stopped_can_be_extended_before_it_is_finished() -> None:
    run = runs.create(config(), "one")
    assert not train(run, 2)
    run = replace(run, config=run.config.longer(60))
    assert train(run)
    whole = runs.create(config(extended=(60,)))
    assert train(whole)
    assert files(whole) == files(run)


@pytest.mark.parametrize("length", [0, 20, 19, 10**30])
def test_a_length_that_is_not_more_or_not_possible_is_refused_and_nothing_is_written(length: int) -> None:
    sw.train("td", "nim", name="one", episodes=20, evaluation={"games": 2, "grade": "no"})
    before = (runs.open_run("one").folder / "run.toml").read_text()
    with pytest.raises(BadInput):
        sw.resume("one", episodes=length)
    assert (runs.open_run("one").folder / "run.toml").read_text() == before


@pytest.mark.parametrize("extended", ["[10]", "[50, 40]", '["x"]', "7", "[true]"])
def test_a_run_whose_extension_makes_no_sense_is_damaged(extended: str) -> None:
    run = runs.create(config(extended=(60,)), "one")
    file = run.folder / "run.toml"
    file.write_text(file.read_text().replace("[60]", extended))
    with pytest.raises(BadInput, match=r"run\.toml"):
        runs.open_run("one")


def test_the_log_of_an_extension_is_as_dense_as_before_and_never_long() -> None:
    path = runs.home()
    path.mkdir(parents=True)
    log = MetricsLog(path / "log", (10 * MOST, 20 * MOST, 220 * MOST))
    for episode in range(1, 220 * MOST + 1, 5):
        log.learned(episode, 0.1, {})
    found = [line["episode"] for line in read_metrics(path / "log")]
    for low, high in ((0, 10), (10, 20), (20, 220)):
        count = sum(low * MOST < one <= high * MOST for one in found)
        assert 0.9 * MOST <= count <= MOST + 1

"""The study of morris: arms differ in what they name, explosions are counted, and reports can be made."""

from __future__ import annotations

import itertools
import multiprocessing
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Any

import numpy as np
import pytest

from spielwerk.games.batch import Batch
from spielwerk.games.registry import game
from spielwerk.learn.learner import Exploded
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.learn.training import Stopped
from spielwerk.search.estimator import Estimate, Estimator
from spielwerk.studies.alphazero import arms as alphazero_arms
from spielwerk.studies.execution import execute
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import JobPool, distinct
from spielwerk.studies.morris import arms, graph, learners, parts, rows, smallest
from spielwerk.studies.morris.arms import AC, MORRIS, SIX
from spielwerk.studies.morris.recipes import RECIPES
from spielwerk.studies.morris.rows import Trained
from spielwerk.studies.recipe import Form, Recipe, spent
from spielwerk.studies.trainings import calibration, lanes, measures
from spielwerk.studies.trainings.clock import Clock
from spielwerk.studies.trainings.measures import RAW, SELFPLAY, VALUE, Measure
from spielwerk.studies.trainings.training import Arm
from test_match import members

FORMS = (Form(), Form(quick=True), Form(device="cpu"))
_, QUICK, CORES = FORMS
FORTY_MINUTES, FIVE_MINUTES = 40 * 60, 300
TINY = {"boards": 8, "minibatch": 16, "window": 4, "hidden": "8"}
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def nobody(share: float) -> None:
    """Watches nothing."""


def test_arms_differ_from_the_base_in_exactly_what_they_name() -> None:
    for form in FORMS:
        base = settings_of(AC, arms.base(form))
        names = set[str]()
        for changed in parts.changes(form):
            found = settings_of(AC, dict(parts.arm(changed, form).settings))
            differing = {name for name in vars(base) if getattr(found, name) != getattr(base, name)}
            assert differing == set(changed)
            names.add(arms.named(changed))
        assert len(names) == len(parts.changes(form))
        assert "shaped=mills:0.2 shaping=potential" in names


def test_every_technique_is_switched() -> None:
    switched = {name for changed in parts.changes(QUICK) for name in changed}
    techniques = ("entropy", "max_norm", "lam", "temperature", "epsilon", "greedy", "masked", "shaped", "shaping")
    assert {*techniques, "blind", "removals", "window", "symmetry", "pool", "clip", "starts"} < switched


def test_all_arms_have_the_same_time_and_seeds() -> None:
    for form in FORMS:
        jobs = parts.jobs(form)
        assert len({job.given["seconds"] for job in jobs}) == 1
        assert len(jobs) == len(parts.changes(form)) * parts.SEEDS[form.scale]
        assert {job.given["seed"] for job in jobs} == set(form.seeds(parts.SEEDS[form.scale]))


def tiny(**changed: Any) -> Arm:
    last = [Measure(VALUE, VALUE, 6), Measure(SELFPLAY, SELFPLAY, 200)]
    given = {"last": last, "along": [Measure(RAW, measures.GRADE, 6)], "points": (0.0, 1.0), "may_explode": True}
    settings = {**TINY, **changed.pop("settings", {})}
    return Arm(MORRIS, AC, settings, 0.1, **(given | changed))


def test_what_is_measured_aside_is_what_would_be_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes for a GPU, here beside a training on the CPU, which is the same each time."""
    pytest.importorskip("torch")
    last = [Measure(VALUE, VALUE, 6), Measure("match", measures.MATCH, 10, opponent="random", opening=4)]
    settings = {"settings": {**TINY, "temperature": False}, "last": last}
    ticks = "spielwerk.studies.trainings.clock.counting"
    monkeypatch.setattr(ticks, lambda learner: itertools.count(0, 0.02).__next__)
    here = tiny(**settings).job("cpu", 1).run(nobody)
    monkeypatch.setattr("spielwerk.studies.trainings.aside.ASIDE", ("cpu",))
    pulses: list[float] = []
    aside = tiny(**settings).job("cpu", 1).run(pulses.append)
    assert aside == here
    assert len(here["points"]) == 2
    assert pulses


def test_trainings_that_share_a_gpu_are_measured_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes, here of a CPU: what was never trained is the same, and two other processes have trained all of it."""
    pytest.importorskip("torch")
    alone = tiny().job("cpu", 1).run(nobody)
    for module in ("aside", "training"):
        monkeypatch.setattr(f"spielwerk.studies.trainings.{module}.ASIDE", ("cpu",))
    jobs = [tiny(lanes=2).job("cpu", seed) for seed in range(1, 7)]
    assert [(job.given["lanes"], job.lanes) for job in jobs] == [(2, 2)] * 6
    monkeypatch.setattr(lanes, "_open", dict[int, lanes.Lanes]())
    before, shares = set(multiprocessing.active_children()), list[float]()
    found = JobPool(6, shares.append).execute(jobs)
    (opened,) = lanes._open.values()
    assert opened.pool._processes.keys() <= {one.pid for one in set(multiprocessing.active_children()) - before}
    assert len(opened.pool._processes) == 2
    assert found[jobs[0]]["points"][0] == alone["points"][0]
    assert found[jobs[0]]["weights"] == alone["weights"]
    for job in jobs:
        assert [list(point["measured"]) for point in found[job]["points"]] == [[RAW], [RAW, VALUE, SELFPLAY]]
    assert shares
    lanes._close(opened)


def test_lanes_count_when_time_is_planned() -> None:
    jobs = [Job("any:one", {"number": number}, 30.0, alone=True, lanes=5) for number in range(10)]
    assert spent(jobs, 1) == spent(jobs, 16) == 60.0
    assert parts.jobs(Form())[0].lanes == parts.LANES
    assert parts.jobs(CORES)[0].lanes == 1


def test_a_lane_ends_when_the_study_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("spielwerk.studies.trainings.training.ASIDE", ("cpu",))
    before, begun = set(multiprocessing.active_children()), time.monotonic()

    def enough(share: float) -> None:
        if share and time.monotonic() - begun > 8:  # by then it learns
            raise Stopped

    with pytest.raises(Stopped):
        replace(tiny(lanes=2), seconds=3600.0).job("cpu", 1).run(enough)
    ending = set(multiprocessing.active_children()) - before
    assert ending
    for process in ending:
        process.join(60)
    assert not [process for process in ending if process.is_alive()]


LEADER = """
import sys
from spielwerk.studies.trainings import training

def told(share):
    if share:
        print("learns", flush=True)
        sys.stdin.read()

if __name__ == "__main__":
    training.ASIDE = ("cpu",)
    settings = {"boards": 8, "minibatch": 16, "window": 4, "hidden": "8"}
    training.Arm("morris", "actor-critic", settings, 3600.0, lanes=2).job("cpu", 1).run(told)
"""


def test_lanes_end_with_a_study_that_is_killed(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "leader.py").write_text(LEADER)
    command = [sys.executable, str(tmp_path / "leader.py")]
    leader = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, start_new_session=True)
    assert leader.stdout
    assert leader.stdout.readline() == "learns\n"
    assert len(members(leader.pid)) > 2  # the study, a tracker, a lane
    leader.kill()
    leader.communicate()
    deadline = time.monotonic() + 60
    while members(leader.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_on_a_gpu_matches_are_followed_along_the_training() -> None:
    job, elsewhere = parts.jobs(Form())[0], parts.jobs(Form(device="cpu"))[0]
    labels = [[one["label"] for one in found.given["along"]] for found in (job, elsewhere)]
    assert labels == [[RAW, "random", "alphabeta"], [RAW]]
    points = [{"games": 1, "measured": {RAW: {"best_class": 0.5}, "random": {"rate": rate}}} for rate in (0.6, 0.7)]
    found = Trained("one", [{"points": points}])
    assert found.followed("random")
    assert not found.followed("alphabeta")
    assert found.curve(8.0, (0.0, 1.0), "random").y.tolist() == [[0.6, 0.7]]


def test_an_arm_that_explodes_is_a_result_that_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = pytest.importorskip("spielwerk.learn.actor_critic.learner")
    whole = tiny().job("cpu", 1).run(nobody)
    monkeypatch.setattr(learner.ActorCriticLearner, "most_loss", -1e9)
    burst = tiny().job("cpu", 1).run(nobody)
    assert "the loss has grown" in burst["exploded"]
    assert [point["games"] for point in burst["points"]] == [0]
    with pytest.raises(Exploded):
        tiny(may_explode=False).job("cpu", 1).run(nobody)
    half, all_gone = Trained("half", [whole, burst]), Trained("gone", [burst, burst])
    share = rows.explosions(half)
    assert share.ours == 0.5
    assert share.interval is not None
    assert share.interval[0] < 0.5 < share.interval[1]
    found = rows.row("best class", half, rows.of_label(RAW), base=Trained("base", [whole, whole]))
    assert found.more["values"] == [whole["points"][-1]["measured"][RAW]["best_class"]]
    assert "1 of 2 exploded" in found.note
    assert rows.row("best class", all_gone, rows.of_label(RAW), base=half).ours is None


def test_differences_are_those_of_equal_seeds() -> None:
    def of(*values: float) -> list[Any]:
        return [{"points": [{"games": 1, "measured": {RAW: {"best_class": value}}}]} for value in values]

    base, arm = Trained("base", of(0.5, 0.6, 0.7)), Trained("arm", of(0.6, 0.7, 0.8))
    found = rows.row("x", arm, rows.of_label(RAW), base=base)
    assert found.more["difference"] == pytest.approx(0.1)
    assert found.more["difference_interval"] == pytest.approx([0.1, 0.1])
    assert "+10.0 points" in found.note
    assert rows.row("x", base, rows.of_label(RAW), base=base).more.get("difference") is None


def test_without_a_mask_illegal_choices_are_counted_and_with_it_there_are_none() -> None:
    pytest.importorskip("torch")
    for masked in (True, False):
        point = tiny(settings={"masked": masked}).job("cpu", 1).run(nobody)["points"][-1]
        found = point["measured"][SELFPLAY]
        assert found["moves"] >= 200
        assert (found["illegal"] == 0) == masked
        assert set(found["gains"]) == {"mills", "openings", "blocks", "places"}
        assert found["gains"]["places"] > 0


def test_calibration_errors_are_those_computed_by_hand() -> None:
    assert calibration.ece([0.95, 0.95], [True, True]) == pytest.approx(0.05)
    assert calibration.ece([0.62, 0.68, 0.25], [True, False, False]) == pytest.approx((abs(1.3 - 1) + 0.25) / 3)
    assert calibration.ece([1.0], [True]) == 0


class Leaning(Estimator):
    """Holds each action twice as likely as the one before it."""

    name, has_priors = "leaning", True

    def estimate(self, batch: Batch) -> Estimate:
        """Logits by number."""
        actions = self.game.constants["ACTIONS"]
        logits = np.tile(np.log(2.0) * np.arange(actions, dtype=np.float32), (len(batch), 1))
        return Estimate(np.zeros((len(batch), 2)), logits=logits)


def test_a_temperature_changes_how_sure_a_policy_is_and_never_its_turn() -> None:
    whole = game(MORRIS)
    start = whole.start()
    ends, sure = calibration.likeliest(Leaning(whole), [start], 1.0)
    same, flat = calibration.likeliest(Leaning(whole), [start], 1e-9)
    assert ends == same == [start.play(max(start.actions())).words]
    assert sure[0] == pytest.approx(1 / sum(0.5**k for k in range(24)), rel=1e-4)
    assert flat[0] == pytest.approx(1 / 24, rel=1e-4)


def test_networks_with_equal_weights_have_about_as_many() -> None:
    pytest.importorskip("torch")
    for form in FORMS:
        one, other, _ = (_weights(graph.arm(net, form)) for net in graph.nets(form))
        assert abs(one - other) < 0.02 * one


def _weights(arm: Arm) -> int:
    settings = settings_of(AC, {**arm.settings, "boards": 1})
    return sum(found.size for found in learner_of(AC, game(MORRIS), settings, 1).weights().values())


def test_a_transfer_begins_with_the_weights_of_six_mens_morris() -> None:
    pytest.importorskip("torch")
    net = {**TINY, "net": "graph", "filters": 4, "blocks": 1}
    net.pop("hidden")
    before = Arm(SIX, AC, net, 0.2)
    fresh, taken = (
        Arm(MORRIS, AC, net, 0.1, [Measure(VALUE, VALUE, 6)], points=(0.0,), before=first).job("cpu", 1).run(nobody)
        for first in (None, before)
    )
    assert fresh["points"][0]["games"] == taken["points"][0]["games"] == 0
    assert fresh["points"][0]["measured"] != taken["points"][0]["measured"]


@pytest.mark.parametrize("name", [learners.NTUPLE, learners.EVOLVED])
def test_learners_without_torch_are_trained_for_as_long(name: str) -> None:
    kind, settings = learners.settings(QUICK)[name]
    given = {**settings, "population": 4, "opponents": 1, "longest": 50} if name == learners.EVOLVED else settings
    points = Arm(MORRIS, kind, given, 0.3, points=(0.5, 1.0)).job("cpu", 1).run(nobody)["points"]
    assert 0 < points[0]["games"] < points[1]["games"]
    assert [point["seconds"] >= wanted for point, wanted in zip(points, (0.15, 0.3), strict=True)] == [True] * 2


def test_ten_minutes_have_settings_of_their_own_that_learners_take() -> None:
    quick, full = learners.arms(QUICK), learners.arms(Form())
    for name, arm in full.items():
        settings_of(arm.kind, dict(arm.settings))
        assert (arm.settings != quick[name].settings) == (name in (learners.AC, learners.AZ, learners.NETWORK))
    assert [name for name, arm in full.items() if "searched" in {one.label for one in arm.along}] == [learners.AZ]


def test_schedules_of_n_tuples_follow_the_time() -> None:
    learner = learner_of("td", game("nim:stacks=3-4"), settings_of("td", {"episodes": 10**12}), 1)
    watched = Clock(learner, 0.2, nobody)
    watched.learn(1.0)
    assert learner.figures()["alpha"] == pytest.approx(0.01, rel=0.2)  # that of the end


def test_smaller_networks_have_fewer_weights() -> None:
    pytest.importorskip("torch")
    sizes = [_weights(smallest.arm(net, QUICK)) for net in smallest.WIDTHS]
    assert sizes == sorted(sizes)
    assert [smallest.depth(net) for net in ("none", "4", "16-16", "64-64-64")] == [0, 1, 2, 3]


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes all trainings and measurements tiny."""
    for scale in (QUICK.scale, CORES.scale):
        for name, value in TINY.items():
            monkeypatch.setitem(arms.SIZES[scale], name, value)
        for settings in (alphazero_arms.PLAIN[scale], alphazero_arms.VALUES[scale]):
            for name in ("boards", "minibatch", "window"):
                monkeypatch.setitem(settings, name, TINY[name])
        monkeypatch.setitem(alphazero_arms.PLAIN[scale], "simulations", 2)
    for name in ("boards", "hidden"):
        monkeypatch.setitem(learners.TEN_MINUTES, name, TINY[name])
    chosen = [{}, {"max_norm": 0.0}, {"temperature": False}, {"masked": False}, {"shaped": "mills:0.2"}]
    for module, name, value in (
        (arms, "DECISIONS", (6, 6, 6)),
        (arms, "GAMES", (2, 2, 2)),
        (parts, "SECONDS", (0.1, 0.1, 0.1)),
        (parts, "POINTS", ((0.0, 1.0),) * 3),
        (parts, "MOVES", (64, 64, 64)),
        (parts, "changes", lambda form: chosen),
        (smallest, "SECONDS", (0.1, 0.1, 0.1)),
        (smallest, "NETS", (("none", "4", "4-4"),) * 3),
        (graph, "SECONDS", (0.1, 0.1, 0.1)),
        (graph, "BEFORE", (0.1, 0.1, 0.1)),
        (graph, "FURTHER", (0.1, 0.1, 0.1)),
        (graph, "GRAPHS", ({"net": "graph", "filters": 4, "blocks": 1},) * 3),
        (learners, "DECISIONS", (6, 6, 6)),
        (learners, "SIMULATIONS", 2),
        (learners, "SECONDS", (0.1, 0.1, 0.1)),
        (learners, "POINTS", ((0.5, 1.0),) * 3),
        (learners, "EVOLUTION", {"population": 4, "opponents": 1, "longest": 50, "decisions": 6}),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("form", [QUICK, CORES], ids=["quick", "two-cores"])
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_reports_are_made_of_every_training(recipe: Recipe, form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    small(monkeypatch)
    outcome = execute(recipe, form, None, 1, nobody)
    assert outcome.plots
    assert all(file.exists() for file in (outcome.file, *outcome.plots))
    for row in outcome.report.rows:
        assert row.interval is not None
        assert row.ours is not None
        assert row.interval[0] <= row.ours <= row.interval[1]


def test_quick_forms_take_minutes_and_all_full_ones_forty_of_a_gpu() -> None:
    for recipe in RECIPES:
        assert recipe.seconds(QUICK, 2) <= FIVE_MINUTES
    jobs = [job for recipe in RECIPES for job in recipe.jobs(Form()) if job.given["device"] == "cuda"]
    assert spent(distinct(jobs), 2) < FORTY_MINUTES


def test_without_a_gpu_learners_are_trained_on_two_cores_and_small_networks_on_one() -> None:
    for recipe in RECIPES:
        assert recipe.without_gpu
        jobs = recipe.jobs(Form(device="cpu"))
        cores = 2 if recipe.name == "morris/learners" else 1
        assert {(job.given["device"], job.given.get("threads", 1)) for job in jobs} == {("cpu", cores)}
        assert not {job.key for job in jobs} & {job.key for job in recipe.jobs(QUICK)}
        for job in jobs:
            settings_of(job.given["kind"], job.given["settings"])

"""The study of AlphaZero: equal time, orders that are right where the truth is known, reports that can be made."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from spielwerk.agents.alphazero import AlphaZero, AlphaZeroSettings
from spielwerk.agents.registry import agent
from spielwerk.games.batch import Batch
from spielwerk.games.registry import game
from spielwerk.kernel.random import stream
from spielwerk.learn.training import Stopped
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimate, Estimator
from spielwerk.search.trees.selection import GUMBEL
from spielwerk.solvers.estimator import OracleEstimator
from spielwerk.solvers.oracle import oracle, truth_after
from spielwerk.solvers.othello.solver import empty_cells
from spielwerk.studies.alphazero import arms, nets, selection, source, td, won
from spielwerk.studies.alphazero.arms import BACKGAMMON, EINSTEIN, MORRIS
from spielwerk.studies.alphazero.recipes import RECIPES
from spielwerk.studies.execution import execute
from spielwerk.studies.job_pool import distinct, missing
from spielwerk.studies.ranks import spearman, spearman_interval
from spielwerk.studies.recipe import Form, Recipe, spent
from spielwerk.studies.trainings import agreement, clock, measures, rows
from spielwerk.studies.trainings.clock import WARM, Clock
from spielwerk.studies.trainings.measures import GRADE, Measure, agent_for
from spielwerk.studies.trainings.training import Arm

FORMS = (Form(), Form(quick=True), Form(device="cpu"))
_, QUICK, CORES = FORMS
FORTY_MINUTES = 40 * 60
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


TRAININGS = tuple(recipe for recipe in RECIPES if recipe.name != "alphazero/won")  # it asks a network that is there


def nobody(share: float) -> None:
    """Watches nothing."""


def still() -> None:
    """Goes on."""


def test_every_recipe_has_jobs_in_all_forms() -> None:
    names = ("source", "heads", "selection", "nets", "td", "truth", "won")
    assert [recipe.name for recipe in RECIPES] == [f"alphazero/{name}" for name in names]
    for recipe in TRAININGS:
        assert all(job.alone and job.given["device"] == "cuda" for job in recipe.jobs(Form()))
        assert all(job.alone and job.given["device"] == "cpu" for job in recipe.jobs(QUICK))
        assert all(job.given["threads"] == 2 and job.given["device"] == "cpu" for job in recipe.jobs(CORES))
        assert recipe.without_gpu
        assert recipe.seconds(QUICK, 2) <= 300


def test_all_full_forms_together_take_less_than_forty_minutes_of_a_gpu() -> None:
    assert spent(distinct([job for recipe in RECIPES for job in recipe.jobs(Form())]), 2) < FORTY_MINUTES


def test_all_full_forms_together_take_an_hour_and_a_half_of_two_cores() -> None:
    assert spent(distinct([job for recipe in RECIPES for job in recipe.jobs(CORES)]), 2) <= 90 * 60


def test_arms_that_are_compared_have_the_same_time() -> None:
    for form in FORMS:
        for game_name in td.GAMES:
            assert len({arm.seconds for arm in td.arms(game_name, form).values()}) == 1
        assert len({job.given["seconds"] for job in RECIPES[1].jobs(form)}) == 1
        assert len({job.given["seconds"] for job in RECIPES[2].jobs(form)[:-1]}) == 1
        assert len({job.given["seconds"] for job in RECIPES[3].jobs(form)}) == 1


@dataclass(frozen=True)
class Planned:
    """The settings of a learner that only counts."""

    episodes: int


class Counting:
    """Plays a thousand games a window, each of which takes a second of a clock that it moves itself."""

    def __init__(self, now: list[float]) -> None:
        self.now, self.games, self.settings, self.shares = now, 0, Planned(10**12), list[float]()
        self.device, self.threads = "cpu", 1

    def learn(self, episodes: int, stop: Any) -> None:
        """Notes the share of the training that its schedules see in each window."""
        while not stop():
            self.shares.append(self.games / self.settings.episodes)
            self.now[0] += 1.0
            self.games += 1000


def test_schedules_follow_the_time_and_what_is_measured_in_between_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    times = SimpleNamespace(thread_time=lambda: now[0], perf_counter=lambda: 0.0)
    monkeypatch.setattr(clock, "time", times)
    learner = Counting(now)
    watched = Clock(cast("Any", learner), 20.0, nobody)
    for point in (0.0, 0.5, 1.0):
        watched.learn(point)
        now[0] += 1000.0  # of measuring
    assert watched.spent == 20.0
    assert learner.games == 1000 * (20 + WARM)
    assert learner.shares[WARM + 1 :] == pytest.approx([i / 20 for i in range(1, 20)], abs=1e-3)


def test_rank_correlations_are_those_computed_by_hand() -> None:
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)  # 1 - 6 Σd² / (n (n² - 1))
    assert spearman([3, 2, 1], [10, 20, 30]) == pytest.approx(-1)
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(3**0.5 / 2)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    low, high = spearman_interval(0.8, 100)
    assert -1 < low < 0.8 < high < 1


class Knowing(Estimator):
    """Holds an action the likelier the more it is worth in truth."""

    name, has_priors = "knowing", True

    def estimate(self, batch: Batch) -> Estimate:
        """Priors by the oracle; of values it knows nothing."""
        priors = list[float]()
        for position in batch.positions():
            found = [truth_after(oracle(self.game), position.play(a), position.mover) for a in position.actions()]
            weights = np.exp([truth.value for truth in found if truth])
            priors += list(weights / weights.sum())
        return Estimate(np.zeros((len(batch), 2)), np.array(priors, np.float32))


def test_positions_that_are_won_are_won_by_perfect_play_and_not_by_chance() -> None:
    rng, perfect = stream(1, "test"), agent("oracle", won.GAME)
    positions = [won.won_position(rng) for _ in range(6)]
    assert all(won.FEWEST <= empty_cells(position) <= won.MOST for position in positions)
    assert [won.played(position, perfect, perfect) for position in positions] == [1.0] * 6
    assert sum(won.played(position, agent("random", won.GAME), perfect) for position in positions) < 0


def test_won_positions_are_the_same_for_every_number_of_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(won, "POSITIONS", (500, 3))
    recipe = RECIPES[-1]
    outcome = execute(recipe, QUICK, None, 1, nobody)
    assert [row.name for row in outcome.report.rows] == ["the policy alone", "20 simulations"]
    assert all(row.interval and row.interval[0] <= (row.ours or 0) <= row.interval[1] for row in outcome.report.rows)
    first, other = (won.play(job.given, nobody)["empty"] for job in recipe.jobs(QUICK))
    assert first == other


def test_a_policy_that_knows_the_truth_agrees_with_it() -> None:
    found = agreement.policy_orders(Knowing(game(EINSTEIN)), measures.exam(EINSTEIN, 10), still)["orders"]
    assert found
    assert min(found) > 0.99


def test_exact_values_agree_with_exact_values() -> None:
    whole = game(BACKGAMMON)
    found = agreement.value_order(OracleEstimator(whole), measures.exam(BACKGAMMON, 4), 20)
    known, said = found["exact"]
    assert known == said
    assert len(set(known)) > 10
    assert not np.isnan(known).any()


def test_a_grade_names_what_each_decision_costs() -> None:
    perfect = measures.graded(agent("oracle", game(EINSTEIN)), 20, 1, still)
    assert perfect["regret"] == 0 == max(perfect["costs"])
    assert perfect["blind"] > 0
    other = measures.graded(agent("random", game(EINSTEIN)), 20, 1, still)
    assert np.mean(other["costs"]) == pytest.approx(other["regret"])
    assert rows.apart(perfect, other).startswith(f"{other['regret']:.4g}")


def tiny(kind: str = "alphazero", device: str = "cpu", **changed: Any) -> Arm:
    if kind == "td":
        settings = {"approximator": "network", "hidden": "8", "boards": 8, "minibatch": 16, "window": 4}
    else:
        settings = {"blocks": 1, "filters": 8, "boards": 8, "minibatch": 16, "window": 4, "simulations": 2}
    measure = [Measure("raw", GRADE, 10), Measure("searched", GRADE, 10, 4), Measure("depth", GRADE, 10, depth=2)]
    given = {"seconds": 0.3, "last": measure if kind == "td" else measure[:2], "along": measure[:1]}
    return Arm(EINSTEIN, kind, settings, points=(0.0, 0.5, 1.0), **(given | changed))


def test_values_count_in_searches_by_gumbel_as_they_did_in_training() -> None:
    pytest.importorskip("torch")
    from spielwerk.learn.alphazero.learner import AlphaZeroLearner
    from spielwerk.learn.alphazero.settings import Settings

    learner = AlphaZeroLearner(game(EINSTEIN), Settings(boards=8, blocks=1, filters=8, scale=3.0))
    searching = agent_for(learner, Measure("searched", GRADE, 10, 4, GUMBEL))
    assert cast(AlphaZero, searching).scale == 3
    assert AlphaZero(learner.game, AlphaZeroSettings(), learner._estimator()).scale == Settings.scale


@pytest.mark.parametrize("kind", ["alphazero", "td"])
def test_a_training_is_measured_at_its_points(kind: str) -> None:
    pytest.importorskip("torch")
    points = tiny(kind).job("cpu", 1).run(nobody)["points"]
    assert [len(point["measured"]) for point in points] == [1, 1, 3 if kind == "td" else 2]
    assert points[0]["games"] == points[0]["seconds"] == 0
    assert points[1]["games"] < points[2]["games"]
    assert [point["seconds"] >= wanted for point, wanted in zip(points, (0, 0.15, 0.3), strict=True)] == [True] * 3


def test_a_training_that_was_stopped_begins_again_and_counts_once() -> None:
    pytest.importorskip("torch")
    job = tiny().job("cpu", 1)

    def stop(share: float) -> None:
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        job.run(stop)
    assert missing([job]) == [job]
    assert job.run(nobody)["points"][0]["games"] == 0


def test_the_full_form_says_that_it_needs_a_gpu() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(BadInput, match="--quick"):
        tiny().job("cuda", 1).run(nobody)


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes all trainings and measurements tiny."""
    sizes = {"boards": 8, "minibatch": 16, "window": 2}
    for scale in (QUICK.scale, CORES.scale):
        for settings in (arms.PLAIN, arms.CONVOLVED, arms.COMPARED, arms.VALUES, arms.ON_BACKGAMMON):
            for name, value in sizes.items():
                monkeypatch.setitem(settings[scale], name, value)
        for settings in (arms.PLAIN, arms.CONVOLVED, arms.COMPARED):
            monkeypatch.setitem(settings[scale], "simulations", 2)
    monkeypatch.setitem(arms.CONVOLVED[CORES.scale], "blocks", 1)
    for name in (EINSTEIN, MORRIS, BACKGAMMON):
        monkeypatch.setitem(arms.SECONDS, name, (0.1, 0.1, 0.1))
        monkeypatch.setitem(arms.DECISIONS, name, (6, 6, 6))
        monkeypatch.setitem(arms.SIMULATIONS, name, 4)
    for module, name, value in (
        (arms, "POINTS", ((0.0, 1.0),) * 3),
        (source, "POINTS", ((0.0, 1.0),) * 3),
        (source, "SECONDS", (0.1, 0.1, 0.1)),
        (source, "DECISIONS", (6, 6, 6)),
        (source, "POSITIONS", (8, 8, 8)),
        (selection, "SECONDS", (0.1, 0.1, 0.1)),
        (selection, "PLAYING", (0.1, 0.1, 0.1)),
        (selection, "BOARDS", (8, 8, 8)),
        (selection, "COUNTS", (2, 4)),
        (nets, "SECONDS", (0.1, 0.1, 0.1)),
        (nets, "BOARDS", (8, 8, 8)),
        (nets, "MATCHES", (4, 4, 4)),
        (nets, "SIMULATIONS", 2),
        (nets, "OPPONENTS", ("random",) * 3),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("form", [QUICK, CORES], ids=["quick", "two-cores"])
@pytest.mark.parametrize("recipe", TRAININGS, ids=lambda recipe: recipe.name)
def test_reports_name_the_yardstick_and_the_games_of_every_training(
    recipe: Recipe, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    small(monkeypatch)
    outcome = execute(recipe, form, None, 1, nobody)
    assert outcome.plots
    assert all(file.exists() for file in (outcome.file, *outcome.plots))
    for row in outcome.report.rows:
        assert row.interval is not None
        assert row.ours is not None
        assert row.interval[0] <= row.ours <= row.interval[1]
        assert "trained" in row.note or recipe.name == "alphazero/source"
        assert row.more.get("figure") != rows.MEMG or row.more["judge"] in row.note


def test_trainings_are_shared_between_recipes() -> None:
    for form in FORMS:
        keys = {recipe.name: {job.key for job in recipe.jobs(form)} for recipe in RECIPES}
        assert keys["alphazero/truth"] < keys["alphazero/td"]
        assert keys["alphazero/heads"] < keys["alphazero/td"]

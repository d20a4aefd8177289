"""The study of nim: its settings are the source's, what it measures is what happened, and its reports can be made."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from typer.testing import CliRunner

from marks import slow
from nim_results import GAME, pretended, small
from spielwerk.agents.registry import agent
from spielwerk.cli import app
from spielwerk.games.registry import game
from spielwerk.kernel.random import stream
from spielwerk.learn.evolution.exams.competition import circle
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.learn.evolution.settings import Settings
from spielwerk.names import settings as settings_from
from spielwerk.studies import ranks
from spielwerk.studies.nim import arms, equal_games, one_hot, training
from spielwerk.studies.nim.left_open import effects, others
from spielwerk.studies.nim.recipes import RECIPES
from spielwerk.studies.nim.rows import genomes_rows
from spielwerk.studies.nim.settings import CROWDS
from spielwerk.studies.nim.source import experiments
from spielwerk.studies.plots import percent_axis
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import HEADS, SPARE, Report, Row, cells, heads
from spielwerk.studies.results import Results

FORMS = (Form(), Form(quick=True))
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def nobody(share: float) -> None:
    """Watches nothing."""


def test_the_experiments_have_the_published_settings() -> None:
    six = ("add_edge", "add_node", "set_weight", "set_bias", "shift_weight", "shift_bias")
    assert set(experiments.ARMS) == set(experiments.KEYS)
    for key, arm in experiments.ARMS.items():
        chosen = settings_from(Settings, "evolution", dict(arm.settings))
        assert (chosen.population, chosen.opponents, chosen.champion_games) == (100, 50, 50)
        assert (chosen.mutations_min, chosen.mutations_max, chosen.illegal) == (0, 1, "strict")
        assert [weight for weight in chosen.mutation_weights if weight] == [getattr(chosen, name) for name in six]
        first_two, direct = key in ("stack-2", "stack-8-1"), key == "stacks-1-8-2"
        assert chosen.exponent == (1 if first_two else 2)
        shares = 0 if first_two or key == "stack-8-2" else 0.15
        assert (chosen.best, chosen.old, chosen.new) == (shares,) * 3
        assert chosen.output == ("direct" if direct else "onehot")
        assert arm.game == {"stack-2": "nim:stacks=2"}.get(
            key, "nim:stacks=8" if key.startswith("stack-") else "nim:stacks=8,sizes=random"
        )


def test_every_setting_that_is_tried_differs_from_the_base_in_what_its_name_says() -> None:
    base, *others = (settings_from(Settings, "evolution", dict(arm.settings)) for arm in effects.arms())
    labels = [arm.label for arm in effects.arms()][1:]
    assert len(set(labels)) == len(labels) > 40
    for label, chosen in zip(labels, others, strict=True):
        named = {part.partition("=")[0] for part in label.split(", ")}
        differs = {name for name in vars(base) if getattr(base, name) != getattr(chosen, name)}
        assert differs == named


def test_populations_of_an_arm_have_seeds_of_their_own() -> None:
    full, quick = ([job.given["seed"] for job in experiments.jobs("stack-8-1", form)] for form in FORMS)
    assert len(set(full)) == 20
    assert quick == full[:5]


def test_perfection_is_found_where_it_begins_and_where_it_lasts() -> None:
    marks = np.zeros(40)
    assert training.when(marks) == {"perfect": None, "steady": None}
    marks[7] = 1
    marks[12:21] = 1  # nine are not enough
    assert training.when(marks) == {"perfect": 7, "steady": None}
    marks[25:] = 1
    assert training.when(marks) == {"perfect": 7, "steady": 25}
    assert training.when(np.ones(3)) == {"perfect": 0, "steady": None}


def test_a_population_that_stops_when_it_is_perfect_stops_where_the_whole_one_is_perfect_first() -> None:
    whole, stopped = (training.evolve(small(stop).given, nobody) for stop in (False, True))
    assert whole["generations"] == 25
    assert 0 < whole["perfect"] < 24
    assert stopped["generations"] == stopped["perfect"] + 1 == whole["perfect"] + 1
    assert stopped["last"]["positions"] == pytest.approx(1)


def test_what_is_measured_is_what_the_learner_recorded() -> None:
    given = small(False).given
    found = training.evolve(given, nobody)
    learner = training.made(given)
    learner.learn(25)
    marks = learner.history.column("positions")
    assert found["perfect"] == np.flatnonzero(marks > 1 - 1e-9)[0]
    assert found["top"] == marks.max()
    assert found["level"] == pytest.approx(marks.mean())
    assert found["layers"] == learner.champion().layer_sizes
    assert found["points"][-1] == 25
    begin, end = found["points"][-2:]
    assert found["curves"]["positions"][-1] == pytest.approx(marks[begin:end].mean())
    assert found["curves"]["wins"][0] is None  # no champion was before the first
    json.dumps(found, allow_nan=False)


def test_a_population_that_is_to_end_ends() -> None:
    class Enough(Exception):
        pass

    def stop(share: float) -> None:
        raise Enough

    given = small(False, generations=100_000, population=100, opponents=50).given
    with pytest.raises(Enough):
        training.evolve(given, stop)


@pytest.mark.parametrize(("population", "opponents"), [(20, 10), (21, 10), (20, 1)])
def test_games_are_counted_as_they_are_played(population: int, opponents: int) -> None:
    settings = Settings(population=population, opponents=opponents)
    rng = stream(1, "pairs")
    played = np.mean([2 * len(circle(population, opponents, rng)) for _ in range(2000)])
    assert training.games(settings, 7) / 7 == pytest.approx(played, rel=0.01)
    assert training.games(Settings(fitness="grade"), 7) == 0


def test_earlier_champions_are_met_as_soon_as_they_are_there() -> None:
    alone, hall = (training.games(Settings(population=20, opponents=5, hall=hall), 6) for hall in (0, 4))
    assert hall - alone == 2 * 20 * (0 + 1 + 2 + 3 + 4 + 4)


def test_the_source_s_easiest_experiment_is_perfect_by_generation_1() -> None:
    for job in experiments.jobs("stack-2", Form(quick=True)):
        given = {**job.given, "settings": {**job.given["settings"], "generations": 2}}
        assert training.evolve(given, nobody)["perfect"] <= 1


def test_one_hot_output_is_perfect_without_hidden_nodes() -> None:
    genome = one_hot.solution()
    genome.check()
    assert genome.hidden == 0
    scores = outputs_of(genome, np.arange(2.0, 9.0)[:, None])
    assert scores[:, 1:].argmax(axis=1).tolist() == [stack - 2 for stack in range(2, 9)]  # all but one match
    assert one_hot.grade({"game": experiments.ANY}, nobody) == {"positions": pytest.approx(1), "hidden": 0}


def test_the_interval_of_a_median_is_that_of_the_tables() -> None:
    assert ranks.median_interval(range(1, 21)) == (6, 15)
    assert ranks.median_interval(range(1, 11)) == (2, 9)
    assert ranks.median_interval([3, 1, 2, 6, 5, 4]) == (1, 6)
    assert ranks.median_interval([3, 1, 2]) == (1, 3)
    rng = np.random.default_rng(1)
    held = [
        low <= 0 <= high for low, high in (ranks.median_interval(rng.normal(size=20).tolist()) for _ in range(3000))
    ]
    assert 0.945 < np.mean(held) < 0.975


def test_the_chance_that_equal_samples_differ_so_much_is_that_of_all_ways_to_divide_them() -> None:
    first, second = [1, 2, 2, 5, 7, 11, 12], [3, 8, 9, 10, 13, 13, 14]
    values = np.array([*first, *second], float)
    order = {value: np.mean(np.flatnonzero(np.sort(values) == value)) for value in values}
    rank = np.array([order[value] for value in values])
    middle = rank.sum() / 2
    off = abs(rank[:7].sum() - middle)
    exact = np.mean([abs(rank[list(chosen)].sum() - middle) >= off - 1e-9 for chosen in combinations(range(14), 7)])
    assert ranks.mann_whitney(first, second) == pytest.approx(exact, abs=0.01)
    assert ranks.mann_whitney(first, second) == ranks.mann_whitney(second, first)
    assert ranks.mann_whitney([4, 4], [4, 4, 4]) == 1


def test_perfect_play_is_always_right_and_a_random_mover_is_not() -> None:
    for name in others.GAMES:
        variant = game(name)
        assert equal_games.graded(agent("oracle", variant), 300, 1, nobody) == pytest.approx((1, 0))
        right, loss = equal_games.graded(agent("random", variant), 300, 1, nobody)
        assert 0.1 < right < 0.8
        assert loss > 0.1


def test_evolution_plays_as_many_games_as_it_may() -> None:
    for name in others.GAMES:
        for budget in CROWDS:
            chosen = others.evolution_settings(name, budget)
            played = training.games(settings_from(Settings, "evolution", dict(chosen)), chosen["generations"])
            assert 0.9 * budget < played <= budget


@pytest.mark.parametrize("way", [equal_games.TD, *slow(equal_games.EVOLUTION, equal_games.NETWORK, equal_games.MCTS)])
def test_an_agent_is_measured_after_the_games_that_it_may_play(way: str) -> None:
    if way == equal_games.NETWORK:
        pytest.importorskip("torch")
    settings = others.settings_of("nim", way, 1000)
    found = equal_games.measure(equal_games.job("nim", way, settings, 1, 1000, (100, 40), 1.0).given, nobody)
    assert 900 < found["games"] <= 1000
    assert 0 <= found["right"] <= 1
    assert 0 <= found["loss"] <= 2
    assert found["rate"] > 0.4


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("form", FORMS, ids=("full", "quick"))
def test_every_report_can_be_made_from_results_of_the_right_shape(recipe: Recipe, form: Form) -> None:
    report = recipe.report(form, Results({job.key: pretended(job) for job in recipe.jobs(form)}))
    assert report.rows
    assert report.notes
    for row in report.rows:
        json.dumps(row.facts(), allow_nan=False)
        assert row.interval is None or row.ours is None or row.interval[0] <= row.ours <= row.interval[1]
    for draw in report.plots.values():
        assert draw().axes


def test_the_pretended_results_have_the_shape_of_real_ones() -> None:
    job = small(True)
    real = training.evolve(job.given, nobody)
    assert set(pretended(job)) <= set(real)
    assert set(real["late"]) == set(training.CURVES)
    assert {name: set(found) for name, found in real["spikes"].items()} == {
        name: set(found) for name, found in pretended(job)["spikes"].items()
    }
    assert {key for game in real["shown"] for key in game} == set(GAME)
    assert set(real["curves"]) == set(training.CURVES)
    assert set(real["last"]) == set(training.LASTING)


def test_half_of_the_populations_that_never_get_there_have_no_median() -> None:
    arm = arms.Arm("few", "nim:stacks=8", {}, 100)
    few, many = (arms.Runs(arm, tuple({"perfect": 10 if i < count else None} for i in range(20))) for count in (10, 11))
    assert few.median() is None
    assert few.median_interval() is None
    assert many.median() == 10
    assert many.median_interval() == (10, 100)
    assert many.count() == "11 of 20"
    assert many.quartiles() == "10 and over 100"


def test_a_course_of_the_best_forgets_nothing_and_ends_at_the_best_generation() -> None:
    arm = arms.Arm("anew", "nim:stacks=8", {"patience": 2}, 8)
    falls = {"points": [1, 2, 4, 8], "curves": {training.POSITIONS: [0.2, 0.8, 0.1, None]}, "top": 0.9}
    early = {"points": [1, 2], "curves": {training.POSITIONS: [0.3, 0.7]}, "top": 1.0}
    found = arms.Runs(arm, (falls, early)).best_course()
    assert found.x == [1, 2, 4, 8]
    assert found.y.tolist() == [[0.2, 0.8, 0.8, 0.9], [0.3, 1, 1, 1]]


def test_genomes_until_perfect_are_told_only_where_most_populations_get_there() -> None:
    arm = arms.Arm("some", "nim:stacks=8", {"population": 30}, 100)
    few, most = (arms.Runs(arm, tuple({"perfect": 9 if i < count else None} for i in range(4))) for count in (2, 3))
    assert genomes_rows(few) == []
    assert [row.ours for row in genomes_rows(most)] == [300]


def test_multi_stack_says_that_populations_start_over() -> None:
    recipe = next(recipe for recipe in RECIPES if recipe.name == "nim/multi-stack")
    for form in FORMS:
        results = Results({job.key: pretended(job) | {"perfect": None} for job in recipe.jobs(form)})
        found = recipe.report(form, results)
        assert any("starts over" in note for note in found.notes)
        assert not any("genomes graded" in row.name for row in found.rows)


def _others_report(loss: float) -> Report:
    recipe, form = others.RECIPES[0], Form(quick=True)
    figures = {"right": 0.973, "loss": loss, "rate": 0.5, "games": 1}
    return recipe.report(form, Results({job.key: figures for job in recipe.jobs(form)}))


def test_other_learners_have_one_row_for_each_number_of_games() -> None:
    rows = _others_report(8.299e-21).rows
    assert len(rows) == len({row.name for row in rows}) == 2 * (4 * 3 + 1)
    for row in rows:
        assert (row.ours, row.sd or 0, row.interval or (0, 0)) == (0, 0, (0, 0))
        assert row.note == "right 97.3 %, against random 50.0 %"
        facts = row.facts()
        assert (facts["right"]["mean"], facts["rate"]["mean"]) == (pytest.approx(0.973), 0.5)
    assert [cells(row)[4] for row in _others_report(4.938e-5).rows] == ["0.00005"] * len(rows)


def test_rates_of_other_learners_are_drawn_beside_perfect_play() -> None:
    for name, draw in _others_report(0.1).plots.items():
        (axes,) = draw().axes
        (perfect,) = (line for line in axes.lines if line.get_label() == "perfect play")
        level = 0.5 if name.startswith("rate") else 0.1
        assert perfect.get_linestyle() == "--"
        assert perfect.get_ydata() == pytest.approx([level] * 2)


@pytest.mark.parametrize(
    ("ticks", "expected"),
    [
        ([0.75, 0.775, 0.8, 0.825], ["75.0 %", "77.5 %", "80.0 %", "82.5 %"]),
        ([0, 0.2, 0.4, 0.6000000000000001], ["0 %", "20 %", "40 %", "60 %"]),
        ([0.99, 0.99125, 0.9925], ["99.000 %", "99.125 %", "99.250 %"]),
    ],
)
def test_percent_axes_have_as_many_digits_as_their_ticks_need(ticks: list[float], expected: list[str]) -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    axes.set_yticks(ticks)
    percent_axis(axes.yaxis)
    figure.draw_without_rendering()
    assert [label.get_text() for label in axes.get_yticklabels()] == expected


def test_deviations_are_called_published_only_where_some_are() -> None:
    ours, theirs = Row("a", None, 0.5, sd=0.1), Row("b", 0.5, 0.5, sd=0.1, published_sd=0.2)
    assert ">deviation" in heads([ours])
    assert heads([ours, theirs]) == HEADS
    assert all(head in SPARE[0] for rows in ([ours], [theirs]) for head in heads(rows) if "deviation" in head)


def test_the_quick_study_takes_minutes() -> None:
    jobs = {job.key: job for recipe in RECIPES for job in recipe.jobs(Form(quick=True))}
    assert sum(job.seconds for job in jobs.values()) / 2 < 10 * 60


def test_a_recipe_prints_published_and_reproduced_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arms, "SEEDS", (2, 2))
    done = CliRunner().invoke(app, ["study", "run", "nim/stack-2", "--quick", "--json", "--cores", "1"])
    facts = json.loads(done.stdout)
    assert done.exit_code == 0
    assert facts["rows"][0]["published"] == 1
    assert facts["rows"][0]["ours"] <= 1
    assert facts["rows"][2]["ours"] == 1
    assert [file.rpartition("quick-")[2] for file in facts["plots"]] == [
        *("course.png", "grades.png", "wins.png", "sizes.png", "turns.png", "games.png")
    ]

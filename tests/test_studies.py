"""Studies: the published figures are read right, measurements are kept, and recipes print both sides."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from damage import CAREFUL, damaged
from spielwerk.agents.registry import agent
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.cli import app
from spielwerk.commands.shared import output
from spielwerk.commands.study import TEXT
from spielwerk.games.registry import game
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput
from spielwerk.studies.device import form_asked_for, form_here
from spielwerk.studies.einstein import matches, replay_work
from spielwerk.studies.einstein.grids import luckiest
from spielwerk.studies.einstein.learning import curves, tuning
from spielwerk.studies.einstein.published import published, rate
from spielwerk.studies.einstein.replay import arms as replay_arms
from spielwerk.studies.einstein.replay import figures as replay
from spielwerk.studies.einstein.searches import tables
from spielwerk.studies.einstein.variants import DICE, VARIANTS
from spielwerk.studies.execution import execute
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import JobPool, missing
from spielwerk.studies.recipe import TWO_CORES, Form, Recipe
from spielwerk.studies.registry import recipe, recipes
from spielwerk.studies.report import HEADS, SPARE, Report, Row, cells
from spielwerk.studies.results import Results, keep, kept, path
from spielwerk.studies.sample import Sample

QUICK = Form(quick=True)
SEARCH_TABLES = [f"table-{number}" for number in range(3, 11)]
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["study", *words])
    problem = "" if done.exception is None or isinstance(done.exception, SystemExit) else str(done.exception)
    return done.exit_code, done.stdout, problem


def einstein_recipes() -> list[Recipe]:
    return [recipe for recipe in recipes().values() if recipe.name.startswith("einstein/")]


def small_job(agent: str = "random", games: int = 8) -> Job:
    return matches.match_job("einstein:board=3", "teams", (agent, "random"), QUICK, 2, games, 0.001)


def test_every_table_and_every_figure_with_data_has_a_recipe() -> None:
    tables = {f"einstein/table-{number}" for number in range(1, 17)}
    figures = {f"einstein/figure-{number}" for number in range(12, 30)}
    known = {recipe.name for recipe in einstein_recipes()}
    beyond = {"nodes", "replay", "research-questions", "replay-einstein", "random-start", "codings", "network-size"}
    assert known == tables | figures | {f"einstein/{name}" for name in (*beyond, "more-variants")}


def is_multiple(value: float, step: float) -> bool:
    return math.isclose(value / step, round(value / step), abs_tol=1e-6)


@pytest.mark.parametrize("table", SEARCH_TABLES)
def test_the_steps_of_the_published_figures_show_which_are_mean_scores(table: str) -> None:
    # A rate of n games is a multiple of 1 / n, a mean score of 2 / n. (With four players it fits both a rate of the n
    # games that the text names and a mean score of 2n, half of them in each team: those figures are "doubtful".)
    source = published(table)
    games = 200 if "iterations" in source["rows"][0] else 10
    ends = [line[key] for line in source["rows"] for key in ("min", "max")]
    scores = all(is_multiple(value, 2 / games) for value in ends)
    assert scores == (source["unit"] == "score")
    assert source.get("doubtful", False) == (not scores)
    assert all(is_multiple(value, 1 / games) for value in ends)


def test_published_means_lie_between_their_extremes() -> None:
    for name in (*SEARCH_TABLES, "table-12", "table-13", "table-14"):
        for line in published(name)["rows"]:
            assert line["min"] <= line["median"] <= line["max"]
            assert line["min"] < line["mean"] < line["max"]


def test_table_16_repeats_the_best_of_the_tables_and_the_ends_of_the_curves() -> None:
    lines = {(line["agent"], line["against"]): line for line in published("table-16")["rows"]}
    for number, kind in ((3, "mc"), (7, "mctse")):
        for i, key in enumerate(("4x4-2", "5x5-2", "4x4-4", "6x6-4")):
            best = max(line["mean"] for line in published(f"table-{number + i}")["rows"])
            assert lines[kind, "random"][key] == best
    for number in range(20, 28):
        source = published(f"figure-{number}")
        assert lines["td", source["against"]][source["variant"]] == source["final"] == source["points"][-1]["mean"]


def test_a_mean_score_is_compared_as_a_win_rate() -> None:
    assert rate(0.6544, "score") == pytest.approx(0.8272)
    assert rate(0.39, "rate") == 0.39


def report_of(name: str) -> Any:
    known = recipe(name)
    return known.report(QUICK, JobPool(1, lambda done: None).execute(known.jobs(QUICK)))


def test_tables_1_and_2_are_computed_and_agree() -> None:
    for name in ("einstein/table-1", "einstein/table-2"):
        for row in report_of(name).rows:
            assert row.ours == pytest.approx(row.published, rel=2e-3)
            assert row.note != "differs"


def test_with_three_stones_both_rules_of_the_die_allow_the_same_moves() -> None:
    either, nearest = (game(VARIANTS["4x4-2"].game(die)) for die in DICE)
    states = played_states(str(either.name), 40)
    assert all(either.parse(text).moves() == nearest.parse(text).moves() for text in states)
    either, nearest = (game(VARIANTS["5x5-2"].game(die)) for die in DICE)
    states = played_states(str(either.name), 40)
    assert any(either.parse(text).moves() != nearest.parse(text).moves() for text in states)


def played_states(name: str, games: int) -> list[str]:
    rng = np.random.default_rng(1)
    texts = []
    for _ in range(games):
        position = game(name).start()
        while not position.over:
            if position.chance:
                position = position.roll(str(rng.choice(position.rolls())))
            else:
                texts.append(str(position))
                position = position.play(str(rng.choice(position.moves())))
    return texts


def test_four_players_sit_as_in_the_source_and_the_larger_boards_know_both_dice() -> None:
    given = {name: [job.given for job in recipe(f"einstein/{name}").jobs(QUICK)] for name in ("table-4", "table-6")}
    assert {one["seating"] for one in given["table-6"]} == {"mixed"}
    assert {one["game"] for one in given["table-4"]} == {"einstein", "einstein:die=nearest"}


def test_the_same_job_has_the_same_key_and_any_change_another() -> None:
    assert small_job().key == small_job().key
    assert len({small_job().key, small_job("mc:iterations=1").key, small_job(games=10).key}) == 3
    full, quick = (tables.MC.job(VARIANTS["4x4-2"], "either", (800, 17), form) for form in (Form(), QUICK))
    assert full.key != quick.key


def test_figures_of_one_measurement_share_their_jobs() -> None:
    one, other = ({job.key for job in recipe(f"einstein/figure-{number}").jobs(QUICK)} for number in (20, 21))
    assert one == other
    whole = {job.key for job in recipe("einstein/table-16").jobs(QUICK)}
    assert one <= whole <= {job.key for job in recipe("einstein/research-questions").jobs(QUICK)}


def test_a_finished_job_is_never_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = JobPool(1, lambda done: None).execute([small_job()])[small_job()]
    monkeypatch.setattr(matches, "play", lambda given, callback: pytest.fail("done again"))
    assert JobPool(1, lambda done: None).execute([small_job(), small_job()])[small_job()] == first


def test_the_number_of_cores_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jobs = [small_job(games=games) for games in (4, 6, 8, 10)]
    found = []
    for cores in (1, 2):
        monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path / str(cores)))
        results = JobPool(cores, lambda done: None).execute(jobs)
        found.append([results[job] for job in jobs])
    assert found[0] == found[1]


def test_what_was_finished_before_an_interruption_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, work = [small_job(games=games) for games in (4, 6, 8)], matches.play

    def interrupted(given: Mapping[str, Any], callback: Any) -> dict[str, Any]:
        if given["games"] == 6:
            raise KeyboardInterrupt
        return work(given, callback)

    monkeypatch.setattr(matches, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        JobPool(1, lambda done: None).execute(jobs)
    assert kept(jobs[0]) is not None
    assert jobs[1] in missing(jobs)


def test_a_damaged_result_is_refused_in_one_sentence() -> None:
    JobPool(1, lambda done: None).execute([small_job()])
    path(small_job()).write_text('{"about": 1')
    with pytest.raises(BadInput, match=r"damaged; delete it, and it will be measured again\.$"):
        kept(small_job())


RATES = (None, [], "0.5", ["x", 0.5], [1e308] * 2, 7, [[0.5], 0.5], [[]], {"random": 0.5}, [True], [None])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy's, of figures that are no rates
@settings(CAREFUL, max_examples=40)
@given(data=st.data())
def test_a_crafted_or_damaged_result_is_a_report_or_one_sentence(data: st.DataObject, tmp_path: Path) -> None:
    jobs = [small_job(games=games) for games in (4, 6)]
    for job in jobs:
        keep(job, {"rates": [0.25, 0.75]}, 0.1)
    if data.draw(st.booleans()):
        key = data.draw(st.sampled_from(("rates", "rate")))
        keep(jobs[0], {key: data.draw(st.sampled_from(RATES))}, 0.1)
    else:
        path(jobs[0]).write_bytes(data.draw(damaged(path(jobs[0]).read_bytes())))

    def report(form: Form, results: Results) -> Report:
        samples = [matches.rates(results, job) for job in jobs]
        return Report([Row.of("x", 0.5, sample) for sample in samples])

    said = ""
    try:
        execute(Recipe("a/study", "two matches", lambda form: jobs, report), QUICK, tmp_path, 1, lambda done: None)
    except BadInput as problem:
        said = str(problem)
    assert said.isprintable()
    assert not said or str(path(jobs[0]).parents[1]) in said


def test_each_part_of_a_match_has_games_of_its_own() -> None:
    found = matches.play(small_job("mc:iterations=2", 50).given, lambda share: None)["rates"]
    plans = [Plan("einstein:board=3", ("mc:iterations=2", "random"), 50, seed) for seed in (1000, 1001)]
    assert found == [play_match(plan, agent).summary.rate for plan in plans]
    assert len(set(found)) == 2


def test_the_luckiest_of_two_equal_settings_is_as_much_better_as_theory_says() -> None:
    measured = {(0.0,): Sample((0.4, 0.6)), (1.0,): Sample((0.5, 0.5))}
    assert luckiest(measured, 0.1, 2) == pytest.approx(0.5 + 0.1 / math.sqrt(10 * math.pi), abs=2e-3)


def test_the_interval_of_a_sample_is_students() -> None:
    low, high = Sample((0.4, 0.5, 0.6)).interval
    assert high - 0.5 == pytest.approx(4.3027 * 0.1 / math.sqrt(3), rel=1e-4)
    assert 0.5 - low == pytest.approx(high - 0.5)
    assert Row.of("x", None, Sample((0.4, 0.5, 0.6))).sd == pytest.approx(0.1)


def test_settings_of_a_search_are_those_found_before_it() -> None:
    assert tuning.ALPHA.before == published("table-11")["settings"]
    assert tuning.LAMBDA.before == published("table-15")["settings"] | {"lam": 0.0}
    assert len(tuning.ALPHA.cells(Form())) == 110
    assert len(tuning.EPSILON.cells(Form())) == 121


def othello_learner(**more: Any) -> TdLearner:
    settings = Settings(episodes=20, tuples="squares", alpha=0.0, alpha_end=0.0, **more)
    return TdLearner(game("othello"), settings, 1)


def test_an_empty_network_errs_exactly_by_the_scores_of_the_ends() -> None:
    seen = replay_work.observer(othello_learner())
    errors = replay_work.errors(seen, seen)
    facts = seen.buffer["facts"][: len(errors)]
    assert np.array_equal(errors, np.where(facts[:, 0] == 0, facts[:, 1], 0.0))
    assert 0 < (facts[:, 0] == 0).mean() < 0.1


@pytest.mark.parametrize("arm", replay_arms.EVERY, ids=lambda arm: arm.label)
def test_every_arm_of_the_replay_study_can_be_looked_into(arm: replay_arms.Arm) -> None:
    given = dict(arm.jobs(Form(quick=True))[0].given["settings"], episodes=20, tuples="squares")
    learner = TdLearner(game("othello"), Settings(**given), 1)
    learner.learn(2)
    assert 0 < replay_work.looked_into(learner)["fresh_error"] < 2


def test_looking_into_a_learner_changes_nothing() -> None:
    settings = {"alpha": 0.2, "alpha_end": 0.2, "buffer": 500, "batch": 5, "replay_every": "transition"}
    learner = TdLearner(game("othello"), Settings(episodes=20, tuples="squares", **settings), 1)
    learner.learn(10)
    before = {name: array.copy() for name, array in learner.arrays().items()}
    found = replay_work.looked_into(learner)
    assert all(np.array_equal(before[name], array) for name, array in learner.arrays().items())
    assert found["terminal"] == pytest.approx(2 / 60, abs=0.01)
    assert found["picked_error"] == pytest.approx(found["buffer_error"])


def test_the_replay_study_has_the_published_settings() -> None:
    given = [job.given for job in recipe("einstein/replay").jobs(Form())]
    plain = [one for one in given if "buffer" not in one["settings"] and "freeze" not in one["settings"]]
    assert len(plain) == 10
    assert plain[0]["settings"] == replay_arms.PUBLISHED | {"episodes": 100_000}
    batches = {one["settings"]["batch"] for one in given if one["settings"].get("buffer") == 5000}
    assert batches == {5, 25, 50}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves of a few episodes and games."""
    monkeypatch.setattr(curves, "QUICK", (20, 40))
    monkeypatch.setattr(curves, "QUICK_GAMES", {curves.RANDOM: (20, 20), curves.MCTSE: (2, 4)})


@pytest.mark.usefixtures("tiny")
def test_a_recipe_prints_theirs_beside_ours_and_saves_its_plots(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, text, _ = run("run", "einstein/figure-20", "--quick", "--json", "--folder", str(folder), "--cores", "1")
    facts = json.loads(text)
    assert code == 0
    assert {"name", "published", "ours", "interval"} <= set(facts["rows"][0])
    assert facts["rows"][0]["published"] == pytest.approx(0.8272)
    assert facts["rows"][0]["printed"] == 0.6544
    low, high = facts["rows"][0]["interval"]
    assert 0 <= low <= facts["rows"][0]["ours"] <= high <= 1
    assert [Path(file).read_bytes()[:4] for file in facts["plots"]] == [b"\x89PNG"]
    assert json.loads((folder / "einstein-figure-20-quick.json").read_text())["rows"] == facts["rows"]
    assert facts["report"] == str(folder / "einstein-figure-20-quick.json")
    code, text, _ = run("run", "einstein/figure-21", "--quick", "--folder", str(folder))
    assert code == 0
    assert text.endswith(f"Report: {folder / 'einstein-figure-21-quick.json'}\n")
    assert f"Plot: {folder / 'einstein-figure-21-quick-'}" in text
    assert "mctse" in text
    assert "published" in text


def test_every_recipe_is_listed_with_its_times() -> None:
    code, table, _ = run("list")
    listed = json.loads(run("list", "--json")[1])["recipes"]
    assert code == 0
    tables, figures = (
        [f"{kind}-{i}" for i in range(*ends)] for kind, ends in (("table", (1, 17)), ("figure", (12, 30)))
    )
    order = [f"einstein/{name}" for name in (*tables, *figures, "replay", "research-questions")]
    assert [one["name"] for one in listed][: len(order)] == order
    assert [one["name"] for one in listed] == list(recipes())
    assert "figures 1 to 11 are drawings" in table
    assert all(one["name"] in table and one["about"] for one in listed)
    assert all(one["quick_seconds"] <= max(one["full_seconds"], 1) for one in listed)
    assert all(one["quick_seconds"] < 15 * 60 for one in listed)


def test_a_recipe_whose_quick_form_leaves_nothing_out_has_one_form(tmp_path: Path) -> None:
    for known in recipes().values():
        quick, full = ({job.key for job in known.jobs(form)} for form in (QUICK, Form()))
        assert (quick == full) == (not known.less)
    printed = {
        run("run", "einstein/table-1", *words, "--folder", str(tmp_path / "out"))[1] for words in ((), ("--quick",))
    }
    assert len(printed) == 1
    assert "quick and full form are the same; seed 1)" in printed.pop()
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["einstein-table-1.json"]


@pytest.mark.parametrize(("width", "gone"), [(80, 3), (105, 2), (120, 1), (200, 0)])
def test_in_a_narrow_table_columns_go_before_the_names_of_rows_are_squeezed(
    width: int, gone: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "width", lambda: width)
    figures = {"published": 0.5, "interval": (0.45, 0.55), "printed": 0.1, "published_sd": 0.032, "sd": 0.011}
    row = Row("the best of all twenty-seven settings of ours", ours=0.5, die="nearest", note="said " * 6, **figures)
    output.print_table(HEADS, [cells(row)], SPARE, text=TEXT)
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= width
    table, _, left_out = text.partition("Omitted here")
    there = [word in table for word in ("1.1 (3.2) points", "10.0 %", "said")]
    assert bool(left_out) == (gone > 0)
    assert there == [False] * gone + [True] * (3 - gone)
    assert "the best of all" in text


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    assert run("run", "einstein/tabel-16")[2].startswith('There is no recipe "einstein/tabel-16". Did you mean')
    assert run("run", "einstein")[2] == 'There is no recipe "einstein". To see them all: spielwerk study list'
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot be written" in run("run", "einstein/table-1", "--folder", str(file / "sub"))[2]
    for words, said in (
        (("einstein/table-1", "--device", "tpu"), 'There is no device "tpu"; possible: cpu, cuda.'),
        (("einstein/table-1", "--device", "cpu"), "einstein/table-1 has one full form; leave out --device."),
        (("morris/parts", "--quick", "--device", "cuda"), "Quick forms compute on the CPU; leave out --device."),
    ):
        code, _, wrong = run("run", *words)
        assert (code != 0, wrong) == (True, said)


def test_only_recipes_that_say_so_have_a_full_form_on_two_cores() -> None:
    cores = Form(device="cpu")
    for known in recipes().values():
        here, there = ({job.key for job in known.jobs(form)} for form in (cores, Form()))
        assert (here != there) == bool(known.without_gpu)
        assert known.meant(cores) == (cores if known.without_gpu else Form())
        assert known.meant(replace(cores, quick=True)).place == ("cpu" if known.less else "cuda")
        assert len({known.stem(form) for form in (Form(), cores)}) == 1 + bool(known.without_gpu)


@pytest.mark.parametrize("here", [True, False])
def test_without_a_gpu_the_full_form_is_that_of_two_cores(here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("has_gpu", "torch_sees_gpu"):
        monkeypatch.setattr(f"spielwerk.studies.device.{name}", lambda: here)
    parts, table = recipe("morris/parts"), recipe("einstein/table-14")
    for found in (form_here(parts), form_asked_for(parts, quick=False, seed=1, device=None)):
        assert found == Form(device="cuda" if here else "cpu")
    assert form_here(parts, device="cuda").device == "cuda"  # what was measured elsewhere can be packed anywhere
    assert form_asked_for(table, quick=False, seed=2, device=None) == Form(seed=2)
    assert form_asked_for(parts, quick=True, seed=1, device=None) == QUICK
    if not here:
        with pytest.raises(BadInput, match="morris/parts --device cpu"):
            form_asked_for(parts, quick=False, seed=1, device="cuda")


def test_what_a_gpu_elsewhere_has_measured_is_reported_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielwerk.studies.device.torch_sees_gpu", lambda: False)
    teacher = recipe("nnmm/teacher")
    first, *others = teacher.jobs(Form())
    for job in others:
        keep(job, {}, 1.0)
    with pytest.raises(BadInput, match="nnmm/teacher --device cpu"):
        form_asked_for(teacher, quick=False, seed=1, device="cuda")
    keep(first, {}, 1.0)
    assert form_asked_for(teacher, quick=False, seed=1, device="cuda") == Form()


def test_where_torch_cannot_use_the_gpu_two_cores_train(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielwerk.studies.device.has_gpu", lambda: True)
    monkeypatch.setattr("spielwerk.studies.device.torch_sees_gpu", lambda: False)
    assert form_asked_for(recipe("alphazero/truth"), quick=False, seed=1, device=None).scale == TWO_CORES


def test_every_report_can_be_made_from_results_of_the_right_shape() -> None:
    for known in einstein_recipes():
        report = known.report(QUICK, Results({job.key: pretended(job) for job in known.jobs(QUICK)}))
        assert report.rows
        for row in report.rows:
            assert {"name", "published", "ours", "interval"} <= set(row.facts())
            json.dumps(row.facts())
        for draw in report.plots.values():
            assert draw().axes


def pretended(job: Job) -> dict[str, Any]:
    """A result of the shape that the job's work gives, with made-up figures."""
    rng, given = np.random.default_rng(int(job.key, 16)), job.given
    if job.work.endswith(":play"):
        return {"rates": rng.uniform(0.6, 0.9, given["times"]).tolist()}
    if job.work.endswith(":play_random"):
        return {"rate": 0.53, "games": given["games"]}
    if job.work.endswith(":ceiling"):
        return {"random_first": 0.5569, "perfect": 0.9146, "ceiling": 0.9365}
    if job.work.endswith("open_work:train"):
        rates = {match["name"]: float(rng.uniform(0.6, 0.9)) for match in given["matches"]}
        return {"rates": rates, "regret": float(rng.uniform(0, 0.1)), "weights": 5625}
    count = len(given["points"])
    opponents = given.get("against", replay_work.OPPONENTS)
    found = {"points": given["points"], "rates": {name: rng.uniform(0.6, 0.9, count).tolist() for name in opponents}}
    facts = ["fresh_error", *(replay.FACTS if "buffer" in given["settings"] else ())]
    return found | {"facts": {fact: rng.uniform(0, 0.2, count).tolist() for fact in facts}}

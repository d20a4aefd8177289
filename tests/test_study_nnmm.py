"""The study of imitation: arms differ in what they name, trainings are shared, and reports can be made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spielwerk as sw
from spielwerk.learn.imitation.data.analysis import legal_in
from spielwerk.learn.imitation.data.folder import Dataset
from spielwerk.learn.imitation.settings import Settings
from spielwerk.names import BadInput
from spielwerk.studies.execution import execute
from spielwerk.studies.job_pool import distinct
from spielwerk.studies.nnmm import arms, data, orders, questions, rows, sources, training
from spielwerk.studies.nnmm.arms import Arm
from spielwerk.studies.nnmm.published import published
from spielwerk.studies.nnmm.recipes import RECIPES
from spielwerk.studies.recipe import Form, Recipe, spent
from spielwerk.studies.report import VALUE

FORMS = (Form(), Form(quick=True), Form(device="cpu"))
QUICK, ONE_CORE = FORMS[1:]
EIGHTY_MINUTES = 80 * 60
NAMES = ("data", "accuracy", "legality", "reliability", "curve", "teacher", "amount", "structure", "networks")
NAMES += ("encodings", "starts", "negatives", "games")
TINY = {"epochs": 1, "batch": 500, "width": 8, "inner": 12}
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def nobody(share: float) -> None:
    """Watches nothing."""


def recipe(name: str) -> Recipe:
    return next(one for one in RECIPES if one.name == f"nnmm/{name}")


# What is planned


def test_every_recipe_has_jobs_in_all_three_forms() -> None:
    assert [one.name for one in RECIPES] == [f"nnmm/{name}" for name in NAMES]
    for one in RECIPES[1:]:
        for form, device in zip(FORMS, ("cuda", "cpu", "cpu"), strict=True):
            assert one.meant(form) == form
            assert {job.given["device"] for job in one.jobs(form)} == {device}
            assert all(job.alone for job in one.jobs(form))


def test_all_full_forms_together_take_less_than_eighty_minutes_of_a_gpu() -> None:
    jobs = distinct([job for one in RECIPES for job in one.jobs(Form())])
    assert spent(jobs, 2) < EIGHTY_MINUTES
    main = {job.key for job in recipe("accuracy").jobs(Form())}
    for job in jobs:
        if job.alone:
            assert job.given["seconds"] <= (300 if job.key in main else 180)


def test_trainings_that_recipes_share_are_made_once() -> None:
    """The tables and figures of the source have one set; the base of the questions is one training of all."""
    compared = ("amount", "structure", "encodings", "negatives", "games")
    for form in FORMS:
        tables = [{job.key for job in recipe(name).jobs(form)} for name in NAMES[1:5]]
        assert all(keys == tables[0] for keys in tables)
        bases = [{job.key for job in recipe(name).jobs(form)} for name in compared]
        assert set.intersection(*bases) == {Arm("base").job(form).key}


def test_arms_differ_from_the_base_in_exactly_what_they_name() -> None:
    for form in FORMS:
        base = Arm("base").told(form.scale)
        for of, name in ((questions.structures, "structure"), (questions.encodings, "encoding")):
            assert [_changed(arm, base, form) for arm in of(form)] == [set(), *[{name}] * (len(of(form)) - 1)]
        assert [_changed(arm, base, form) for arm in questions.negatives(form)] == [set(), {"negatives"}, {"negatives"}]
        assert [_changed(arm, base, form) for arm in questions.amounts(form)[:5]] == [*[{"share"}] * 4, set()]
        first, *others = questions.networks(form)
        assert [_changed(arm, first.told(form.scale), form) for arm in others] == [{"net"}] * 4


def _changed(arm: Arm, base: dict[str, Any], form: Form) -> set[str]:
    assert arm.game == "morris"
    own, found = vars(Settings()), arm.told(form.scale)
    return {name for name in {*found, *base} if found.get(name, own[name]) != base.get(name, own[name])}


def test_arms_of_other_data_differ_from_each_other_in_their_source_alone() -> None:
    for form in FORMS:
        first, *others = questions.starts(form)
        for arm in others:
            assert _alike(arm, form) == _alike(first, form)
            assert arm.asked == {one.name: one.source for one in (first, *others) if one is not arm}
            assert {name for name in arm.source if arm.source[name] != first.source[name]} == {"starts"}
        observed, labelled = questions.teachers(form)
        assert labelled.source["of"] == observed.source
        assert _alike(observed, form) == _alike(labelled, form)


def _alike(arm: Arm, form: Form) -> dict[str, Any]:
    told = arm.told(form.scale)
    told.pop("share", None)
    return told


def test_orders_have_both_forms_and_protocols() -> None:
    full = {(order, kind, protocol) for order, kind, protocol, _ in orders.arms(Form())}
    assert {order for order, kind, _ in full if kind == "code"} == set(orders.ORDERS)
    assert {order for order, kind, _ in full if kind == "text"} == {"TFR", "FTR", "RFT"} == set(published()["table-V"])
    assert {(order, kind) for order, kind, protocol in full if protocol == "clean"} == {one[:2] for one in full}
    quick = {one[:3] for one in orders.arms(QUICK)}
    assert quick < full
    assert {order for order, _, _ in quick} == set(orders.ORDERS)


def test_intervals_are_wilsons() -> None:
    assert rows.interval(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert rows.interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert rows.interval(0.0, 0) == (0.0, 1.0)


# What is carried out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where results are kept, so that what recipes share is trained once."""
    return tmp_path_factory.mktemp("studies")


@pytest.fixture(scope="module")
def observed(folder: Path) -> Path:
    """A few moves of morris, instead of the published ones."""
    where = folder / "morris"
    sw.dataset("morris", "random", where, games=3, states=20, starts="random")
    return where


@pytest.fixture
def small(folder: Path, observed: Path, home: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes all trainings and measurements tiny."""
    monkeypatch.setenv("SPIELWERK_HOME", str(folder))
    for name, value in {**TINY, "share": 1.0}.items():
        monkeypatch.setitem(arms.SIZES[1], name, value)
    for module, name, value in (
        (arms, "DECISIONS", (4, 4)),
        (questions, "GAMES", (2, 6)),
        (questions, "NIM", TINY),
        (questions, "SHARES", (0.5, 1.0)),
        (questions, "NAMED_TEACHER", ("random", "random")),
        (questions, "STATES", (5, 5)),
        (orders, "ORDERS", ("TFR", "FTR")),
        (sources, "published_folder", lambda: observed),
        (data, "published_folder", lambda: observed),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", NAMES)
def test_reports_are_made_of_every_training(name: str) -> None:
    pytest.importorskip("torch")
    outcome = execute(recipe(name), QUICK, None, 1, nobody)
    assert outcome.report.rows
    assert bool(outcome.plots) == (name != "data")
    assert all(file.exists() for file in (outcome.file, *outcome.plots))
    printed = set(_numbers(published()))
    for row in outcome.report.rows:
        assert row.ours is not None
        assert row.published is None or row.published in printed
        if name not in ("data", "curve") and not row.name.startswith("lowest precision"):
            assert row.interval is not None
            assert row.interval[0] <= row.ours <= row.interval[1]


def _numbers(found: Any) -> Iterator[float]:
    """Everything that the source prints."""
    for value in found.values() if isinstance(found, dict) else found:
        if isinstance(value, (dict, list)):
            yield from _numbers(value)
        else:
            yield value


@pytest.mark.usefixtures("small")
def test_networks_of_each_kind_of_start_are_asked_the_moves_of_the_others() -> None:
    pytest.importorskip("torch")
    found = {row.name for row in execute(recipe("starts"), QUICK, None, 1, nobody).report.rows}
    kinds = set(questions.STARTS)
    asked = {(kind, name) for kind in kinds for name in kinds if f"legality ({kind}): {name}" in found}
    assert asked == {(kind, name) for kind in kinds for name in kinds - {kind}}


@pytest.mark.usefixtures("small")
def test_published_figures_stand_beside_the_same_figures_of_ours() -> None:
    pytest.importorskip("torch")
    found = {row.name: row for row in execute(recipe("legality"), QUICK, None, 1, nobody).report.rows}
    assert found["whole move (states): FTR, code, paper"].published == published()["table-V"]["FTR"]["states"][0]
    assert found["from (matches): TFR, code, paper"].published == published()["table-V"]["TFR"]["matches"][2]
    assert found["whole move (states): FTR, code, clean"].published is None
    assert found["whole move (test): FTR, code, paper"].published is None


@pytest.mark.usefixtures("small")
def test_both_teachers_are_graded_by_judged_decisions() -> None:
    pytest.importorskip("torch")
    found = {row.name: row for row in execute(recipe("teacher"), QUICK, None, 1, nobody).report.rows}
    for arm in questions.teachers(QUICK):
        assert found[f"best class: {arm.name}"].note == "4 judged decisions"
    assert [job.given["decisions"] for job in recipe("teacher").jobs(Form())] == [arms.DECISIONS[0]] * 2
    result = training.train(Arm("base").job(QUICK).given, nobody)
    assert result["grade"]["decisions"] == 4  # of morris, by the positions that everybody is asked
    assert 0 <= result["grade"]["best_class"] <= 1


@pytest.mark.usefixtures("small")
def test_a_training_ends_with_its_time_also_within_an_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    ticks = itertools.count()
    monkeypatch.setattr(training, "counting", lambda learner: lambda: float(next(ticks)))  # a second each time
    job = Arm("base", {"batch": 100}).job(QUICK)
    result = training.train({**job.given, "seconds": 5.0}, nobody)
    assert 0 < result["epochs"] < 1
    assert len(result["course"]) == 1
    assert result["course"][0]["epoch"] == result["epochs"]
    assert result["course"][0]["accuracy_to"] > 0  # it was measured nevertheless


def test_a_regret_is_no_share() -> None:
    graded = {"decisions": 10, "best_class": None, "best_class_interval": None, "regret": 0.05}
    where = {"positions": 5, "legality": 1.0, "accuracy": 1.0, "reliability": {}}
    result = {"epochs": 1.5, "seconds": 2.0, "weights": 3, "test": where}
    shown = rows.summary_rows("it", {**result, "grade": {**graded, "regret_interval": [0.04, 0.06]}})
    found = {row.name: row for row in shown}["regret a decision: it"]
    assert (found.unit, found.ours, found.note) == (VALUE, 0.05, "10 judged decisions")
    assert shown[0].note == "1.5 epochs, 2 s, 3 weights"


def test_counts_are_those_of_the_analysis(observed: Path, small: None) -> None:
    result = data.count({}, nobody)
    folder: Dataset = data.dataset(str(observed), sw.game("morris"), "paper")
    assert result["sets"]["matches"]["positions"] == len(folder.pairs)
    assert result["sets"]["matches"]["legal"] == legal_in(folder.pairs).facts()["legal"]


# Bad input


def test_without_the_published_files_a_sentence_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    with pytest.raises(BadInput, match=f"set {sources.VARIABLE} to a folder"):
        sources.data_of(arms.MORRIS)


def test_without_a_solved_morris_a_sentence_says_how_labels_are_made() -> None:
    with pytest.raises(BadInput, match="spielwerk dataset morris --teacher oracle"):
        sources.data_of({"from": "oracle", "game": "morris", "of": arms.MORRIS})

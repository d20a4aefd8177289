"""The study of backgammon: phases by hand, a judge that is right where the truth is known, reports that can be made."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from spielwerk.agents.registry import agent
from spielwerk.arena.grading.examination import judged_examination
from spielwerk.games.registry import game
from spielwerk.learn.training import Stopped
from spielwerk.names import BadInput
from spielwerk.studies.backgammon import errors, fresh, fresh_play, judging, ladder, parts, points
from spielwerk.studies.backgammon.phases import NAMES, phase
from spielwerk.studies.backgammon.recipes import RECIPES
from spielwerk.studies.execution import execute
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import JobPool
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results

FORMS = (Form(), Form(quick=True))
QUICK = FORMS[1]
GAME = game(ladder.GAME)
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def nobody(share: float) -> None:
    """Watches nothing."""


def board(x: Mapping[int, int], o: Mapping[int, int], due: str = "X 31") -> Any:
    """A position from the points of X and of O, each counted from its own side; 25 is the bar."""
    assert not any(25 - point in o for point in x)
    letters = ["."] * 26
    for point, number in x.items():
        letters[point] = chr(64 + number)
    for point, number in o.items():
        letters[25 - point] = chr(96 + number)
    return GAME.parse(f"{''.join(letters)} {due}")


START = {24: 2, 13: 5, 8: 3, 6: 5}
HAND_MADE = {
    "the start": (START, START, "opening"),
    "one turn each": ({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, {24: 1, 23: 1, 13: 4, 9: 1, 8: 3, 6: 5}, "opening"),
    "five men moved": ({24: 2, 13: 3, 10: 1, 9: 1, 8: 1, 7: 2, 6: 4, 5: 1}, START, "contact"),
    "two anchors, far behind": ({24: 2, 22: 3, 13: 4, 8: 3, 6: 3}, {8: 3, 7: 2, 6: 4, 5: 4, 4: 2}, "back game"),
    "two anchors, ahead": ({24: 2, 22: 2, 6: 5, 5: 3, 4: 3}, {24: 2, 18: 1, 15: 4, 13: 5, 12: 3}, "contact"),
    "one anchor, behind": ({20: 2, 13: 3, 8: 3, 6: 4, 5: 3}, {14: 2, 8: 3, 7: 2, 6: 4, 4: 4}, "holding"),
    "the midpoint, behind": ({13: 4, 8: 4, 6: 4, 5: 3}, {13: 2, 8: 2, 6: 3, 5: 3, 4: 3, 3: 2}, "holding"),
    "not escaped": ({20: 2, 13: 3, 8: 3, 6: 4, 5: 3}, {24: 1, 14: 1, 8: 3, 7: 2, 6: 4, 4: 4}, "contact"),
    "ten men out of play": ({24: 2, 2: 5, 1: 5, 6: 2, 5: 1}, {21: 2, 6: 5, 5: 4, 4: 4}, "crashed"),
    "all have passed": ({10: 5, 8: 5, 6: 5}, {9: 5, 8: 5, 6: 5}, "race"),
    "all at home": ({6: 5, 5: 5, 4: 5}, {9: 5, 8: 5, 6: 5}, "bear-off"),
}


@pytest.mark.parametrize("name", HAND_MADE)
def test_phases_are_told_from_the_position(name: str) -> None:
    x, o, wanted = HAND_MADE[name]
    assert phase(board(x, o)) == wanted
    assert wanted in NAMES


def test_a_back_game_is_one_whoever_is_to_move() -> None:
    x, o, wanted = HAND_MADE["two anchors, far behind"]
    assert phase(board(o, x)) == phase(board(x, o, "O 31")) == wanted


def test_every_recipe_has_jobs_in_both_forms() -> None:
    names = ("errors", "fresh", "points", "parts")
    assert [recipe.name for recipe in RECIPES] == [f"backgammon/{name}" for name in names]
    for recipe in RECIPES:
        full, quick = ({job.key for job in recipe.jobs(form)} for form in FORMS)
        assert full
        assert quick
        assert recipe.seconds(QUICK, 2) <= 150 < recipe.seconds(Form(), 2)


def test_players_that_are_not_installed_are_left_out_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not any(rung.title.startswith("GNU") for rung in ladder.rungs(Form()))
    assert not any("gnubg" in str(job.given) for recipe in RECIPES for job in recipe.jobs(Form()))
    assert "GNU 0-ply, GNU 1-ply, GNU 2-ply" in ladder.left_out(Form())[0]


def test_costs_are_what_a_grade_says() -> None:
    given = errors.jobs_of(ladder.PUBEVAL, QUICK)[0].given
    found = errors.ask(given, nobody)
    exam = judged_examination(errors.public(errors.chosen(given["decisions"])))
    report = exam.examine(agent("pubeval", GAME))
    assert np.mean(found["costs"]) == pytest.approx(report.whole.memg)
    assert set(found["phases"]) <= set(NAMES)


def test_the_evolved_player_is_bred_once_and_asked_nothing_that_it_was_bred_on() -> None:
    text = "evolved:generations=1,seed=3"
    first, second = (ladder.player_of(text, nobody) for _ in range(2))
    position = board(START, START)
    assert first.turn(position).end == second.turn(position).end
    given = {"player": text, "decisions": errors.PUBLIC, "seed": 1, "first": 0, "last": 8}
    assert len(errors.ask(given, nobody)["costs"]) == 6


def test_fresh_decisions_depend_on_the_seed_and_their_number_only() -> None:
    whole = fresh_play.decisions(1, 0, 4)
    fresh_play._block.cache_clear()
    assert fresh_play.decisions(1, 2, 4) == whole[2:]
    assert fresh_play.decisions(2, 0, 4) != whole
    assert all(len(position.turns()) > 1 for position in whole)


def test_a_verdict_tells_costs_with_and_without_its_own_luck() -> None:
    verdict = judging.Verdict(np.array([[0.3, 0.1, -1.0], [0.1, 0.2, -1.0]]), (0, 1))
    assert verdict.cost(0) == 0
    assert verdict.cost(1) == pytest.approx(0.05)
    assert verdict.split_cost(0) == pytest.approx(((0.1 - 0.1) + (0.1 - 0.3)) / 2)
    assert verdict.split_cost(2) == pytest.approx((1.1 + 1.1) / 2)


def test_plays_near_the_favourite_are_played_out() -> None:
    assert judging.likely([0.1, 0.5, 0.49, 0.47, 0.3]) == (1, 2, 3)
    assert len(judging.likely([0.0] * 9)) == judging.MOST


def test_the_judge_knows_what_is_exactly_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MARGIN", 0.2)  # the network knows bear-offs, in which plays lie farther apart
    position = board({6: 1, 5: 1, 2: 1}, {1: 4}, "X 21")
    verdict = judging.Judge(200, 0, 1).verdicts([position], 0, lambda: False)[0]
    exact = {one.move: one.value for one in agent("oracle", GAME).analyse(position).moves}
    wanted = np.array([exact[turn.text] for turn in position.turns()])
    found = verdict.halves.mean(axis=0)
    assert len(verdict.rolled) > 1
    assert found.argmax() == wanted.argmax()
    assert found[list(verdict.rolled)] == pytest.approx(wanted[list(verdict.rolled)], abs=0.05)


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes all measurements tiny."""
    for module in (errors, fresh, points):
        monkeypatch.setattr(module, "rungs", lambda form: [ladder.RANDOM, ladder.PUBEVAL])
    monkeypatch.setattr(errors, "FEW", 1)
    for module, name, value in (
        (errors, "DECISIONS", (12, 12)),
        (errors, "PORTION", 8),
        (fresh, "COUNT", (3, 3)),
        (fresh, "GAMES", (4, 4)),
        (fresh, "TURNS", (1, 1)),
        (fresh, "CHECKED", (2, 2)),
        (points, "MANY", (8, 8)),
        (points, "PIECE", 4),
        (points, "TIMED", (2, 2)),
    ):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(points, "pairings", lambda form: [points.Pairing(ladder.PUBEVAL, ladder.RANDOM, (8, 8))])


@pytest.mark.parametrize("recipe", RECIPES[:3], ids=lambda recipe: recipe.name)
def test_reports_name_the_judge_beside_every_error_rate(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    outcome = execute(recipe, QUICK, None, 1, nobody)
    assert all(file.exists() for file in (outcome.file, *outcome.plots))
    for row in outcome.report.rows:
        assert "decisions" not in row.more or row.more["judge"] in row.note
    whole = {row.name: row.ours or 0.0 for row in outcome.report.rows}
    if recipe is RECIPES[0]:
        assert whole["pubeval"] < whole["random"]


def test_the_pieces_of_a_match_are_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    pairing = points.Pairing(ladder.PUBEVAL, ladder.RANDOM, (8, 8))
    jobs = pairing.jobs(QUICK)
    piece = {"games": 4, "half": 0.3, "rate": 1.0}
    results = Results({job.key: piece | {"score": score} for job, score in zip(jobs, (2, 3), strict=True)})
    row = points._points(pairing, QUICK, results)
    assert (row.published, row.ours, row.more["games"]) == (2.51, 2.5, 8)
    assert row.interval == pytest.approx((2.5 - 0.3 / 2**0.5, 2.5 + 0.3 / 2**0.5))


def test_each_part_differs_from_the_base_in_what_its_label_says() -> None:
    for form in FORMS:
        base, *others = parts.arms(form)
        assert base.changed == {}
        assert [list(arm.changed) for arm in others][:4] == [["split"], ["split", "inputs"], ["lam"], ["mean"]]
        later = [arm for arm in others if arm.then is not None]
        assert all(list(arm.changed) == ["hidden"] for arm in others[4 : -len(later)])
        assert [arm.then for arm in later][:2] == [{}, {"rolls": "all"}]
        assert not any(arm.changed for arm in later)


def part(episodes: int = 60, device: str = "cpu", then: dict[str, Any] | None = None) -> Job:
    settings = parts.BASE | {"hidden": "8", "boards": 16, "minibatch": 32, "mean": 0.9, "episodes": episodes}
    given = {"settings": settings, "decisions": 10, "device": device, "seed": 1}
    return Job("backgammon.part_training:train", given if then is None else given | {"then": settings | then}, 1.0)


def test_a_training_that_was_stopped_goes_on_and_ends_as_if_it_had_not() -> None:
    pytest.importorskip("torch")
    whole = part().run(nobody)

    def stop(share: float) -> None:
        if 0 < share < 1:
            raise Stopped

    with pytest.raises(Stopped):
        part().run(stop)
    again = part().run(nobody)
    assert again["costs"] == whole["costs"]
    assert len(whole["costs"]) == 10


def test_a_training_goes_on_by_other_settings_from_where_it_was() -> None:
    pytest.importorskip("torch")
    still = part(then={"episodes": 1, "rate": 1e-9, "rate_end": 1e-9, "boards": 1}).run(nobody)
    moved = part(then={"episodes": 20, "rate": 0.02, "siblings": 2, "margin": 1.0}).run(nobody)
    assert still["costs"] == part().run(nobody)["costs"]
    assert moved["costs"] != still["costs"]


def test_the_full_form_says_that_it_needs_a_gpu() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(BadInput, match="backgammon/parts --quick"):
        part(device="cuda").run(nobody)


def test_parts_are_compared_with_the_base() -> None:
    jobs = {arm.label: parts.jobs_of(arm, QUICK) for arm in parts.arms(QUICK)}
    costs = {label: [float(i + (label == "λ = 0")) for i in range(4)] for label in jobs}
    results = Results({job.key: {"costs": costs[label]} for label, own in jobs.items() for job in own})
    report: Report = parts.report(QUICK, results)
    rows = {row.name: row for row in report.rows}
    assert rows["base"].ours == 1.5
    assert rows["λ = 0"].note.startswith("+1.0 ± 0.0")
    assert errors.JUDGE in report.notes[0]


def test_jobs_that_are_shared_are_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    jobs = errors.jobs(QUICK)
    first = JobPool(1, nobody).execute(jobs)
    monkeypatch.setattr(errors, "ask", None)
    assert all(JobPool(1, nobody).execute(jobs)[job] == first[job] for job in jobs)

"""What the nim study takes from its source: every number and section, its questions, grade, pairing and logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from nim_results import GAME, pretended, small
from spielwerk.cli import app
from spielwerk.kernel.random import stream
from spielwerk.learn.evolution.exams.competition import circle
from spielwerk.learn.evolution.history.whole_games import whole_games
from spielwerk.studies.nim import recorded, training
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.recipes import RECIPES
from spielwerk.studies.nim.source import experiments, logged, pairing
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, cells
from spielwerk.studies.results import Results

QUICK = Form(quick=True)
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def _numbers(found: Any) -> Iterator[float]:
    """All numbers of a table, however deep."""
    for value in found.values() if isinstance(found, dict) else found:
        if isinstance(value, dict | list):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield float(value)


def _told(report: Report) -> str:
    """A report as people read it."""
    return " ".join([*(" ".join(cells(row)) for row in report.rows), *report.notes])


def _made(name: str, form: Form = QUICK) -> Report:
    recipe = next(recipe for recipe in RECIPES if recipe.name == f"nim/{name}")
    return recipe.report(form, Results({job.key: pretended(job) for job in recipe.jobs(form)}))


@pytest.mark.parametrize("key", [*experiments.KEYS, "related"])
def test_every_published_number_stands_in_the_report_of_its_experiment(key: str) -> None:
    source = published(key)
    report = _made("related-work" if key == "related" else key)
    shown = {row.published for row in report.rows} | {
        float(number) for number in re.findall(r"\d+(?:\.\d+)?", _told(report).replace(",", ""))
    }
    shown |= {number / 100 for number in shown if number is not None}
    assert set(_numbers(source)) <= shown


def test_no_published_number_stands_anywhere_but_in_one_file() -> None:
    known = {number for key in (*experiments.KEYS, "related") for number in _numbers(published(key))}
    for recipe in RECIPES:
        for row in _made(recipe.name.partition("/")[2]).rows:
            whole = row.published in known or row.published in SUMS
            assert row.published is None or whole, row.name


SUMS = {0.0, 1.0, 2 / 3}  # what follows from them: no hidden node in layers 1-9; runs that got there


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_report_names_the_section_of_its_source(recipe: Recipe) -> None:
    assert re.match(r"section \d(\.\d)+", recipe.section)
    assert set(published("sections")) == {recipe.name.partition("/")[2] for recipe in RECIPES}


def test_the_three_questions_are_answered_in_the_source_s_words() -> None:
    notes = list(_made("research-questions").notes)
    places = [notes.index(question) for question in published("questions")["questions"]]
    assert len(places) == 3
    assert all(after - before > 1 for before, after in pairwise([*places, len(notes)]))


def test_falls_are_counted_from_where_a_champion_is_steady() -> None:
    marks = np.ones(40)
    marks[:5] = 0
    marks[20:23] = 0.9, 0.4, 0.8  # one fall, down to less than half
    marks[30] = 0.5
    marks[35] = 0.9
    assert recorded.steady(marks) == 5
    assert recorded.spikes(marks) == {"since": 35, "fallen": 5, "falls": 3, "halved": 2}
    assert recorded.spikes(np.zeros(40)) == {"since": 0, "fallen": 0, "falls": 0, "halved": 0}


def test_whole_games_are_those_that_were_recorded() -> None:
    learner = training.made(small(False).given)
    learner.learn(6)
    found = recorded.shown(learner.history, 1)
    assert [(one["generation"], one["against"]) for one in found[::2]] == [(4, 3), (5, 4)]
    kept = [*whole_games(learner.history, learner.game, 4), *whole_games(learner.history, learner.game, 5)]
    for one, game_kept in zip(found, kept, strict=True):
        assert one["states"][0][0] == int(game_kept.start.split()[0])
        turns = [f"{move[0] + 1}:{move[1]}" for move in one["moves"] if move]
        assert turns == [turn.move for turn in game_kept.record.turns]
        assert (one["moves"][-1:] == [None]) == bool(game_kept.record.fault)
    own = [move[1] for one in found[2:] for move in one["moves"][one["seat"] :: 2] if move]
    assert recorded.largest_take(learner.history, 1, 5) == max(own, default=None)


def test_a_game_is_told_as_the_source_logs_it() -> None:
    assert recorded.said(GAME) == (
        "Champion of generation 997 (second) against that of 99: 8 takes 5, 3 takes 2, 1 illegal."
    )


def test_fifty_opponents_are_twenty_five_distances() -> None:
    distances = {arm.label: arm.settings["opponents"] for arm in pairing.arms(Form())}
    assert (distances[pairing.ROBIN], distances[pairing.OPPONENTS]) == (50, 25)
    rng = stream(1, "pairs")
    met = {tuple(sorted(pair)) for pair in circle(100, 50, rng).tolist()}
    assert len(met) == 100 * 99 // 2  # everybody meets everybody
    pairs = circle(100, 25, rng)
    while len(pairs) < 25 * 100:  # unless the opposite side of the circle is among them, which is one opponent
        pairs = circle(100, 25, rng)
    assert np.bincount(pairs.reshape(-1)).tolist() == [50] * 100


@pytest.mark.slow
def test_the_quick_form_of_every_recipe_can_be_run() -> None:
    pytest.importorskip("torch")
    for recipe in RECIPES:  # in one data folder, since they share measurements
        done = CliRunner().invoke(app, ["study", "run", recipe.name, "--quick", "--json"])
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["rows"]


def test_the_strategy_in_the_source_s_log_has_the_source_s_grade_among_its_like() -> None:
    source = published("stacks-1-8-1")
    itself, perfect = logged.ranges(source["log"], source["taken"])
    assert itself[1] == 15 / 24  # where it takes two of 3, 5 and 7: the 62.5 % that "somewhere above 60 %" says
    assert perfect[1] == 15 / 20
    assert itself[0] < source["grade"] < itself[1]
    ones = dict.fromkeys(range(1, 9), 1)
    assert logged.points_a_move(ones, ones) == 15 / 36
    right = {stack: max(1, stack - 1) for stack in range(1, 9)}
    assert logged.points_a_move(right, ones) == logged.points_a_move(right, right) == 1

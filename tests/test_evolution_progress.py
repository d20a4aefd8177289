"""What keeps evolution going: rare knowledge counts more, and what has come to rest begins anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.learn.evolution.breeding.peak import Peak
from spielwerk.learn.evolution.exams import competition
from spielwerk.learn.evolution.exams.grading import RIGHT
from spielwerk.learn.evolution.genome.outputs import UNKNOWN
from spielwerk.learn.evolution.learner import EvolutionLearner, shared
from spielwerk.learn.evolution.settings import Settings

BY_GRADE: dict[str, Any] = {"fitness": "grade", "population": 20, "champion_games": 2}


def test_each_question_is_worth_the_same_shared_by_those_who_are_right() -> None:
    right = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    np.testing.assert_allclose(shared(right), [1 / 3 + 1 / 3, 1 / 3, 1 / 3 + 1 / 3, 2 / 3])


def test_a_peak_gives_up_only_after_its_patience_and_then_begins_anew() -> None:
    peak = Peak()
    assert [peak.higher(generation, fitness) for generation, fitness in enumerate((0.2, 0.5, 0.4, 0.5))] == [
        True,
        True,
        False,
        True,  # as good as the best: the youngest counts
    ]
    assert not peak.gives_up(3, 3)  # surpassed in generation 1
    assert peak.gives_up(4, 3)
    assert not peak.gives_up(5, 3)
    assert not peak.higher(6, 0.3)  # the best of a new beginning, and not of all
    assert (peak.best, peak.since, peak.ever) == (0.3, 6, 0.5)


@pytest.mark.parametrize("damage", [[0.5] * 3, [np.nan, 0.5, 1, 1], [0.5, 0.5, 9, 1], [0.5, 0.5, -1, 1], [1, 1, 1, 9]])
def test_a_peak_that_cannot_be_is_refused(damage: list[float]) -> None:
    with pytest.raises(ValueError, match="no peak"):
        Peak.of(np.array(damage), 5)


def test_with_patience_all_genomes_are_new_and_the_best_is_kept() -> None:
    settings = Settings(**BY_GRADE, generations=40, patience=2, mutations_max=0, best=0.5, old=0.0, new=0.0)
    learner = EvolutionLearner(sw.game("nim:stacks=3-4-5"), settings, 3)
    first = {tuple(genome.weights) for genome in learner.population.all()}
    learner.learn(2)
    assert {tuple(genome.weights) for genome in learner.population.all()} <= first  # without mutations nothing is new
    learner.learn(1)
    assert not {tuple(genome.weights) for genome in learner.population.all()} & first
    learner.learn(30)
    graded = learner.history.column("positions")
    assert graded[3] < graded.max() or len(set(graded.tolist())) > 1
    people = learner.population
    people.seat(0, [learner.champion()])
    assert learner.grader is not None
    scratch = learner.blueprint.scratch(1)
    means = learner.grader.means(learner.grader.marks(people.networks, scratch, 1))
    assert means[0, RIGHT] == graded.max()


@pytest.mark.parametrize("output", ["direct", "onehot", "afterstate"])
def test_remembered_answers_are_those_that_are_computed(output: str) -> None:
    settings = Settings(generations=5, population=20, output=output, hall=2, mutations_max=3)
    learner = EvolutionLearner(sw.game("nim:stacks=3-4-5"), settings, 1)
    learner.learn(4)
    people, blueprint = learner.population, learner.blueprint
    people.wire(0, people.count)
    pairs = competition.circle(20, 10, learner.rng.copy())
    forgetful = competition.meet(people, pairs, (1, "games"), blueprint.scratch(competition.blocks(len(pairs))))
    scratch = learner._scratch
    scratch.answers.fill(UNKNOWN)
    remembered = competition.meet(people, pairs, (1, "games"), scratch)
    np.testing.assert_array_equal(forgetful.given, remembered.given)
    assert (scratch.answers != UNKNOWN).any()

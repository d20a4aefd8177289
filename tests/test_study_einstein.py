"""The EinStein study to the letter: every published number is shown, and each recipe says where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from spielwerk.games.registry import game
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.studies.einstein import open_work, published
from spielwerk.studies.einstein.factors import by_value, verdict
from spielwerk.studies.einstein.grids import Measured
from spielwerk.studies.einstein.learning import curves, settings_found, tuning
from spielwerk.studies.einstein.left_open.questions import QUESTIONS
from spielwerk.studies.einstein.searches.agent_grids import MCTSE
from spielwerk.studies.einstein.variants import VARIANTS
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.registry import recipe, recipes
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample
from test_studies import pretended

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
AXES = ("iterations", "rollout", "tree", "nodes", *tuning.AXES, "episodes")  # what a number is about
SHOWN_BY = {"chu-2017": ("figure-22", "figure-23"), "rule": ("table-15",)}  # what has no recipe of its own


def einstein() -> list[Recipe]:
    return [one for name, one in recipes().items() if name.startswith("einstein/")]


def numbers(found: Any) -> Iterator[float]:
    """All figures of a published table, without what they are about."""
    if isinstance(found, Mapping):
        for key, value in found.items():
            if key not in ("section", "rollout", "rounded") and not (key in AXES and isinstance(value, int | float)):
                yield from numbers(value)
    elif isinstance(found, list):
        for value in found:
            yield from numbers(value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield float(found)


def shown(name: str) -> set[float]:
    """All numbers that the full report of a recipe holds, as it prints them and as they are printed in the source."""
    known = recipe(f"einstein/{name}")
    report = known.report(Form(), Results({job.key: pretended(job) for job in known.jobs(Form())}))
    text = json.dumps([row.facts() for row in report.rows]) + " ".join(report.notes)
    found = {float(number.replace(",", "")) for number in re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", text)}
    return {round(value, 9) for one in found for value in (one, one / 100)}


def test_every_published_number_is_shown_beside_ours() -> None:
    every = published.everything()
    assert sum(len(list(numbers(table))) for table in every.values()) > 400
    for name, table in every.items():
        held = set().union(*(shown(report) for report in SHOWN_BY.get(name, (name,))))
        unit = table.get("unit", "rate")
        for value in numbers({key: value for key, value in table.items() if key != "settings"}):
            meant = {value, published.rate(value, unit), value / 2}  # a deviation of scores is halved
            assert any(round(one, 9) in held for one in meant), (name, value)


def test_every_recipe_names_the_section_of_its_source() -> None:
    for known in einstein():
        assert re.match(r"sections? [1-7]", known.section), known.name
        name = known.name.removeprefix("einstein/")
        if re.fullmatch(r"(table|figure)-\d+", name):
            assert known.section.endswith(name.replace("-", " "))


def test_the_rule_of_table_15_gives_what_the_source_has_found() -> None:
    for search in tuning.SEARCHES:
        lines = [line for line in published.published(search.table)["rows"] if "median" in line]
        best = max(lines, key=lambda line: settings_found.limit(line["mean"], line["median"]))
        assert {axis: best[axis] for axis in search.axes} == {axis: tuning.FOUND[axis] for axis in search.axes}
    limits = published.published("rule")["limits"]
    for search, limit in ((tuning.ALPHA, limits["alpha"]), (tuning.EPSILON, limits["epsilon"])):
        lines = published.published(search.table)["rows"]
        above = [line for line in lines if line["mean"] > limit and line["median"] > limit]
        assert tuning.FOUND[search.axes[0]] in {line[search.axes[0]] for line in above}


def test_long_trainings_are_measured_wherever_the_source_gives_a_figure() -> None:
    for name in curves.FIGURES:
        source = published.published(name)
        points = curves.points_of(VARIANTS[source["variant"]], Form())
        assert {point["episodes"] for point in source["points"]} <= set(points)


def test_a_setting_matters_by_its_mean_over_all_others() -> None:
    measured: Measured = {
        (tree, nodes): Sample((0.1 * tree + 0.01 * nodes, 0.5)) for tree in (1, 2) for nodes in (3, 5)
    }
    assert by_value(0, measured)[1].values == pytest.approx((0.14, 0.5))
    assert by_value(1, measured)[5].values == pytest.approx((0.2, 0.5))
    assert verdict("nodes", 1, measured).startswith("nodes 5 instead of 3: +1.0 points")


def test_tables_7_to_10_search_as_the_source_does() -> None:
    for number in range(7, 11):
        given = [job.given for job in recipe(f"einstein/table-{number}").jobs(Form()) if "agent" in job.given]
        assert all(job["agent"].endswith(",count=actions,proof=false") for job in given)
        assert {int(nodes) for job in given for nodes in re.findall(r"nodes=(\d+)", job["agent"])} == {450, 500, 550}
    assert MCTSE.settings == 27


def open_job(**more: Any) -> Job:
    match = {
        "name": "free",
        "game": "einstein:board=3,start=free",
        "against": "random",
        "games": 20,
        "seating": "teams",
    }
    settings = {"episodes": 300, "coding": "stones", "tuples": "published"}
    given = {"game": "einstein:board=3", "settings": settings, "seed": 1, "matches": [match], "decisions": 20}
    return Job("einstein.open_work:train", given | more, 1.0)


def test_an_agent_is_measured_with_other_starts_and_by_the_oracle() -> None:
    found = open_job().run(lambda share: None)
    assert 0 < found["rates"]["free"] <= 1
    assert 0 <= found["regret"] < 1
    assert found == open_job().run(lambda share: None)


def test_a_network_moves_to_a_variant_with_the_same_cells_unchanged() -> None:
    learner = TdLearner(game("einstein:board=3"), Settings(episodes=50), 1)
    learner.learn(50)
    other = open_work.moved(learner, "einstein:board=3,start=shared")
    assert other.game.name == "einstein:board=3,start=shared"
    assert (other.network.weights == learner.network.weights).all()
    assert open_work.moved(learner, "einstein:board=3") is learner


def test_open_questions_compare_agents_that_differ_in_one_thing() -> None:
    for question in QUESTIONS:
        for group in question.groups():
            assert len(group) > 1
            assert len({arm.label for arm in group}) == len(group)
            assert len({arm.matches for arm in group}) == 1


def test_figures_against_mctse_can_only_be_win_rates() -> None:
    # Five agents play 20 games each: a mean score of 100 games is a multiple of 2 %.
    for name in ("figure-21", "figure-23"):
        source = published.published(name)
        percents = [round(100 * point["mean"], 6) for point in source["points"]]
        assert source["unit"] == "rate"
        assert all(percent % 1 == 0 for percent in percents)
    assert any(round(100 * point["mean"]) % 2 for point in published.published("figure-21")["points"])


def test_all_four_player_figures_are_read_in_one_way() -> None:
    for name, source in published.everything().items():
        variant = VARIANTS.get(source.get("variant", ""))
        if variant and variant.seating == "mixed":
            assert source["unit"] == "rate", name
            assert source.get("doubtful", False) == (source.get("against", "random") == "random"), name

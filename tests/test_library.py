"""The Python API: the same facts as the commands print, tables and pictures, and one sentence for bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.arena.records.store import Store
from spielwerk.arena.result import Result, html_table
from spielwerk.cli import app
from spielwerk.learn.runs import create
from spielwerk.search.evaluation_estimator import EvaluationEstimator

NIM = "nim:stacks=2-3"
pytestmark = pytest.mark.usefixtures("home")


def printed(*words: str) -> dict[str, Any]:
    """What a command prints with --json."""
    found = CliRunner().invoke(app, [*words, "--json"])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def shows_itself(result: Result) -> None:
    """A result is JSON, a table and a picture."""
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.facts()))
    assert result._repr_html_().startswith("<table>")
    assert isinstance(result.plot(), Figure)
    assert "<svg" in (result._repr_svg_() or "")


def test_all_names_of_the_face_are_there() -> None:
    assert all(hasattr(sw, name) for name in sw.__all__)
    assert isinstance(sw.game("nim").batch(1), sw.Batch)
    assert issubclass(EvaluationEstimator, sw.Estimator)


def test_a_match_has_the_facts_that_its_command_prints() -> None:
    played = sw.match(NIM, "mc:iterations=10", "random", games=30, seed=3, processes=1)
    facts = printed("match", NIM, "mc:iterations=10", "random", "-n", "30", "--seed", "3", "--processes", "1")
    assert played.facts() | {"match": 1} == facts
    shows_itself(played)


def test_a_match_is_kept_only_in_a_store_that_is_given() -> None:
    sw.match(NIM, "random", "random:", games=4)
    with Store() as store:
        assert store.matches() == []
        kept = sw.match(NIM, "random", "mc:iterations=5", games=4, store=store)
        assert [match.number for match in store.matches()] == [kept.match.number]


def test_agents_may_be_objects_and_need_names_of_their_own() -> None:
    game = sw.game(NIM)
    one, other = sw.agent("mcts", game, iterations=5), sw.agent("mcts", game, iterations=5)
    named = sw.match(game, "mcts:iterations=5", "random", games=20, processes=1)
    assert sw.match(game, one, "random", games=20).facts() == named.facts()
    with pytest.raises(sw.BadInput, match=r'Both agents are called "mcts:iterations=5"; give one'):
        sw.match(game, one, other)
    with pytest.raises(sw.BadInput, match="mcts:iterations=5 plays nim:stacks=2-3, not nim"):
        sw.match("nim", one, "random")


def test_an_agent_given_as_an_object_must_be_one_for_the_game() -> None:
    other = sw.agent("random", "nim")
    with pytest.raises(sw.BadInput, match="random plays nim, not nim:stacks=2-3"):
        sw.grade(NIM, other)
    with pytest.raises(sw.BadInput, match="random plays nim, not nim:stacks=2-3"):
        sw.analyse(sw.game(NIM).start(), other)
    with pytest.raises(sw.BadInput, match="random plays nim, not nim:stacks=2-3"):
        sw.tournament(NIM, ["mc", other])


def test_a_tournament_takes_agents_as_objects() -> None:
    agents = ["random", "mc:iterations=5"]
    given = [sw.agent(name, NIM) for name in agents]
    with_objects, named = (sw.tournament(NIM, some, games=20, processes=1) for some in (given, agents))
    assert with_objects.facts() | {"tournament": 2} == named.facts()
    assert sw.tournament(NIM, ["random", given[1]], games=20).facts()["ratings"] == named.facts()["ratings"]
    with pytest.raises(sw.BadInput, match='"random" is named twice'):
        sw.tournament(NIM, ["random", given[0]])


def test_a_tournament_and_the_ladder_have_the_facts_that_their_commands_print() -> None:
    played = sw.tournament(NIM, ["random", "mc:iterations=5"], games=20, processes=1)
    assert printed("tournament", "--resume", "1", "--processes", "1") == played.facts()
    standing = sw.ladder(NIM)
    assert printed("ladder", NIM) == json.loads(standing.to_json())
    shows_itself(played)
    shows_itself(standing)
    with pytest.raises(sw.BadInput, match="There is no match to draw ratings from"):
        sw.ladder("othello").plot()
    assert sw.ladder("othello")._repr_svg_() is None


def test_a_grade_has_the_facts_that_its_command_prints() -> None:
    graded = sw.grade(NIM, "mc:iterations=5", decisions=24)
    assert printed("grade", NIM, "mc:iterations=5", "--decisions", "24") == json.loads(graded.to_json())
    assert graded.regret == graded.facts()["regret"]
    shows_itself(graded)


@pytest.mark.parametrize("decisions", [0, -4])
def test_a_grade_needs_a_decision(decisions: int) -> None:
    with pytest.raises(sw.BadInput, match=f"A grade needs at least one decision, not {decisions}"):
        sw.grade(NIM, "random", decisions=decisions)


def test_an_analysis_has_the_facts_that_its_command_prints() -> None:
    position = sw.game(NIM).start()
    thought = sw.analyse(position, "mcts:iterations=20", seed=2)
    facts = printed("analyse", NIM, "--agent", "mcts:iterations=20", "--seed", "2")
    assert thought.facts() | {"game": NIM, "agent": "mcts:iterations=20"} == facts
    shows_itself(thought)
    assert position._repr_svg_() == position.svg()


def test_before_a_roll_every_roll_is_judged_or_the_one_that_is_named() -> None:
    start = sw.game("einstein:board=3").start()
    thought = sw.analyse(start, "oracle")
    facts = printed("analyse", "einstein:board=3", "--agent", "oracle")
    assert thought.facts() | {"game": "einstein:board=3", "agent": "oracle"} == facts
    assert [roll["roll"] for roll in facts["rolls"]] == ["1", "2", "3"]
    assert thought.value == pytest.approx(2 * 170 / 243 - 1, abs=1e-6)  # X wins with probability 170/243
    shows_itself(thought)
    named = printed("analyse", "einstein:board=3", "--agent", "oracle", "--roll", "2")
    assert named["value"] == facts["rolls"][1]["value"]
    assert sw.analyse(start, "oracle", roll="2").facts()["moves"] == named["moves"]
    assert (
        len(printed("analyse", "backgammon", ".b....E.C...eE...c.e....B. X roll", "--agent", "pubeval")["rolls"]) == 21
    )
    with pytest.raises(sw.BadInput, match='"7" cannot be rolled here; possible: 1, 2, 3'):
        sw.analyse(start, "oracle", roll="7")
    assert [(move.move, move.value) for move in thought.moves] == [(roll.move, roll.value) for roll in thought.rolls]
    assert sum(move.probability or 0 for move in thought.moves) == pytest.approx(1)
    assert (sw.analyse(start, "oracle", roll="2").rolls, thought.note, thought.distance) == ((), "", None)
    silent = sw.analyse(start, "random")
    assert silent.value is None
    with pytest.raises(sw.BadInput, match="does not value rolls"):
        silent.plot()


def test_a_game_stands_for_its_start_in_an_analysis() -> None:
    of_start = sw.analyse(sw.game(NIM).start(), "oracle")
    assert sw.analyse(NIM, "oracle") == sw.analyse(sw.game(NIM), "oracle") == of_start


@pytest.mark.parametrize(
    ("ask", "given", "sentence"),
    [
        (sw.analyse, ("nmi", "oracle"), 'no game "nmi"'),
        (sw.analyse, (None, "oracle"), r"A game is given by its name or as sw\.game\(NAME\), not as nothing"),
        (sw.analyse, (NIM, None), r"An agent is given by its name or as sw\.agent\(NAME, game\), not as nothing"),
        (sw.grade, (NIM, 3), "An agent is given by its name .* not as an object of type int"),
        (sw.match, (3, "random", "random"), "A game is given by its name .* not as an object of type int"),
    ],
)
def test_what_is_neither_a_game_nor_an_agent_is_refused_in_a_sentence(
    ask: Callable[..., Any], given: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(sw.BadInput, match=sentence):
        ask(*given)


def test_an_analysis_needs_somebody_to_move() -> None:
    over = sw.game(NIM).start().play("1:2").play("2:3")
    with pytest.raises(sw.BadInput, match="There is no move to think about: the game is over"):
        sw.analyse(over, "random")


def test_a_run_that_was_trained_has_the_facts_that_its_command_prints() -> None:
    run = sw.train("td", NIM, name="one", episodes=200, evaluation={"games": 20, "decisions": 10}, seeds=[4, 7])
    facts = printed("runs", "show", "one")
    assert {key: facts[key] for key in run.facts()} == json.loads(run.to_json())
    assert (run.finished, [one.name for one in sw.runs()], sw.run("one").run.config.seeds) == (True, ["one"], (4, 7))
    shows_itself(run)
    with pytest.raises(sw.BadInput, match="The run one is finished"):
        sw.resume("one")
    with pytest.raises(sw.BadInput, match='td has no setting "episode"'):
        sw.train("td", NIM, episode=10)


def trained(name: str, **settings: Any) -> None:
    """A short run."""
    sw.train("td", NIM, name=name, episodes=100, evaluation={"games": 10, "decisions": 10}, **settings)


def test_runs_that_can_be_read_are_listed_whatever_is_wrong_with_others(home: Path) -> None:
    for name in ("config", "measurements", "whole"):
        trained(name)
    (home / "runs" / "config" / "run.toml").write_text("episodes = [")
    (home / "runs" / "measurements" / "seed-1" / "measurements.jsonl").write_text("{")
    assert [one.name for one in sw.runs()] == ["whole"]
    listed = {one["run"]: one.get("problem", "") for one in printed("runs")["runs"]}
    assert "is not TOML" in listed["config"]
    assert "is damaged" in listed["measurements"]
    assert listed["whole"] == ""


def test_a_comparison_has_the_facts_that_its_command_prints() -> None:
    trained("one")
    trained("two", alpha=0.01, seeds=[3, 4])
    compared = sw.compare("one", "two")
    assert printed("runs", "compare", "one", "two") == json.loads(compared.to_json()) | {"curves": None}
    assert compared.differing() == {"alpha": [sw.run("one").run.config.settings["alpha"], 0.01]}
    heads, rows = compared.table()
    assert heads == (NIM, ">one", ">two")
    assert rows[:2] == [["episodes", "100", "100"], ["seeds", "1", "2"]]
    shows_itself(compared)


def test_only_different_runs_of_one_game_of_which_something_was_measured_are_compared() -> None:
    trained("one")
    create(replace(sw.run("one").run.config, game="nim"), "nim")
    create(sw.run("one").run.config, "new")
    create(sw.run("one").run.config, "newer")
    with pytest.raises(sw.BadInput, match="Name two or more different runs"):
        sw.compare("one", "one")
    with pytest.raises(sw.BadInput, match="one plays nim:stacks=2-3, nim plays nim"):
        sw.compare("one", "nim")
    with pytest.raises(sw.BadInput, match="Nothing has been measured yet for new, newer"):
        sw.compare("new", "newer")


def test_solving_has_the_facts_that_its_command_prints() -> None:
    solved, facts = sw.solve(NIM), printed("solve", NIM)
    assert solved.facts() | {"seconds": 0} == facts | {"seconds": 0}
    with pytest.raises(sw.BadInput, match="is not solved in sectors"):
        solved.plot()
    assert solved._repr_svg_() is None
    with pytest.raises(sw.BadInput, match='solve nim has no setting "stones"'):
        sw.solve(NIM, stones=3)


def test_tables_for_notebooks_escape_what_names_hold() -> None:
    made = html_table(("a", ">b"), [["<i>", "1"]])
    assert '<td style="text-align: left">&lt;i&gt;</td><td style="text-align: right">1</td>' in made

"""Grading against oracles: where positions come from, what the figures must be, and the command."""

from __future__ import annotations

import doctest
import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import spielwerk as sw
from recursion import Recursion, Small, expected, turns_left, use
from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.grading.examination import Examination, examination
from spielwerk.arena.grading.grade import answers, grade
from spielwerk.arena.grading.sampling import from_own_play, from_random_play, turns_played
from spielwerk.cli import app
from spielwerk.solvers.oracle import Oracle, Truth, oracle
from variants import random_positions

NIM, EINSTEIN = "nim:stacks=3-4-5", "einstein:board=3,stones=2"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of its own."""
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))


class Worst(Agent):
    """Takes the turn that costs most, by the rules alone."""

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
        """The worst turn."""
        return min(position.turns(), key=lambda turn: (1, -1)[position.mover] * expected(turn.end)).text


def words(exam: Examination) -> list[tuple[int, ...]]:
    return [question.position.words for question in exam.questions]


@pytest.mark.parametrize("name", [NIM, EINSTEIN])
def test_the_oracle_loses_nothing_and_the_worst_choice_all_there_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Recursion)
    game = sw.game(name)
    exam = examination(Recursion(game), decisions=120)
    best, worst = exam.examine(sw.agent("oracle", game)).whole, exam.examine(Worst(game, NoSettings())).whole
    assert (best.decisions, best.perfect, best.regret) == (120, 1, 0)
    spans = []
    for question in exam.questions:
        values = [expected(turn.end) for turn in question.position.turns()]
        spans.append(max(values) - min(values))
    assert worst.regret == pytest.approx(np.mean(spans))
    assert worst.regret_interval[0] < worst.regret < worst.regret_interval[1]


def test_best_class_and_perfection_are_counted_as_recursion_counts_them() -> None:
    game = sw.game(NIM)
    exam = examination(oracle(game), decisions=200)
    ends = answers(sw.agent("random", game), exam.questions, 5)
    kept, perfect = [], []
    for question, end in zip(exam.questions, ends, strict=True):
        here, there = question.position, sw.Position(game, np.array(end))
        good = [turn.end for turn in here.turns() if expected(turn.end) == expected(here)]
        most = min if expected(here) * (1, -1)[here.mover] > 0 else max
        kept.append(there in good)
        perfect.append(there in good and turns_left(there) == most(turns_left(one) for one in good))
    found = grade(exam.questions, ends)
    assert (found.best_class, found.perfect) == (np.mean(kept), np.mean(perfect))
    assert found.regret == pytest.approx(2 * (1 - np.mean(kept)))


def test_picking_at_random_gets_what_chance_gives() -> None:
    """In nim a turn is an action, so that the random mover picks every turn alike."""
    found = examination(oracle(sw.game("nim")), decisions=1000).examine(sw.agent("random", "nim")).whole
    assert found.best_class == pytest.approx(found.chance, abs=4 * 0.5 / 1000**0.5)


def test_where_chance_decides_there_is_no_class_but_an_exact_expectation() -> None:
    report = examination(Recursion(sw.game(EINSTEIN)), decisions=60).examine(sw.agent("random", EINSTEIN))
    assert report.whole.best_class is None
    assert 0 < report.whole.perfect < 1
    assert 0 < report.whole.chance < 1


def test_the_public_set_is_the_same_for_every_seed_and_a_longer_one_begins_with_it() -> None:
    truth = oracle(sw.game("nim"))
    one, other, longer = (examination(truth, ["public"], n, seed) for n, seed in ((50, 1), (50, 2), (80, 1)))
    assert words(one) == words(other) == words(longer)[:50]
    same, again, another = (examination(truth, ["random"], 50, seed) for seed in (1, 1, 2))
    assert words(same) == words(again) != words(another)
    assert words(same) != words(one)


def test_positions_come_from_all_sources_in_equal_parts_and_games_are_never_mixed_up() -> None:
    agent = sw.agent("alphabeta:depth=1", "nim")
    exam = examination(oracle(agent.game), ["own", "random", "public"], 100, agent=agent)
    assert [exam.sources.count(source) for source in ("own", "random", "public")] == [33, 33, 34]
    games = [
        {game for game, one in zip(exam.games.tolist(), exam.sources, strict=True) if one == source}
        for source in set(exam.sources)
    ]
    assert len(set.union(*games)) == sum(map(len, games))
    assert set(exam.examine(agent).phases) == {"opening", "middle", "end"}


class Flat(Oracle):
    """Holds every position for drawn."""

    def truth(self, position: sw.Position) -> Truth:
        """A draw."""
        return Truth(0.0)


@pytest.mark.parametrize("name", ["morris", "backgammon:checkers=3", "othello:size=4", EINSTEIN])
def test_every_position_is_a_decision_at_the_beginning_of_a_turn(name: str) -> None:
    game = sw.game(name)
    for question in examination(Flat(game), ["random"], 40).questions:
        assert len(question.position.turns()) == len(question.worths) > 1
        assert game.parse(str(question.position)) == question.position  # a text does not tell what was done in a turn


def test_an_agent_that_draws_nothing_still_plays_many_games_of_its_own() -> None:
    found = [list(decisions) for decisions in from_own_play(sw.agent("alphabeta:depth=1", "nim"), 1, 32)]
    assert len(found) == 32
    assert len({decision.position for decisions in found for decision in decisions}) > 50
    phases = [decision.phase for decisions in found for decision in decisions]
    assert all(phases.count(phase) > 10 for phase in ("opening", "middle", "end"))


def test_own_games_follow_the_agents_choices() -> None:
    """An agent that always takes all of the first stack never sees a first stack that is partly used."""

    class Greedy(Agent):
        def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> int:
            return max(position.actions(), key=lambda action: (-(action % 2), action))

    games = from_own_play(Greedy(sw.game("nim:stacks=3-4"), NoSettings()), 1, 8)
    assert {decision.position.words[1:] for decisions in games for decision in decisions} == {(3, 4), (0, 4)}


def test_turns_are_told_from_traces_with_rolls_and_turns_of_several_actions() -> None:
    game = sw.game("backgammon:checkers=3")
    positions, trace = random_positions(game, 4), []
    for position in positions[:-1]:
        steps = position.outcomes() if position.chance else [(action, 1) for action in position.actions()]
        follow = position.roll if position.chance else position.play
        trace.append(next(number for number, _ in steps if follow(number) == positions[len(trace) + 1]))
    turns = [
        tuple(sw.Position(game, state) for state in pair) for pair in turns_played(game, positions[0].state, trace)
    ]
    assert all(not start.chance and end.mover != start.mover for start, end in turns)
    assert all(end in [turn.end for turn in start.turns()] for start, end in turns)
    movers = [position.mover for position in positions]
    assert len(turns) == sum(who >= 0 and after != who for who, after in itertools.pairwise(movers))
    assert turns[-1][1] == positions[-1]


def test_what_the_oracle_does_not_know_is_passed_over_and_counted() -> None:
    game = sw.game("nim:stacks=3-3")
    exam = examination(Small(game), ["random"], 300)
    assert len(exam.questions) == 300
    for question in exam.questions:
        assert all(turn.end.over or sum(turn.end.words[1:]) <= 4 for turn in question.position.turns())
    games = [list(decisions) for decisions in from_random_play(game, 9, "test", 2000)]
    looked_at = [decision.position for decisions in games for decision in decisions[:2]]
    share = np.mean([max(sum(turn.end.words[1:]) for turn in one.turns()) <= 4 for one in looked_at])
    assert exam.examine(sw.agent("random", game)).known == pytest.approx(share, abs=4 * 0.5 / len(exam.tried) ** 0.5)


class Ignorant(Oracle):
    """Knows nothing."""

    def truth(self, position: sw.Position) -> Truth | None:
        """It is not known."""

    def limits(self) -> str:
        """In words."""
        return "nothing at all"


def test_an_oracle_that_knows_none_of_the_decisions_is_an_error_in_words() -> None:
    with pytest.raises(sw.BadInput, match="The oracle of nim knows nothing at all"):
        examination(Ignorant(sw.game("nim")), ["random"], 100)
    with pytest.raises(sw.BadInput, match="knows nothing at all"):  # and there is none to be found
        examination(Ignorant(sw.game("nim:stacks=1")), ["random"], 100)
    with pytest.raises(sw.BadInput, match='no source of positions "elsewhere"'):
        examination(Ignorant(sw.game("nim")), ["elsewhere"], 100)


def test_decisions_of_one_game_are_worth_less_than_decisions_of_many() -> None:
    game = sw.game("nim")
    exam = examination(oracle(game), ["random"], 100)
    ends = answers(sw.agent("random", game), exam.questions, 1)
    single = grade(exam.questions, ends).regret_interval
    fourfold = grade(exam.questions * 4, ends * 4, np.tile(np.arange(100), 4)).regret_interval
    alone = grade(exam.questions * 4, ends * 4).regret_interval
    assert fourfold == pytest.approx(single)
    assert alone[1] - alone[0] == pytest.approx((single[1] - single[0]) / 2, rel=0.02)


def test_backgammon_is_also_measured_in_thousandths_of_a_point() -> None:
    class Pips(Oracle):
        def truth(self, position: sw.Position) -> Truth:
            return Truth(0.001 * sum(position.words[2:8]))

    name = "backgammon:checkers=3"
    facts = examination(Pips(sw.game(name)), ["random"], 50).examine(sw.agent("random", name)).facts()
    assert facts["memg"] == 1000 * facts["regret"]


def run(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["grade", *arguments, "--json"], catch_exceptions=False)
    return json.loads(done.stdout)


def test_the_command_prints_one_object_and_the_same_for_the_same_seed() -> None:
    arguments = ("nim", "mcts:iterations=20", "--decisions", "90")
    found = run(*arguments)
    figures = {"decisions", "best_class", "perfect", "regret", "regret_interval"}
    assert figures | {"known", "phases", "sources"} <= found.keys()
    assert (found["decisions"], found["known"]) == (90, 1)
    assert set(found["sources"]) == {"own", "random", "public"}
    for split in ("phases", "sources"):
        parts = found[split].values()
        assert sum(part["decisions"] for part in parts) == 90
        assert sum(part["decisions"] * part["regret"] for part in parts) == pytest.approx(90 * found["regret"])
    assert found == run(*arguments) != run(*arguments, "--seed", "2")


def test_a_table_for_people_and_a_plot(tmp_path: Path) -> None:
    for name in ("grade.png", "grade.svg"):
        arguments = ["grade", "nim", "random", "--decisions", "60", "--plot", str(tmp_path / name)]
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0
        assert all(word in done.stdout for word in ("opening", "own games", "random play", "public set", "by chance"))
    assert (tmp_path / "grade.png").read_bytes().startswith(b"\x89PNG")
    assert "public set" in (tmp_path / "grade.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nim", "random", "--positions", "pubic"), 'There is no source of positions "pubic". Did you mean "public"?'),
        (("nim", "random", "--plot", "grade.pdf"), 'A plot is a .png or .svg file, not "grade.pdf".'),
        (("nim", "random", "--knows", "stones=4"), 'oracle has no setting "stones".'),
        (("nim", "ranom"), 'There is no agent "ranom".'),
    ],
)
def test_what_cannot_be_graded_is_refused_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refusal:
        CliRunner().invoke(app, ["grade", *arguments], catch_exceptions=False)
    assert sentence in str(refusal.value)


def test_the_examples_of_the_page_on_grading_print_what_it_says() -> None:
    page = Path(__file__).parents[1] / "docs" / "grade.md"
    text = re.sub(r"^```.*$", "", page.read_text(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    assert doctest.DocTestRunner().run(test) == (0, 5)

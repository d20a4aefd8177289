"""Grades: right is what the published rule calls right, in every position and in games against perfect play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from evolution_genomes import blueprint, by_hand, grown, staged
from evolution_reference import (
    NimPlayer,
    Player,
    end,
    moves,
    nim_grade,
    nim_loss,
    nim_moves,
    nim_points,
    nim_positions,
    right,
    starts_of,
)
from recursion import expected
from spielwerk.learn.evolution.exams.exam import exam
from spielwerk.learn.evolution.exams.grader import Grader
from spielwerk.learn.evolution.exams.grading import REGRET, RIGHT
from spielwerk.learn.evolution.genome.genome import Genome

KEY = (1, "graded games")
ONE_STACK = "nim:stacks=8,sizes=random"
GAMES = [
    ("nim:stacks=8", {"output": "onehot"}),
    (ONE_STACK, {"output": "direct"}),
    ("nim:stacks=3-4-5", {"output": "direct", "illegal": "safe"}),
    ("nim:stacks=3-4-5,sizes=random", {"output": "onehot"}),
    ("nim", {}),
    ("nim:misere=false", {"output": "onehot"}),
]


def grader_of(frame: Any, decisions: int = 1000) -> Grader:
    """Puts the questions of a game to genomes."""
    asked = exam(frame.game, decisions)
    assert asked is not None
    return Grader(frame, asked)


def marks_of(grader: Grader, genomes: list[Genome], threads: int = 1) -> np.ndarray:
    """The share of right decisions and the loss of each genome."""
    stage = staged(grader.blueprint, genomes)
    scratch = grader.blueprint.scratch(len(genomes))
    return grader.means(grader.marks(stage.networks, scratch, len(genomes), threads))


def in_games(grader: Grader, genome: Genome, games: int = 50) -> float:
    """The grade of one genome in games against perfect play."""
    stage = staged(grader.blueprint, [genome])
    return grader.in_games(stage.networks, grader.blueprint.scratch(1), games, KEY).decisions


def points_of(grader: Grader, genomes: list[Genome], games: int = 50) -> tuple[float, float]:
    """Points a move of the first genome: against the others, and against perfect play."""
    stage, scratch = staged(grader.blueprint, genomes), grader.blueprint.scratch(len(genomes))
    against = grader.against(stage.networks, scratch, len(genomes) - 1, KEY)
    return against.points, grader.in_games(stage.networks, scratch, games, KEY).points


@pytest.mark.parametrize("game", [name for name, _ in GAMES])
def test_an_exam_asks_every_decision_that_can_come_up(game: str) -> None:
    variant = sw.game(game)
    asked = exam(variant, 1000)
    assert asked is not None
    assert asked.complete
    found = {(one.position.mover, one.position.words[1:]) for one in asked.questions}
    assert found == {(mover, stacks) for mover, stacks in nim_positions(variant) if len(moves(stacks)) > 1}


def test_an_exam_calls_right_what_the_rule_calls_right() -> None:
    for game in ("nim", "nim:stacks=3-4-5,misere=false"):
        variant = sw.game(game)
        asked, misere = exam(variant, 1000), variant.settings.misere
        assert asked is not None
        assert asked.actions is not None
        for q, one in enumerate(asked.questions):
            stacks = one.position.words[1:]
            for option in range(asked.first[q], asked.first[q + 1]):
                take, stack = divmod(int(asked.actions[option]), len(stacks))
                assert asked.marks[option, RIGHT] == right(stacks, (stack, take + 1), misere)
                assert asked.ends[option].tolist()[1 + stack] == stacks[stack] - take - 1


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_genomes_are_graded_as_plain_python_grades_them(game: str, settings: dict[str, Any]) -> None:
    frame = blueprint(game, **settings)
    grader, genomes = grader_of(frame), grown(frame, 20, 100)[::2]
    marks = marks_of(grader, genomes)
    players = [NimPlayer(frame, genome) for genome in genomes]
    np.testing.assert_allclose(marks[:, RIGHT], [nim_grade(player, frame.game) for player in players])
    np.testing.assert_allclose(marks[:, REGRET], [nim_loss(player, frame.game) for player in players])
    assert len(set(marks[:, RIGHT].tolist())) > 1
    starts = starts_of(frame.game, *KEY, 50)
    for genome, player in zip(genomes, players, strict=True):
        points, made = nim_points(player, starts)
        np.testing.assert_allclose(in_games(grader, genome), points / made if made else np.nan)


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_points_are_those_of_all_moves_as_plain_python_counts_them(game: str, settings: dict[str, Any]) -> None:
    frame = blueprint(game, **settings)
    grader, genomes = grader_of(frame), grown(frame, 8, 100)
    players = [NimPlayer(frame, genome) for genome in genomes]
    for first in range(3):
        chosen = [genomes[first], *genomes[3:]]
        starts, others = starts_of(frame.game, *KEY, len(chosen) - 1), players[3:]
        met = [nim_moves(players[first], other, [start]) for start, other in zip(starts, others, strict=True)]
        points, made = np.sum(met, axis=0)
        alone, moves_made = nim_moves(players[first], None, starts_of(frame.game, *KEY, 50))
        np.testing.assert_allclose(points_of(grader, chosen), (points / made, alone / moves_made))


def test_the_strategy_in_the_source_s_log_has_the_source_s_grade() -> None:
    frame = blueprint(ONE_STACK, output="onehot")
    genome = by_hand(frame, [[0, 0, 1, 0, 0, 0, 0, 0, 0]], [0, 2.5, 0, -9, -9, -9, -9, -9, -9])
    two = NimPlayer(frame, genome)
    assert [two.move((n,)) for n in range(1, 9)] == [(0, 1), (0, 1), *[(0, 2)] * 6]  # two, as long as there are three
    starts = [(n,) for n in range(1, 9)]
    assert nim_moves(two, two, starts) == (15, 24)  # 62.5 %: "somewhere above 60 %"
    assert nim_moves(two, None, starts) == (15, 20)
    assert nim_points(two, starts) == (2, 7)  # ours: of the decisions against perfect play


def test_grades_do_not_depend_on_threads() -> None:
    frame = blueprint("nim:stacks=8", output="onehot")
    grader, genomes = grader_of(frame), grown(frame, 100, 50)
    np.testing.assert_array_equal(marks_of(grader, genomes), marks_of(grader, genomes, 3))


def test_the_published_problem_has_a_solution_with_one_hot_output() -> None:
    frame = blueprint(ONE_STACK, output="onehot")
    amounts = np.arange(1, 9)
    # Amount k is the largest where matches lie between k + 1/2 and k + 3/2; one match leaves nothing to choose.
    genome = by_hand(frame, [[0, *amounts / 40]], [0, *-(amounts + amounts**2 / 2) / 40])
    assert marks_of(grader_of(frame), [genome])[0].tolist() == [1.0, 0.0]
    assert in_games(grader_of(frame), genome) == 1.0
    assert [NimPlayer(frame, genome).move((n,)) for n in range(2, 9)] == [(0, n - 1) for n in range(2, 9)]


def test_the_published_problem_has_a_solution_with_direct_output() -> None:
    frame = blueprint(ONE_STACK, output="direct")
    genome = by_hand(frame, [[0, 1]], [0, -1])
    assert marks_of(grader_of(frame), [genome])[0].tolist() == [1.0, 0.0]
    assert in_games(grader_of(frame), genome) == 1.0
    worse = by_hand(frame, [[0, 1]], [0, 0])  # it takes everything
    assert marks_of(grader_of(frame), [worse])[0].tolist() == [0.0, 2.0]
    illegal = by_hand(frame, [[0, 1]], [2, -1])  # there is one stack only
    assert marks_of(grader_of(frame), [illegal])[0].tolist() == [0.0, 2.0]


def test_in_a_lost_position_only_the_longest_delay_is_right() -> None:
    assert end((1, 1, 1), True) == (False, 3)
    assert end((3, 3), True) == (False, 5)  # 3-2, 2-2, and then three turns more
    assert [move for move in moves((3, 3)) if right((3, 3), move, True)] == [(0, 1), (1, 1)]
    assert end((2, 2), True) == (False, 3)
    assert [move for move in moves((2, 2)) if right((2, 2), move, True)] == moves((2, 2))
    assert [move for move in moves((3, 4, 5)) if right((3, 4, 5), move, True)] == [(0, 2)]


def test_where_dice_decide_the_highest_expectation_is_right() -> None:
    frame = blueprint("einstein:board=3")
    grader, genomes = grader_of(frame, 150), grown(frame, 6, 60)
    marks = marks_of(grader, genomes)
    for genome, (share, loss) in zip(genomes, marks.tolist(), strict=True):
        lost = [loss_of(Player(frame, genome), one.position) for one in grader.exam.questions]
        assert share == pytest.approx(np.mean([abs(value) < 1e-9 for value in lost]))
        assert loss == pytest.approx(np.mean(lost))
    assert np.isnan(in_games(grader, genomes[0]))  # since these are not all decisions


def loss_of(player: Player, position: sw.Position) -> float:
    """What a network's move loses, by the rules alone."""
    side = (1, -1)[position.mover]
    values = {action: side * expected(position.play(action)) for action in position.actions()}
    return max(values.values()) - values[player.action(position)]


@pytest.mark.parametrize("name", ["morris", "othello:size=4", "backgammon"])
def test_turns_of_any_length_are_graded(name: str) -> None:
    frame = blueprint(name, most_hidden=3)
    grader, genomes = grader_of(frame, 40), grown(frame, 5, 20)
    marks = marks_of(grader, genomes)
    assert ((marks[:, RIGHT] >= 0) & (marks[:, RIGHT] <= 1) & (marks[:, REGRET] >= 0)).all()
    perfect = grader.exam.marks[grader.exam.best]
    assert perfect[:, RIGHT].all()
    assert not perfect[:, REGRET].any()
    for genome, mark in zip(genomes[:2], marks, strict=False):
        np.testing.assert_allclose(mark, by_turns(grader, genome), atol=1e-12)


def by_turns(grader: Grader, genome: Genome) -> np.ndarray:
    """The marks of a genome that looks at the end of each whole turn."""
    player, total = Player(grader.blueprint, genome), np.zeros(2)
    for one, first in zip(grader.exam.questions, grader.exam.first.tolist(), strict=False):
        me, game = one.position.mover, one.position.game
        values = [player._settled(sw.Position(game, np.array(words)), me) for words in one.worths]
        total += grader.exam.marks[first + values.index(max(values))]
    return total / len(grader.exam.questions)

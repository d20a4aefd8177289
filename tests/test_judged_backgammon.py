"""Judged decisions of backgammon: losses in thousandths of a point, and records that are not right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.grading.examination import judged_examination
from spielwerk.arena.grading.grade import Grade
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.cli import app
from spielwerk.games.face.backgammon import checkers

Record = dict[str, Any]
Records = Callable[[str], Iterator[Any]]

FILE = "backgammon/gnubg_judged.jsonl.gz"
GAME = sw.game("backgammon:scoring=full")


class Judge(Agent):
    """Plays the best turn, or the worst."""

    worst = False
    asked: list[Question]

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
        """The turn that is judged so."""
        worths = next(question.worths for question in self.asked if question.position == position)
        turns = sorted(position.turns(), key=lambda turn: worths[turn.end.words].score)
        return turns[0 if self.worst else -1].text


def graded(read: list[Question], worst: bool) -> Grade:
    judge = Judge(GAME, NoSettings())
    judge.asked, judge.worst = read, worst
    return judged_examination(read).examine(judge).whole


@pytest.fixture(scope="module")
def read(refs: Path) -> list[Question]:
    return [ask() for ask in questions(GAME, refs / FILE, 100)]


def test_who_plays_best_loses_nothing_and_who_plays_worst_all_that_can_be_lost(
    read: list[Question], records: Records
) -> None:
    best, worst = graded(read, worst=False), graded(read, worst=True)
    assert (best.regret, best.perfect, best.memg) == (0, 1, 0)
    equities = [[after[1] for after in record["afters"]] for record in list(records(FILE))[::20]]
    lost = np.mean([max(each) - min(each) for each in equities])
    assert worst.memg == pytest.approx(1000 * lost)
    assert worst.regret == pytest.approx(lost)
    assert worst.chance == pytest.approx(np.mean([np.mean(np.array(each) == max(each)) for each in equities]))


def test_a_position_is_the_judged_one_with_its_dice(read: list[Question], records: Records) -> None:
    for question, record in zip(read, list(records(FILE))[::20], strict=True):
        position = question.position
        assert [checkers(position.words, player) for player in (1, 0)] == record["board"]
        assert sorted(position.words[2:4]) == sorted(record["dice"])
        assert len(question.worths) == len(record["afters"])


def test_phases_are_told_apart(read: list[Question]) -> None:
    for question in read:
        own, other = (checkers(question.position.words, player) for player in (0, 1))
        met = any(own[p] and other[q] and p + q > 23 for p in range(25) for q in range(25))
        home = not any(own[6:])
        assert question.phase == ("contact" if met else "bear-off" if home else "race")
    assert {question.phase for question in read} == {"contact", "race", "bear-off"}


def test_the_command_prints_the_loss_in_thousandths_with_its_interval(refs: Path) -> None:
    words = ["grade", "backgammon", "random", "--judged", str(refs / FILE), "--limit", "200", "--json"]
    found = json.loads(CliRunner().invoke(app, words, catch_exceptions=False).stdout)
    assert found["decisions"] == 200
    assert found["memg"] == pytest.approx(1000 * found["regret"])
    low, high = found["memg_interval"]
    assert low < found["memg"] < high
    assert [low, high] == pytest.approx([1000 * end for end in found["regret_interval"]])
    assert set(found["phases"]) == {"contact", "race", "bear-off"}


ACE = [1] + [0] * 24
TWO = [0, 1] + [0] * 23
GONE = [0] * 25
RIGHT: Record = {"board": [ACE, [1, 1] + [0] * 23], "dice": [1, 1], "afters": [[[ACE, GONE], 1.0, 2]]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dice": None}, 'line 2: a judged decision needs a "board"'),
        ({"afters": {}}, 'needs a "board", its "dice" and its "afters"'),
        ({"board": [ACE]}, "a board has two sides"),
        ({"board": [ACE, 7]}, "a board has two sides"),
        ({"board": [ACE, [16, *GONE[1:]]]}, "a board has two sides"),
        ({"board": [ACE, [True, *GONE[1:]]]}, "a board has two sides"),
        ({"board": [ACE, GONE]}, "X has 0 checkers left"),
        ({"dice": [7, 1]}, "is not a position of backgammon"),
        ({"dice": [1]}, "is not a position of backgammon"),
        ({"afters": [[[ACE, GONE], "good"]]}, "judged by a board and its equity"),
        ({"afters": [[[ACE, GONE], float("nan")]]}, "line 2 is not JSON"),
        ({"afters": [[[ACE, GONE]]]}, "judged by a board and its equity"),
        ({"afters": []}, 'the move ".*/off.*" is not judged'),
        ({"afters": [*RIGHT["afters"], [[ACE, TWO], 0.5]]}, "2 plays are judged, but 1 are legal"),
        ({"afters": [*RIGHT["afters"], *RIGHT["afters"]]}, "2 plays are judged, but 1 are legal"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, change: Record, reason: str) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in ({"header": {}}, RIGHT | change)))
    with pytest.raises(sw.BadInput, match=reason):
        [ask() for ask in questions(GAME, path)]


def test_the_right_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in ({"header": {}}, RIGHT)))
    (question,) = (ask() for ask in questions(GAME, path))
    assert [worth.score for worth in question.worths.values()] == [1.0]

"""Grading: agents that know the truth or its opposite, figures counted by hand, and files that are not right."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.grading.examination import judged_examination
from spielwerk.arena.grading.grade import Grade, answers, grade
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.cli import app

HEADER = {"header": {"what": "exact values"}}
# Three men each: white closes c5-d5-e5 and has won, or jumps elsewhere.
JUMPING = "OO******/O*******/@**@*@** w m s 3 0 3 0"
Record = dict[str, Any]


def record(text: str, value: Callable[[str], int]) -> Record:
    """A judged position in which `value` says what each move is worth."""
    return {"position": text, "moves": {move: value(move) for move in sw.game("morris").parse(text).moves()}}


@pytest.fixture
def records() -> list[Record]:
    """Two positions: in one a mill wins at once; in the other a placing wins slowly, one fast, and one loses."""
    values = {"d6": 9, "a7": 7, "a1": -4}
    start = str(sw.game("morris").start())
    return [record(JUMPING, lambda move: int("x" in move)), record(start, lambda move: values.get(move, 0))]


def write(path: Path, records: list[Record]) -> Path:
    path.write_text("\n".join(json.dumps(one) for one in [HEADER, *records]) + "\n")
    return path


def asked(path: Path, limit: int = 0) -> list[Question]:
    return [read() for read in questions(sw.game("morris"), path, limit)]


class Told(Agent):
    """Chooses what it is told."""

    moves: dict[str, str]

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
        """The move for this position."""
        return self.moves[str(position)]


def graded(path: Path, *chosen: str) -> Grade:
    """The grade of an agent that plays these moves, one in each position."""
    told, read = Told(sw.game("morris"), NoSettings()), asked(path)
    told.moves = {str(question.position): move for question, move in zip(read, chosen, strict=True)}
    return grade(read, answers(told, read, 1))


def test_the_best_class_counts_and_the_distance_only_for_perfection(tmp_path: Path, records: list[Record]) -> None:
    path = write(tmp_path / "judged.jsonl", records)
    winning = next(move for move in records[0]["moves"] if "x" in move)
    quiet = next(move for move in records[0]["moves"] if "x" not in move)
    cases = {
        (winning, "a7"): (1, 1, 0),
        (winning, "d6"): (1, 0.5, 0),
        (quiet, "b4"): (0, 0, 1),
        (quiet, "a1"): (0, 0, 1.5),
    }
    for moves, (best_class, perfect, regret) in cases.items():
        found = graded(path, *moves)
        assert (found.decisions, found.best_class, found.perfect, found.regret) == (2, best_class, perfect, regret)
        assert found.regret_interval[0] <= regret <= found.regret_interval[1]


def test_of_losses_the_latest_is_the_best(tmp_path: Path) -> None:
    start = str(sw.game("morris").start())
    path = write(tmp_path / "judged.jsonl", [record(start, lambda move: -20 if move == "d6" else -6)])
    assert (graded(path, "d6").perfect, graded(path, "a7").perfect) == (1, 0)
    assert graded(path, "a7").best_class == 1


def test_chance_is_the_share_of_best_turns_and_phases_are_told_apart(refs: Path) -> None:
    path = refs / "morris" / "judged.jsonl.gz"
    with gzip.open(path, "rt") as lines:
        values = [list(json.loads(line)["moves"].values()) for line in list(lines)[1::20]]
    best = [[np.sign(value) == np.sign(max(each)) for value in each] for each in values]
    read = asked(path, 600)
    report = judged_examination(read).examine(sw.agent("random", "morris"))
    assert report.whole.chance == pytest.approx(np.mean([np.mean(each) for each in best]))
    assert list(report.phases) == ["placing", "moving", "jumping"]
    assert sum(part.decisions for part in report.phases.values()) == 600


def test_an_agent_in_compiled_code_gets_the_grade_it_gets_move_by_move(refs: Path) -> None:
    read = asked(refs / "morris" / "judged.jsonl.gz", 130)
    random = sw.agent("random", "morris")
    ends = answers(random, read, 7)

    class Plain(Agent):
        def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str | int:
            return random.choose(position, rng)

    assert answers(Plain(random.game, NoSettings()), read, 7) == ends
    assert answers(random, read, 8) != ends


def run(*words: str) -> Record:
    done = CliRunner().invoke(app, ["grade", *words, "--json"], catch_exceptions=False)
    return json.loads(done.stdout)


def test_the_command_prints_one_object_and_the_same_for_the_same_seed(refs: Path) -> None:
    words = ("morris", "random", "--judged", str(refs / "morris" / "judged.jsonl.gz"), "--limit", "200")
    found = run(*words)
    assert {"decisions", "best_class", "perfect", "regret", "regret_interval", "phases"} <= found.keys()
    assert found["decisions"] == 200
    assert found["perfect"] <= found["best_class"] < 1
    assert found == run(*words) != run(*words, "--seed", "2")


def test_without_json_it_prints_a_table_with_intervals(tmp_path: Path, records: list[Record]) -> None:
    path = write(tmp_path / "judged.jsonl", records)
    done = CliRunner().invoke(app, ["grade", "morris", "random", "--judged", str(path)])
    assert done.exit_code == 0
    assert all(word in done.stdout for word in ("placing", "jumping", "all", " to "))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2 is not JSON"),
        ("[]", "line 2 is not a JSON object"),
        ('{"moves": {}}', 'line 2: a judged position needs a "position"'),
        ('{"position": "x", "moves": {}}', 'line 2: "x" is not a position of morris'),
        (f'{{"position": "{JUMPING}", "moves": {{}}}}', 'line 2: the move "[a-g1-7x-]+" is not judged'),
        (f'{{"position": "{JUMPING}", "moves": {{"d6": "won"}}}}', 'the value of "d6" must be a whole number'),
        ("", "has no positions"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text(f"{json.dumps(HEADER)}\n{line}\n")
    with pytest.raises(sw.BadInput, match=reason):
        asked(path)


def test_a_move_that_is_not_legal_is_named(tmp_path: Path, records: list[Record]) -> None:
    records[1]["moves"]["z9"] = 0
    with pytest.raises(sw.BadInput, match='line 3: "z9" is judged, but not legal'):
        asked(write(tmp_path / "judged.jsonl", records))


def test_a_wrong_file_or_game_is_refused(tmp_path: Path, records: list[Record]) -> None:
    path = write(tmp_path / "judged.jsonl", records)
    with pytest.raises(sw.BadInput, match="cannot be read: No such file"):
        asked(tmp_path / "none")
    with pytest.raises(sw.BadInput, match='no judged positions of "nim"'):
        questions(sw.game("nim"), path)
    path.write_text(json.dumps(records[0]))
    with pytest.raises(sw.BadInput, match="first line must be a header"):
        asked(path)
    path.write_bytes(gzip.compress(b"{}" * 999)[:20])
    with pytest.raises(sw.BadInput, match="is damaged"):
        asked(path)


def test_an_agent_that_gives_no_legal_answer_is_named(tmp_path: Path, records: list[Record]) -> None:
    with pytest.raises(sw.BadInput, match=r'agent gives no answer to .*: it played "z9"'):
        graded(write(tmp_path / "judged.jsonl", records), "z9", "z9")

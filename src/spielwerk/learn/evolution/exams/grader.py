"""Grader: how well rows of genomes match perfect play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import streams
from spielwerk.learn.evolution.exams import grading
from spielwerk.learn.evolution.exams.exam import Exam
from spielwerk.learn.evolution.exams.known_positions import known_positions
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.outputs import Scratch
from spielwerk.learn.evolution.genome.wiring import BLOCK, Networks
from spielwerk.learn.evolution.settings import AFTERSTATE


class InGames(NamedTuple):
    """How well a genome played in games; NaN where it had nothing to do, or nobody knows."""

    decisions: float  # share of right decisions, where there was something to choose
    points: float  # points for each move made, the source's grade: forced moves count as well

    @staticmethod
    def parts() -> tuple[tuple[int, int], ...]:
        """What each is a share of what."""
        return (grading.DECIDED, grading.DECISIONS), (grading.POINTS, grading.MOVES)


class Grader:
    """Puts the questions of an exam to genomes of one network; decisions that are the same to them are asked once."""

    def __init__(self, blueprint: Blueprint, exam: Exam) -> None:
        self.blueprint, self.exam, self.game = blueprint, exam, blueprint.game
        self.asked = self._by_ends() if blueprint.settings.output == AFTERSTATE else self._by_actions()
        self.questions = len(self.asked.first) - 1
        self.perfect = self._perfect() if exam.complete and exam.actions is not None else None

    def marks(self, networks: Networks, scratch: Scratch, count: int, threads: int = 1) -> np.ndarray:
        """How often the first `count` genomes are right in each question, and what they lose; [count, questions, 2].

        Questions that are the same to a network are one, whose marks are added up.
        """
        marks = np.zeros((count, self.questions, 2))
        if isinstance(self.asked, grading.Ends):
            judged = np.zeros((count, len(self.asked.sights), 1))
            values = np.zeros((count, self.blueprint.most_nodes, BLOCK))
            rows = self.game.rows(grading.grade_ends, threads=threads, **self.blueprint.bindings)
            rows(count, marks, self.asked, judged, values, networks)
        else:
            rows = self.game.rows(grading.grade_actions, threads=threads, **self.blueprint.bindings)
            rows(count, marks, self.asked, networks, scratch)
        return marks

    def means(self, marks: np.ndarray) -> np.ndarray:
        """The share of right decisions and the mean regret of each genome; [count, 2]."""
        return marks.sum(axis=1) / len(self.exam.questions)

    def in_games(self, networks: Networks, scratch: Scratch, games: int, key: tuple[int, str]) -> InGames:
        """Genome 0 in games against perfect play."""
        return self._games(networks, scratch, np.full(games, grading.PERFECT), key)

    def against(self, networks: Networks, scratch: Scratch, others: int, key: tuple[int, str]) -> InGames:
        """Genome 0 in games against as many others, which are in the rows behind it."""
        return self._games(networks, scratch, np.arange(1, others + 1), key)

    def _games(self, networks: Networks, scratch: Scratch, others: np.ndarray, key: tuple[int, str]) -> InGames:
        """Genome 0 in games against these; NaN where perfect play is not known in every position."""
        counts = np.zeros((1, grading.COUNTED))
        if self.perfect is not None:
            rows = self.game.rows(grading.graded_games, **self.blueprint.bindings)
            words, rng, longest = streams(*key, len(others)), np.zeros(1, np.uint64), self.blueprint.longest
            rows(1, counts, others, words, rng, longest, self.perfect, networks, scratch)
        return InGames(*(_share(counts[0, part], counts[0, whole]) for part, whole in InGames.parts()))

    def _by_ends(self) -> grading.Ends:
        """Each different end once, and of questions with the same ends only the first."""
        exam, count = self.exam, len(self.exam.ends)
        sights, fixed = np.zeros((count, self.blueprint.inputs)), np.zeros(count)
        movers = np.repeat([one.position.mover for one in exam.questions], np.diff(exam.first))
        rows = self.game.rows(grading.sight, **self.blueprint.bindings)
        rows(count, exam.ends, movers, sights, fixed, self.blueprint.scratch(1))
        seen = [row.tobytes() for row in np.column_stack((sights, fixed))]
        first_of = {row: at for at, row in reversed(list(enumerate(seen)))}
        numbers = {row: number for number, row in enumerate(first_of)}
        options = [numbers[row] for row in seen]
        asked: dict[tuple[int, ...], list[int]] = {}
        for q, (begin, end) in enumerate(zip(exam.first[:-1].tolist(), exam.first[1:].tolist(), strict=True)):
            asked.setdefault(tuple(options[begin:end]), []).append(q)
        given = [sum(exam.marks[exam.first[q] : exam.first[q + 1]] for q in same) for same in asked.values()]
        first = np.cumsum([0, *map(len, asked)])
        flat = np.array([option for row in asked for option in row], np.int64)
        chosen = list(first_of.values())
        return grading.Ends(sights[chosen], fixed[chosen], first, flat, np.concatenate(given))

    def _by_actions(self) -> grading.Actions:
        """The questions as they are."""
        exam = self.exam
        assert exam.actions is not None  # where outputs mean a move, a turn has one action
        return grading.Actions(exam.states, exam.first, exam.actions, exam.marks)

    def _perfect(self) -> grading.PerfectPlay:
        """What perfect play does."""
        return grading.PerfectPlay(known_positions(self.game, self.exam.states), self._by_actions(), self.exam.best)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else np.nan

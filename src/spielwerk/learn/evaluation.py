"""Evaluator: what a learner has learned so far, in matches against named opponents and by the oracle.

Its games are drawn from streams of their own, keyed by seed and episode, so that training goes on the same whether and
however often it is measured, and a measurement that was lost is taken again just as it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from spielwerk.arena.agent import Agent, check_ready
from spielwerk.arena.grading.examination import Examination, examination, quick_oracle
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.matches.statistics import Interval, Summary
from spielwerk.arena.measurement import BEST_CLASS, PERFECT, RATE, REGRET, SCORE, Measurement
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.playing.workers import Maker
from spielwerk.games.game import Game
from spielwerk.learn.config import EvaluationConfig
from spielwerk.learn.learner import Learner
from spielwerk.solvers.oracle import Oracle, oracle

LEARNER = "learner"  # what the learner's agent is called in its matches

Pulse = Callable[[], None]  # called again and again; it may raise to end the work


class Evaluator:
    """Measures learners of one game; several threads may use it at once."""

    def __init__(self, game: Game, evaluation: EvaluationConfig, make: Maker) -> None:
        self.game, self.evaluation, self.make = game, evaluation, make
        self.exam: Examination | None = None

    def ready(self) -> None:
        """Refuses matches that say nothing and opponents that cannot play, and finds the decisions to grade."""
        for opponent, games in self.evaluation.matches():
            self._plan(opponent, games, self.evaluation.seed).check_opening(self.game)
        check_ready([self.make(opponent, self.game) for opponent, _ in self.evaluation.matches()])
        known = self._oracle()
        if known:
            self.exam = examination(known, ["public"], self.evaluation.decisions, self.evaluation.seed)

    def measure(self, learner: Learner, pulse: Pulse) -> list[Measurement]:
        """All figures of a learner as it stands."""
        agent = learner.agent()
        measured = [one for match in self.evaluation.matches() for one in self._against(*match, learner, agent, pulse)]
        if self.exam:
            measured += self._graded(self.exam, learner, agent, pulse)
        return measured

    def _oracle(self) -> Oracle | None:
        """The oracle that grades; left to itself, only where that takes no long work."""
        grade = self.evaluation.grade
        return None if grade == "no" else oracle(self.game) if grade == "yes" else quick_oracle(self.game)

    def _plan(self, opponent: str, games: int, seed: int) -> Plan:
        rules = self.evaluation
        return Plan(self.game.name, (LEARNER, opponent), games, seed, rules.seating, rules.opening)

    def _against(
        self, opponent: str, games: int, learner: Learner, agent: Agent, pulse: Pulse
    ) -> tuple[Measurement, Measurement]:
        plan = self._plan(opponent, games, _keyed(self.evaluation.seed, learner))
        found = play_learner(plan, agent, self.make, pulse)
        rate = Measurement(learner.episode, RATE + opponent, found.rate, *found.rate_interval, found.games)
        return rate, Measurement(learner.episode, SCORE + opponent, found.score, *found.score_interval, found.games)

    def _graded(self, exam: Examination, learner: Learner, agent: Agent, pulse: Pulse) -> list[Measurement]:
        grade = exam.examine(agent, _keyed(self.evaluation.seed, learner), lambda _: pulse()).whole
        found: list[tuple[str, float | None, Interval | None]] = [
            (REGRET, grade.regret, grade.regret_interval),
            (BEST_CLASS, grade.best_class, grade.best_class_interval),
            (PERFECT, grade.perfect, grade.perfect_interval),
        ]
        return [
            Measurement(learner.episode, what, value, *interval, grade.decisions)
            for what, value, interval in found
            if value is not None and interval is not None
        ]


def play_learner(plan: Plan, agent: Agent, make: Maker, pulse: Pulse) -> Summary:
    """A match of a learner's agent, which `plan` calls LEARNER, against what `make` makes from names."""
    agent.name = LEARNER

    def made(name: str, game: Game) -> Agent:
        return agent if name == LEARNER else make(name, game)

    return play_match(plan, made, callback=lambda *_: pulse()).summary


def _keyed(seed: int, learner: Learner) -> int:
    """The seed of an evaluation, which depends on the learner's own and on how far it is."""
    key = hashlib.sha256(f"{seed}/{learner.seed}/{learner.episode}".encode()).digest()
    return int.from_bytes(key[:4], "little") >> 1

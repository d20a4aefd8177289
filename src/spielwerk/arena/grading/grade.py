"""Grading: how often an agent chooses what the truth holds best, and what its other choices cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.grading.judged import Question, Worth
from spielwerk.arena.matches.statistics import Interval, mean_interval, rate_interval
from spielwerk.arena.playing.boards import ONE_TURN, Boards
from spielwerk.games.position import Position
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput

AT_ONCE = 50  # questions that a compiled agent answers in one call
MILLI = 1000  # players of backgammon count what is lost in thousandths of a point


@dataclass(frozen=True)
class Grade:
    """How well an agent has chosen. `regret` is the score that a decision cost on average.

    Where chance decides, a turn has an expectation and no class: then `best_class` is None.
    """

    decisions: int
    best_class: float | None
    perfect: float
    regret: float
    regret_interval: Interval
    best_class_interval: Interval | None
    perfect_interval: Interval
    chance: float  # the best class (without classes: perfection) of whoever picks a turn blindly
    memg: float | None = None  # of games that count equities: the regret in thousandths of a point

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        shares = {"best_class": self.best_class, "perfect": self.perfect}
        regret = {"regret": self.regret, "regret_interval": list(self.regret_interval)}
        facts = {"decisions": self.decisions, **shares, **regret}
        if self.memg is None:
            return facts
        return facts | {"memg": self.memg, "memg_interval": [MILLI * end for end in self.regret_interval]}


def answers(
    agent: Agent, questions: Sequence[Question], seed: int, callback: Callable[[int], None] = lambda done: None
) -> list[tuple[int, ...]]:
    """Where the agent's turn leads in each question; `callback` receives how many are answered."""
    ends: list[tuple[int, ...]] = []
    while len(ends) < len(questions):
        ends += _answered(agent, questions[len(ends) : len(ends) + AT_ONCE], seed, len(ends))
        callback(len(ends))
    return ends


def grade(questions: Sequence[Question], ends: Sequence[tuple[int, ...]], groups: np.ndarray | None = None) -> Grade:
    """The figures of the answers; questions of a group (a number) come from one game, and resemble each other."""
    groups = np.arange(len(questions)) if groups is None else groups
    game = questions[0].position.game
    classes = game.constants["MOST_OUTCOMES"] == 0
    marks = [_Mark.of(question, question.worths[end]) for question, end in zip(questions, ends, strict=True)]
    figures = ("regret", "kept", "perfect")
    regrets, kept, perfect = (np.array([getattr(mark, what) for mark in marks]) for what in figures)
    return Grade(
        decisions=len(marks),
        best_class=float(kept.mean()) if classes else None,
        perfect=float(perfect.mean()),
        regret=float(regrets.mean()),
        regret_interval=_regret_interval(regrets, groups, max(mark.most for mark in marks)),
        best_class_interval=rate_interval(kept, groups) if classes else None,
        perfect_interval=rate_interval(perfect, groups),
        chance=float(np.mean([mark.kept_blindly if classes else mark.perfect_blindly for mark in marks])),
        memg=MILLI * float(regrets.mean()) if game.equities else None,
    )


def parts(labels: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Each label, and where it stands."""
    for label in dict.fromkeys(labels):
        yield label, [i for i, one in enumerate(labels) if one == label]


@dataclass(frozen=True)
class _Mark:
    """One answer: what it lost and could lose; whether (1 or 0) it kept the class, was perfect; and what turns do."""

    regret: float
    most: float
    kept: float
    perfect: float
    kept_blindly: float
    perfect_blindly: float

    @staticmethod
    def of(question: Question, chosen: Worth) -> _Mark:
        worths = list(question.worths.values())
        best, place = max(worth.score for worth in worths), max(worth.place for worth in worths)
        kept = [np.sign(worth.score) == np.sign(best) for worth in worths]
        perfect = [worth.place == place for worth in worths]
        return _Mark(
            regret=best - chosen.score,
            most=best - min(worth.score for worth in worths),
            kept=float(np.sign(chosen.score) == np.sign(best)),
            perfect=float(chosen.place == place),
            kept_blindly=float(np.mean(kept)),
            perfect_blindly=float(np.mean(perfect)),
        )


def _answered(agent: Agent, questions: Sequence[Question], seed: int, first: int) -> list[tuple[int, ...]]:
    """All questions as boards, on which the agent is the player to act and nobody plays the others."""
    players, n = np.arange(agent.game.players), len(questions)
    seats = np.array([players != question.position.mover for question in questions], np.int64)
    dice, rngs = (streams(seed, purpose, n, first) for purpose in ("grade dice", "grade"))
    boards = Boards(agent.game, seats, dice, rngs, ONE_TURN)
    for i, question in enumerate(questions):
        boards.states[i] = question.position.state
    agent.advance(boards, 0)
    for i, (_, reason) in boards.faults.items():
        raise BadInput(f"{agent.name} gives no answer to {questions[i].position}: it {reason}")
    return [_end(question.position, trace) for question, trace in zip(questions, boards.traces(), strict=True)]


def _end(position: Position, trace: Sequence[int]) -> tuple[int, ...]:
    """Where the turn ends with which the trace begins; dice that were rolled after it do not count."""
    mover, play = (position.game.rule(name) for name in ("mover", "play"))
    state = position.state
    for action in trace:
        if mover(state) != position.mover:
            break
        play(state, action)
    return tuple(state.tolist())


def _regret_interval(regrets: np.ndarray, groups: np.ndarray, most: float) -> Interval:
    """The interval of the mean, within what can be lost; where nothing was, a rare mistake may have been missed."""
    if not regrets.any():
        return 0.0, most * (1 - rate_interval(np.ones(len(regrets)), groups)[0])
    low, high = mean_interval(regrets, groups)
    return max(0.0, low), min(high, most)

"""Grading: how often an agent chooses what the truth holds best, and what its other choices cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.boards import Boards
from spielwerk.arena.judged import Question
from spielwerk.arena.statistics import Interval, rate_interval, student
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput

AT_ONCE = 50  # questions that a compiled agent answers in one call
ONE_TURN = 256  # actions of one player in a row


@dataclass(frozen=True)
class Grade:
    """How well an agent has chosen. `loss` is the score that a decision cost on average."""

    decisions: int
    best_class: float
    perfect: float
    loss: float
    loss_interval: Interval
    best_class_interval: Interval
    perfect_interval: Interval
    chance: float  # the share of turns that keep the best class: what choosing one at random would get

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        shares = {"best_class": self.best_class, "perfect": self.perfect}
        return {"decisions": self.decisions, **shares, "loss": self.loss, "loss_interval": list(self.loss_interval)}


def answers(
    agent: Agent, questions: Sequence[Question], seed: int, watch: Callable[[int], None] = lambda done: None
) -> list[tuple[int, ...]]:
    """Where the agent's turn leads in each question; `watch` is told how many are answered."""
    ends: list[tuple[int, ...]] = []
    while len(ends) < len(questions):
        ends += _answered(agent, questions[len(ends) : len(ends) + AT_ONCE], seed, len(ends))
        watch(len(ends))
    return ends


def grade(questions: Sequence[Question], ends: Sequence[tuple[int, ...]]) -> Grade:
    """The figures of the answers."""
    pairs = [
        (question.worths[end], list(question.worths.values())) for question, end in zip(questions, ends, strict=True)
    ]
    losses = np.array([max(worth.score for worth in all_) - one.score for one, all_ in pairs])
    kept = (losses == 0).astype(float)
    perfect = np.array([float(one.place == max(worth.place for worth in all_)) for one, all_ in pairs])
    alone = np.arange(len(pairs))
    return Grade(
        decisions=len(pairs),
        best_class=float(kept.mean()),
        perfect=float(perfect.mean()),
        loss=float(losses.mean()),
        loss_interval=_loss_interval(losses),
        best_class_interval=rate_interval(kept, alone),
        perfect_interval=rate_interval(perfect, alone),
        chance=float(np.mean([_chance(all_) for _, all_ in pairs])),
    )


def by_phase(questions: Sequence[Question], ends: Sequence[tuple[int, ...]]) -> Iterator[tuple[str, Grade]]:
    """A grade for each phase of the game that occurs, in the order of the questions."""
    for phase in dict.fromkeys(question.phase for question in questions):
        chosen = [i for i, question in enumerate(questions) if question.phase == phase]
        yield phase, grade([questions[i] for i in chosen], [ends[i] for i in chosen])


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
    return [tuple(state) for state in boards.states.tolist()]


def _chance(worths: list[Any]) -> float:
    best = max(worth.score for worth in worths)
    return sum(worth.score == best for worth in worths) / len(worths)


def _loss_interval(losses: np.ndarray) -> Interval:
    """The normal interval of the mean; where nothing was lost, as much as a rare loss of 1 may have been missed."""
    if not losses.any():
        return 0.0, 1 - rate_interval(np.ones(len(losses)), np.arange(len(losses)))[0]
    mean, half = float(losses.mean()), student(len(losses) - 1) * float(losses.std(ddof=min(1, len(losses) - 1)))
    half /= math.sqrt(len(losses))
    return max(0.0, mean - half), mean + half

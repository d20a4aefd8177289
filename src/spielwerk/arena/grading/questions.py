"""Decisions and the truth about them: what an oracle says of every turn of a position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spielwerk.arena.grading.judged import FARTHEST, Question, Worth
from spielwerk.games.position import Position
from spielwerk.games.rules import OVER
from spielwerk.solvers.oracle import Oracle, Truth, truth_after

DIGITS = 9  # of an expectation; what differs less is the same


def question(oracle: Oracle, position: Position, phase: str) -> Question | None:
    """The position as a question to agents; None where the oracle does not know what each turn is worth."""
    if truth_after(oracle, _some_end(position), position.mover) is None:
        return None  # without listing all turns, of which there may be hundreds
    ends, truths = [turn.end for turn in position.turns()], []
    for end in ends:
        truth = truth_after(oracle, end, position.mover)
        if truth is None:
            return None
        truths.append(truth)
    return Question(position, phase, dict(zip((end.words for end in ends), worths(truths), strict=True)))


def open_question(asked: Question) -> bool:
    """Whether there is something to choose: several ends of the turn, and not the end of the game, the same in all."""
    alike = len(set(asked.worths.values())) == 1
    mover = asked.position.game.rule("mover")
    return len(asked.worths) > 1 and not (alike and all(mover(np.array(words)) == OVER for words in asked.worths))


def regret(oracle: Oracle, before: Position, after: Position) -> float | None:
    """The value that a turn has lost, from the truth about both positions; None where one is not known."""
    truth, kept = oracle.truth(before), truth_after(oracle, after, before.mover)
    return None if truth is None or kept is None else round(truth.value - kept.value, DIGITS)


def worths(truths: Sequence[Truth]) -> list[Worth]:
    """What the turns that lead to these truths are worth: a win comes the better the sooner, a loss the later.

    Distances count only where every win and every loss has one: not where chance decides.
    """
    timed = all(truth.distance is not None for truth in truths if truth.value)
    return [_worth(round(truth.value, DIGITS), truth.distance or 0 if timed else 0) for truth in truths]


def _worth(score: float, distance: int) -> Worth:
    side = (score > 0) - (score < 0)
    return Worth(score, score * FARTHEST - side * distance)


def _some_end(position: Position) -> Position:
    """Where the first of all turns ends."""
    here = position
    while here.mover == position.mover:
        here = here.play(here.actions()[0])
    return here

"""Whether a network knows what is better: its policy and its value beside what is judged and what is exactly known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.by_policy import ByPolicy, turn_priors
from spielwerk.arena.grading.examination import Examination
from spielwerk.arena.grading.judged import Question
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.kernel.random import below, stream
from spielwerk.search.estimator import Estimator, asked
from spielwerk.solvers.estimator import OracleEstimator
from spielwerk.studies.job import Result
from spielwerk.studies.ranks import spearman

FEWEST = 3  # plays of a decision that can be put in an order worth the name
CHECKERS, POINTS = 6, 6  # most checkers of a side whose bear-offs are exactly known, and the points of a home board
PLACES, BAR = 26, 25
DIGITS = 6


def measured(policy: bool, player: Agent, exam: Examination, count: int, pulse: Callable[[], None]) -> Result:
    """The agreement of the policy with judged decisions, or of the value with exact values."""
    estimator = cast("ByPolicy", player).estimator
    return policy_orders(estimator, exam, pulse) if policy else value_order(estimator, exam, count)


def policy_orders(estimator: Estimator, exam: Examination, pulse: Callable[[], None]) -> Result:
    """For each decision: the rank correlation of the policy with the equities of its plays."""
    found: list[float] = []
    for question in exam.questions:
        pulse()
        order = _order(estimator, question)
        if order is not None:
            found.append(round(order, DIGITS))
    return {"orders": found}


def _order(estimator: Estimator, question: Question) -> float | None:
    if len(question.worths) < FEWEST:
        return None
    likely = turn_priors(estimator, question.position)
    ends = [end for end in likely if end.words in question.worths]
    return spearman([likely[end] for end in ends], [question.worths[end.words].score for end in ends])


def value_order(estimator: Estimator, exam: Examination, count: int) -> Result:
    """What judged decisions are worth and what the network says of them; in backgammon the same of bear-offs."""
    decisions = [question.position for question in exam.questions]
    best = [max(worth.score for worth in question.worths.values()) for question in exam.questions]
    judged = [_numbers(np.array(best)), _numbers(_values(estimator, decisions))]
    if estimator.game.kind != "backgammon":
        return {"judged": judged}
    positions, exact = bearoffs(count)
    return {"exact": [_numbers(exact), _numbers(_values(estimator, positions))], "judged": judged}


def _values(estimator: Estimator, positions: list[Position]) -> np.ndarray:
    """What the player to act or to roll can expect in each position."""
    found = asked(estimator, estimator.game.batch(positions, threads=1))
    seats = [position.roller if position.chance else position.mover for position in positions]
    return np.asarray(found.values)[np.arange(len(positions)), seats]


def _numbers(values: np.ndarray) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


@cache
def bearoffs(count: int) -> tuple[list[Position], np.ndarray]:
    """Bear-offs before a roll, the same for everybody, and what the player to roll can exactly expect."""
    whole, rng = game("backgammon:scoring=full"), stream(1, "bear-offs of the study")
    positions = [whole.parse(f"{''.join(_board(rng))} X roll") for _ in range(count)]
    return positions, OracleEstimator(whole).exact(whole.batch(positions, threads=1))[:, 0]


def _board(rng: np.ndarray) -> list[str]:
    """Up to six checkers of each side, each on a point of its home board that is drawn."""
    letters = ["."] * PLACES
    for first, places in (("A", range(1, POINTS + 1)), ("a", range(BAR - 1, BAR - 1 - POINTS, -1))):
        for _ in range(1 + int(below(rng, CHECKERS))):
            place = places[int(below(rng, POINTS))]
            letters[place] = first if letters[place] == "." else chr(ord(letters[place]) + 1)
    return letters

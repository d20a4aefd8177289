"""Calibration: whether a policy that is 70 % sure of its move is right in 70 % of such decisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spielwerk.arena.grading.examination import Examination
from spielwerk.games.position import Position
from spielwerk.search.estimator import Estimator, asked_priors
from spielwerk.studies.job import Result

BINS = 10  # of equal width


def measured(estimator: Estimator, exam: Examination, temperature: float) -> Result:
    """The expected calibration error of the policy as it plays, and of the same without its learned temperature.

    A turn is the likeliest action, and the likeliest after it where the turn goes on; its probability is the product.
    It is right where it keeps the best class. The temperature never changes which action is the likeliest.
    """
    positions = [question.position for question in exam.questions]
    ends, sure = likeliest(estimator, positions, 1.0)
    same, without = likeliest(estimator, positions, temperature)
    assert ends == same
    worths = [question.worths for question in exam.questions]
    best = [max(worth.score for worth in known.values()) for known in worths]
    pairs = zip(worths, ends, best, strict=True)
    right = [bool(np.sign(known[end].score) == np.sign(most)) for known, end, most in pairs]
    facts = {"sure": float(np.mean(sure)), "right": float(np.mean(right)), "decisions": len(right)}
    return facts | {"ece": ece(sure, right), "ece_without": ece(without, right), "temperature": temperature}


def likeliest(
    estimator: Estimator, positions: Sequence[Position], temperature: float
) -> tuple[list[tuple[int, ...]], list[float]]:
    """Where the likeliest turn of each position ends, and how likely it is once logits are multiplied by a number."""
    here, sure = list(positions), np.ones(len(positions))
    movers = [position.mover for position in positions]
    open_turns = list(range(len(here)))
    while open_turns:
        legal, found = asked_priors(estimator, estimator.game.batch([here[i] for i in open_turns], threads=1))
        priors = np.asarray(found.priors, np.float64)
        for place, i in enumerate(open_turns):
            own = slice(int(legal.offsets[place]), int(legal.offsets[place + 1]))
            best = int(priors[own].argmax())
            scaled = (priors[own] / priors[own][best]) ** temperature
            sure[i] *= 1 / scaled.sum()
            here[i] = here[i].play(int(legal.values[own][best]))
        open_turns = [i for i in open_turns if not here[i].over and here[i].mover == movers[i]]
    return [position.words for position in here], sure.tolist()


def ece(sure: Sequence[float], right: Sequence[bool]) -> float:
    """The expected calibration error: how far certainty and truth are apart, on average over bins (Guo et al. 2017)."""
    certain, true = np.array(sure), np.array(right, float)
    bins = np.minimum((certain * BINS).astype(int), BINS - 1)
    apart = [abs(float((certain - true)[bins == one].sum())) for one in range(BINS)]
    return sum(apart) / len(certain)

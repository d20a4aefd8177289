"""`spielwerk bench td`: episodes a second of TD learning on einstein 5×5 with the 24 six-tuples of the published study,
13 values a cell, beside what GBG's Java code did on the same kind of core, measured once and for all; and what a second
seed adds.

The first figures are CPU time on one core, the median of rounds of one training that goes on. Seeds side by side are
measured by the clock, since that is what they are for.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from spielwerk.bench.row import Row
from spielwerk.games.registry import game
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings

GAME = "einstein"
EPISODES = 20_000  # of a round
GBG = {0.0: 6000.0, 0.9: 2500.0}  # episodes/s at λ: the middle of 5,000 to 7,000, and of 2,400 to 2,600


def rows(rounds: int = 5, seed: int = 1) -> Iterator[Row]:
    """The figures, as they are measured."""
    for lam, theirs in GBG.items():
        learner = [_learner(lam, rounds, seed)]
        speed = statistics.median(_speed(learner, time.process_time) for _ in range(rounds))
        yield Row(f"{GAME}, λ = {lam:g}", speed, "episodes/s", "GBG", theirs)
    yield side_by_side(rounds, seed)


def side_by_side(rounds: int, seed: int) -> Row:
    """What a second seed in a second thread adds; the rounds of both alternate."""
    one, both = [_learner(0.0, rounds, seed)], [_learner(0.0, rounds, each) for each in (seed, seed + 1)]
    speeds = [(_speed(both, time.perf_counter), _speed(one, time.perf_counter)) for _ in range(rounds)]
    ours, alone = map(statistics.median, zip(*speeds, strict=True))
    return Row(f"{GAME}, two seeds side by side", ours, "episodes/s", "one seed", alone)


def _learner(lam: float, rounds: int, seed: int) -> TdLearner:
    """A new learner, whose kernel is compiled."""
    settings = Settings(episodes=EPISODES * rounds + 1, lam=lam, coding="stones", tuples="published")
    learner = TdLearner(game(GAME), settings, seed)
    learner.learn(1)
    return learner


def _speed(learners: Sequence[TdLearner], clock: Callable[[], float]) -> float:
    """Episodes a second of all learners together, each in a thread of its own, over one round."""
    begun = clock()
    with ThreadPoolExecutor(len(learners)) as pool:
        list(pool.map(lambda learner: learner.learn(EPISODES), learners))
    return EPISODES * len(learners) / (clock() - begun)

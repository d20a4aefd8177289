"""Clock: lets a learner learn for some seconds; step sizes and other schedules follow the share of the time.

Equal compute is equal time of the same machine: with a GPU or several cores what a clock on the wall says, on one core
what the processor spent on this thread, since others may be in its way there. How many games fit into it is not known
before, so the planned number of games is set anew before each window of moves, as far as the learner has come in its
time so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from spielwerk.learn.kind import CPU
from spielwerk.learn.td.learner import TdLearner
from spielwerk.studies.job import JobProgress

if TYPE_CHECKING:
    from spielwerk.learn.learner import Learner
    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

MOST = 10**12  # games; more than there is time for
WARM = 2  # windows that are learned before the time counts, since they compile and allocate
GAMES = 20  # of n-tuples that are as good as a window


def counting(learner: Learner) -> Callable[[], float]:
    """What counts the seconds of a training: CPU time of its thread on one core, otherwise wall time."""
    return time.thread_time if learner.device == CPU and learner.threads == 1 else time.perf_counter


class Clock:
    """The time of one training; what is measured in between does not count."""

    def __init__(self, learner: Learner, seconds: float, callback: JobProgress) -> None:
        self.learner, self.seconds, self.callback = learner, seconds, callback
        self.spent, self.windows = 0.0, 0  # seconds of learning that count, and how often the learner has asked
        self._now = counting(learner)
        self._until, self._before = 0.0, 0.0

    @property
    def share(self) -> float:
        """The share of the time that is over."""
        return min(self.spent / self.seconds, 1.0)

    @property
    def games(self) -> int:
        """Games that were learned from; of evolution, generations."""
        learner = self.learner
        return cast("SelfPlayLearner", learner).games if hasattr(learner, "games") else learner.episode

    def learn(self, share: float) -> None:
        """Learns until this share of the time is over."""
        self._until = share * self.seconds
        if self.spent >= self._until:
            return
        self._before = self._now()
        if hasattr(self.learner, "games"):  # it learns by windows, before each of which it asks
            self.learner.learn(MOST, self._over)
            return
        while not self._over():
            self.learner.learn(GAMES if isinstance(self.learner, TdLearner) else 1)

    def _over(self) -> bool:
        """Asked before each window."""
        now = self._now()
        if self.windows > WARM:
            self.spent += now - self._before
        self._before = now
        self.windows += 1
        self._plan()
        self.callback(self.share)
        return self.spent >= self._until

    def _plan(self) -> None:
        """As many games as there will be if it goes on as before."""
        if not self.spent or not self.games:
            return
        planned = min(MOST, max(1, round(self.games / self.share)))
        if isinstance(self.learner, TdLearner):
            self.learner.rates = self.learner.rates._replace(episodes=float(planned))
        elif hasattr(self.learner, "games"):  # generations of evolution have no schedule
            learner = cast("SelfPlayLearner", self.learner)
            learner.settings = replace(learner.settings, episodes=planned)

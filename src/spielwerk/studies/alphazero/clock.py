"""Clock: lets a learner learn for some seconds; step sizes and other schedules follow the share of the time.

Equal compute is equal time of the same machine: with a GPU what a clock on the wall says, on the CPU what the processor
spent on this process, since others may be in its way there. How many games fit into it is not known before, so the
planned number of games is set anew before each window of moves, as far as the learner has come in its time so far.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from spielwerk.learn.kind import CPU
from spielwerk.studies.job import JobProgress

if TYPE_CHECKING:
    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

MOST = 10**12  # games; more than there is time for
WARM = 2  # windows that are learned before the time counts, since they compile and allocate


class Clock:
    """The time of one training; what is measured in between does not count."""

    def __init__(self, learner: SelfPlayLearner, seconds: float, callback: JobProgress) -> None:
        self.learner, self.seconds, self.callback = learner, seconds, callback
        self.spent, self.windows = 0.0, 0  # seconds of learning that count, and how often the learner has asked
        self._now = time.process_time if learner.device == CPU else time.perf_counter
        self._until, self._before = 0.0, 0.0

    @property
    def share(self) -> float:
        """The share of the time that is over."""
        return min(self.spent / self.seconds, 1.0)

    def learn(self, share: float) -> None:
        """Learns until this share of the time is over."""
        self._until = share * self.seconds
        if self.spent < self._until:
            self._before = self._now()
            self.learner.learn(MOST, self._over)

    def _over(self) -> bool:
        """Asked by the learner before each window."""
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
        if self.spent and self.learner.games:
            planned = min(MOST, max(1, round(self.learner.games / self.share)))
            self.learner.settings = replace(self.learner.settings, episodes=planned)

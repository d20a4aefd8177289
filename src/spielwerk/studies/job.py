"""A job: one piece of a measurement, such as one agent to be trained, whose result is kept once it is finished.

It names a function and what that is given, as data, so that the same job of another recipe, or of tomorrow, is known
to be the same.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spielwerk.version import __version__

JobProgress = Callable[
    [float], None
]  # called with the share of a job that is done; raises Stopped where the job is to end
Result = dict[str, Any]  # as JSON holds it
Work = Callable[[Mapping[str, Any], JobProgress], Result]


@dataclass(frozen=True)
class Job:
    """`work` is a function of the studies, such as "einstein.matches:play"; `given` its settings as JSON holds them."""

    work: str
    given: Mapping[str, Any]
    seconds: float  # that it takes about, on one core
    alone: bool = False  # whether it waits for others of that kind, such as trainings whose time counts
    lanes: int = 1  # but for so many of them, in processes of their own, such as small trainings that share a GPU

    @cached_property
    def about(self) -> dict[str, Any]:
        """What decides the result."""
        return {"work": self.work, "given": json.loads(json.dumps(self.given)), "version": __version__}

    @cached_property
    def key(self) -> str:
        """Sixteen letters that are the same for the same job."""
        return hashlib.sha256(json.dumps(self.about, sort_keys=True).encode()).hexdigest()[:16]

    def run(self, callback: JobProgress) -> Result:
        """Does the work."""
        module, _, function = self.work.partition(":")
        work: Work = getattr(importlib.import_module(f"spielwerk.studies.{module}"), function)
        return work(self.given, callback)

"""The job of these studies: trains a learner for some seconds, and measures it at points of its time.

It holds the machine to itself, since its time counts; on a GPU others learn while it is still being measured. A
training that is stopped begins again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast

from spielwerk.learn.kind import CPU
from spielwerk.learn.learner import Exploded, Learner
from spielwerk.studies.device import ALONE
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.trainings.aside import begun, ended
from spielwerk.studies.trainings.clock import Clock
from spielwerk.studies.trainings.making import learner_for
from spielwerk.studies.trainings.measures import Measure

if TYPE_CHECKING:
    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

START = 15.0  # seconds until a learner on a GPU has compiled and allocated what it needs


@dataclass(frozen=True)
class Arm:
    """One training: who learns what, for how long, and what is measured at points (shares of the time) and at the end.

    `more` is about how many seconds the measuring takes. With `before`, another arm learns first, whose weights are
    taken over. `may_explode` says whether a loss that explodes is a result, and not a fault of the study.
    """

    game: str
    kind: str
    settings: Mapping[str, Any]
    seconds: float
    last: Sequence[Measure] = ()
    along: Sequence[Measure] = ()
    points: Sequence[float] = field(default=(1.0,))
    more: float = 5.0
    start: float = START
    threads: int = 1
    before: Arm | None = None
    may_explode: bool = False

    def job(self, device: str, seed: int) -> Job:
        """The job that does it."""
        given = self._about() | {"points": list(self.points), "along": [asdict(one) for one in self.along]}
        given |= {"last": [asdict(one) for one in self.last], "device": device, "seed": seed}
        given |= {"threads": self.threads} if self.threads > 1 else {}
        given |= {"may_explode": True} if self.may_explode else {}
        seconds = self.seconds + self.more + (self.start if device != CPU else min(self.start, 2.0))
        if self.before:
            given["before"] = self.before._about()
            seconds += self.before.seconds
        return Job("trainings.training:train", given, seconds, alone=True)

    def _about(self) -> dict[str, Any]:
        """Who learns what, and for how long."""
        return {"game": self.game, "kind": self.kind, "settings": dict(self.settings), "seconds": self.seconds}


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What was measured at each point, after how many games and seconds of learning, and how many weights there are.

    Where the loss has exploded, `exploded` says so, and the points from there on are missing.
    """
    with ALONE:
        callback(0.0)
        learner = _learner(given, given)
        found: Result = {"points": list[Result](), "weights": _weights(learner)}
        try:
            if "before" in given:
                _take_over(learner, given, callback)
            for point in _points(learner, given, callback):
                found["points"].append(point)
        except Exploded as problem:
            if not given.get("may_explode"):
                raise
            found["exploded"] = str(problem)
    for point in found["points"]:
        point["measured"] = {label: ended(one, lambda: callback(1.0)) for label, one in point["measured"].items()}
    return found


def _points(learner: Learner, given: Mapping[str, Any], callback: JobProgress) -> Iterator[Result]:
    """Learns, and measures what is due at each point."""
    clock = Clock(learner, given["seconds"], callback)
    for point in given["points"]:
        clock.learn(point)
        due = [*given["along"], *(given["last"] if point == given["points"][-1] else ())]
        results = {one["label"]: begun(one, learner, given, lambda: callback(clock.share)) for one in due}
        yield {"seconds": round(clock.spent, 2), "games": clock.games, "measured": results}


def _take_over(learner: Learner, given: Mapping[str, Any], callback: JobProgress) -> None:
    """Lets another learner learn first, and goes on from its weights."""
    before = given["before"]
    earlier = _learner(before, given)
    Clock(earlier, before["seconds"], lambda _: callback(0.0)).learn(1.0)
    cast("SelfPlayLearner", learner).take_over(earlier.weights())


def _learner(about: Mapping[str, Any], given: Mapping[str, Any]) -> Learner:
    """A learner of a job, where it is to learn."""
    return learner_for(about, given["device"], given["seed"], given.get("threads", 1))


def _weights(learner: Learner) -> int:
    """How many numbers its agent plays by."""
    return sum(found.size for found in learner.weights().values())

"""The job of these studies: trains a learner for some seconds, and measures it at points of its time.

It holds the machine to itself, since its time counts, or shares a GPU with as many others all the time; on a GPU
others learn while it is still being measured. A training that is stopped begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from spielwerk.learn.kind import CPU
from spielwerk.learn.learner import Exploded, Learner
from spielwerk.studies.device import ALONE
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.trainings.aside import ASIDE, begun, begun_of, ended
from spielwerk.studies.trainings.clock import Clock
from spielwerk.studies.trainings.lanes import carried_out
from spielwerk.studies.trainings.making import learner_for
from spielwerk.studies.trainings.measures import Measure

if TYPE_CHECKING:
    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

Kept = Callable[[Learner, float], Result]
START = 15.0  # seconds until a learner on a GPU has compiled and allocated what it needs


@dataclass(frozen=True)
class Arm:
    """One training: who learns what, for how long, and what is measured at points (shares of the time) and at the end.

    `more` is about how many seconds the measuring takes. With `before`, another arm learns first, whose weights are
    taken over. `may_explode` says whether a loss that explodes is a result, and not a fault of the study. On a GPU so
    many trainings share it (`lanes`).
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
    lanes: int = 1

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
        lanes = self.lanes if device in ASIDE else 1
        given |= {"lanes": lanes} if lanes > 1 else {}
        return Job("trainings.training:train", given, seconds, alone=True, lanes=lanes)

    def _about(self) -> dict[str, Any]:
        """Who learns what, and for how long."""
        return {"game": self.game, "kind": self.kind, "settings": dict(self.settings), "seconds": self.seconds}


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What was measured at each point, after how many games and seconds of learning, and how many weights there are.

    Where the loss has exploded, `exploded` says so, and the points from there on are missing.
    """
    if given["device"] in ASIDE and given.get("lanes", 1) > 1:
        found = carried_out(_learned, given, callback)
        for point, share in zip(found["points"], given["points"], strict=False):  # the last ones may have exploded
            weights = point.pop("weights")
            point["measured"] = {one["label"]: begun_of(one, given, weights) for one in _due(given, share)}
    else:
        with ALONE:
            found = _trained(given, callback, partial(_begun, given, callback))
    for point in found["points"]:
        point["measured"] = {label: ended(one, lambda: callback(1.0)) for label, one in point["measured"].items()}
    return found


def _trained(given: Mapping[str, Any], callback: JobProgress, kept: Kept) -> Result:
    """Learns; at each point, `kept` says what is kept of the learner."""
    callback(0.0)
    learner = _learner(given, given)
    found: Result = {"points": list[Result](), "weights": _weights(learner)}
    try:
        if "before" in given:
            _take_over(learner, given, callback)
        clock = Clock(learner, given["seconds"], callback)
        for share in given["points"]:
            clock.learn(share)
            reached = {"seconds": round(clock.spent, 2), "games": clock.games}
            found["points"].append(reached | kept(learner, share))
    except Exploded as problem:
        if not given.get("may_explode"):
            raise
        found["exploded"] = str(problem)
    return found


def _begun(given: Mapping[str, Any], callback: JobProgress, learner: Learner, share: float) -> Result:
    """What is due is measured, or begins to be."""
    return {
        "measured": {one["label"]: begun(one, learner, given, lambda: callback(share)) for one in _due(given, share)}
    }


def _learned(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """Of a lane: what was learned, as weights at each point."""
    return _trained(given, callback, lambda learner, share: {"weights": dict(learner.weights())})


def _due(given: Mapping[str, Any], share: float) -> list[Mapping[str, Any]]:
    """What is to be measured at a point."""
    return [*given["along"], *(given["last"] if share == given["points"][-1] else ())]


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

"""The job of the study: trains a learner for some seconds, and measures it at points of its time.

It holds the machine to itself, since its time counts. A training that is stopped begins again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast

from spielwerk.games.registry import game
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.studies.alphazero.clock import MOST, Clock
from spielwerk.studies.alphazero.measures import Measure, measured
from spielwerk.studies.device import ALONE, use
from spielwerk.studies.job import Job, JobProgress, Result

if TYPE_CHECKING:
    from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner

START = 15.0  # seconds until a learner on a GPU has compiled and allocated what it needs


@dataclass(frozen=True)
class Arm:
    """One training: who learns what, for how long, and what is measured at points (shares of the time) and at the end.

    `more` is about how many seconds the measuring takes.
    """

    game: str
    kind: str
    settings: Mapping[str, Any]
    seconds: float
    last: Sequence[Measure] = ()
    along: Sequence[Measure] = ()
    points: Sequence[float] = field(default=(1.0,))
    more: float = 5.0

    def job(self, device: str, seed: int) -> Job:
        """The job that does it."""
        given = {"game": self.game, "kind": self.kind, "settings": dict(self.settings), "seconds": self.seconds}
        given |= {"points": list(self.points), "along": [asdict(one) for one in self.along]}
        given |= {"last": [asdict(one) for one in self.last], "device": device, "seed": seed}
        seconds = self.seconds + self.more + (START if device != "cpu" else 2.0)
        return Job("alphazero.training:train", given, seconds, alone=True)


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What was measured at each point, after how many games and seconds of learning."""
    with ALONE:
        callback(0.0)
        learner = _learner(given)
        clock, found = Clock(learner, given["seconds"], callback), list[Result]()
        for point in given["points"]:
            clock.learn(point)
            due = [*given["along"], *(given["last"] if point == given["points"][-1] else ())]
            results = {one["label"]: measured(one, learner, lambda: callback(clock.share)) for one in due}
            found.append({"seconds": round(clock.spent, 2), "games": learner.games, "measured": results})
    return {"points": found}


def _learner(given: Mapping[str, Any]) -> SelfPlayLearner:
    """The learner of a job, where it is to learn."""
    settings = settings_of(given["kind"], {**given["settings"], "episodes": MOST})
    learner = learner_of(given["kind"], game(given["game"]), settings, given["seed"])
    use(learner, given["device"], "alphazero/…")
    return cast("SelfPlayLearner", learner)

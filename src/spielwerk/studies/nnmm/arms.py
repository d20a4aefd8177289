"""What the recipes train: configurations for a GPU, small ones that show the same on two cores, and ones between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spielwerk.learn.imitation.settings import Settings
from spielwerk.studies.job import Job, Result
from spielwerk.studies.nnmm.sources import PUBLISHED
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results

# Triples are the full form on one GPU, the quick one, and the full one on one core.
Sizes = tuple[float, ...]
SECONDS = (55.0, 60.0, 120.0)  # of a training of a variation, at most
POSITIONS = (200_000, 4000, 100_000)  # of each set that are measured; 0: all
DECISIONS = (2000, 200, 2000)  # judged ones, in which the best class may be kept
MEASURING, START = (12.0, 8.0, 12.0), (12.0, 10.0, 15.0)  # planned
SIZES: tuple[dict[str, Any], ...] = (
    {"epochs": 400, "precision": "bfloat16"},
    {"epochs": 12, "share": 0.0625, "batch": 1000, "width": 64, "inner": 96},
    {"epochs": 400, "batch": 1000, "precision": "bfloat16"},
)
MORRIS: Mapping[str, Any] = {"from": PUBLISHED}


@dataclass(frozen=True)
class Arm:
    """One configuration: settings that differ from the base, and where its moves come from."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    game: str = "morris"
    source: Mapping[str, Any] = field(default_factory=lambda: dict(MORRIS))
    seconds: Sizes = SECONDS
    positions: tuple[int, ...] = POSITIONS
    measuring: Sizes = MEASURING
    graded: bool = True  # by judged decisions, where the oracle knows the game
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # other moves to be measured on

    def job(self, form: Form) -> Job:
        """The job that trains it: the same for all recipes that ask for the same training."""
        scale = form.scale
        given: dict[str, Any] = {
            "game": self.game,
            "settings": self.told(scale),
            "source": dict(self.source),
            "seconds": self.seconds[scale],
            "most": self.positions[scale],
            "decisions": DECISIONS[scale] if self.graded else 0,
            "device": form.place,
            "seed": form.seed,
        }
        given |= {"asked": {name: dict(source) for name, source in self.asked.items()}} if self.asked else {}
        seconds = self.seconds[scale] + self.measuring[scale] + START[scale]
        return Job("nnmm.training:train", given, seconds, alone=True)

    def told(self, scale: int) -> dict[str, Any]:
        """The settings that differ from the learner's own, in one of three sizes."""
        usual = {"order": "FTR", **SIZES[scale]} if self.game == "morris" else dict(SIZES[scale])
        if self.source["from"] != PUBLISHED:
            usual.pop("share", None)  # what a teacher played for the quick form is little already
        own = vars(Settings())
        return {name: value for name, value in {**usual, **self.settings}.items() if value != own[name]}

    def result(self, form: Form, results: Results) -> Result:
        """What came out."""
        return results[self.job(form)]

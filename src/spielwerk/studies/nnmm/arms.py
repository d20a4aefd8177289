"""What the recipes train: configurations for a GPU, and small ones that show the same on two cores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spielwerk.studies.job import Job, Result
from spielwerk.studies.nnmm.sources import PUBLISHED
from spielwerk.studies.nnmm.training import device_of
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results

# Pairs are the full form, on one GPU, and the quick one, on two cores.
SECONDS = (180.0, 60.0)  # of a training of a variation, at most
POSITIONS = (0, 4000)  # of each set that are measured; 0: all
MEASURING, START = (60.0, 8.0), (30.0, 5.0)
SIZES: tuple[dict[str, Any], dict[str, Any]] = (
    {"epochs": 400, "precision": "bfloat16"},
    {"epochs": 12, "share": 0.0625, "batch": 1000, "width": 64, "inner": 96},
)
MORRIS: Mapping[str, Any] = {"from": PUBLISHED}


@dataclass(frozen=True)
class Arm:
    """One configuration: settings that differ from the base, and where its moves come from."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    game: str = "morris"
    source: Mapping[str, Any] = field(default_factory=lambda: dict(MORRIS))
    seconds: tuple[float, float] = SECONDS

    def job(self, form: Form, recipe: str) -> Job:
        """The job that trains it."""
        quick = form.quick
        usual = {"order": "FTR", **SIZES[quick]} if self.game == "morris" else dict(SIZES[quick])
        if self.source["from"] != PUBLISHED:
            usual.pop("share", None)  # what a teacher played for the quick form is little already
        given = {
            "game": self.game,
            "settings": {**usual, **self.settings},
            "source": dict(self.source),
            "seconds": self.seconds[quick],
            "most": POSITIONS[quick],
            "device": device_of(quick),
            "threads": 1 if not quick else 2,
            "seed": form.seed,
            "recipe": recipe,
        }
        seconds = self.seconds[quick] + MEASURING[quick] + START[quick]
        return Job("nnmm.training:train", given, seconds, alone=True)

    def result(self, form: Form, recipe: str, results: Results) -> Result:
        """What came out."""
        return results[self.job(form, recipe)]

"""Arms: settings that are compared, each with several populations, and what these came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spielwerk.arena.matches.statistics import Interval, rate_interval
from spielwerk.learn.evolution.settings import GRADE
from spielwerk.studies import ranks
from spielwerk.studies.job import Job
from spielwerk.studies.nim.training import POSITIONS, evolve_job
from spielwerk.studies.plots import Curve
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

SEEDS = (20, 5)  # populations of an arm, full and quick
BY_GAMES, BY_GRADE = 0.4e-6, 60e-6  # seconds for a game, and for the grade and the breeding of a genome, on one core
EVERY = 3e-3  # seconds of a generation for everything else


@dataclass(frozen=True)
class Arm:
    """One game and one choice of settings; `usual` is the share of the generations that is needed as a rule."""

    label: str
    game: str
    settings: Mapping[str, Any]
    generations: int
    stop: bool = True
    measure: str = POSITIONS
    usual: float = 1.0
    group: str = ""

    def jobs(self, form: Form) -> list[Job]:
        """Its populations."""
        seeds = form.seeds(SEEDS[form.quick])
        seconds = self.usual * self.generations * self.seconds
        return [
            evolve_job(self.game, self.settings, seed, self.generations, self.measure, self.stop, seconds)
            for seed in seeds
        ]

    @property
    def seconds(self) -> float:
        """That a generation takes about."""
        size = self.settings.get("population", 100)
        if self.settings.get("fitness") == GRADE:
            return EVERY + size * BY_GRADE
        return EVERY + 2 * size * (self.settings.get("opponents") or size // 2) * BY_GAMES

    def runs(self, form: Form, results: Results) -> Runs:
        """What they came to."""
        return Runs(self, tuple(results[job] for job in self.jobs(form)))


@dataclass(frozen=True)
class Runs:
    """What the populations of an arm came to."""

    arm: Arm
    found: tuple[dict[str, Any], ...]

    def needed(self, what: str = "perfect") -> list[int]:
        """The generation in which each was perfect (or `steady`); the limit where it never was."""
        return [self.arm.generations if one[what] is None else one[what] for one in self.found]

    def share(self, what: str = "perfect") -> float:
        """How many got there."""
        return float(np.mean(self._there(what)))

    def share_interval(self, what: str = "perfect") -> Interval:
        """The same with 95 %."""
        return rate_interval(self._there(what), np.arange(len(self.found)))

    def count(self, what: str = "perfect") -> str:
        """Such as 19 of 20."""
        return f"{int(self._there(what).sum())} of {len(self.found)}"

    def _there(self, what: str) -> np.ndarray:
        return np.array([one[what] is not None for one in self.found], float)

    def median(self, what: str = "perfect") -> float | None:
        """The generations that half of them need; None where no more than that get there."""
        return float(np.median(self.needed(what))) if self.share(what) > 0.5 else None

    def median_interval(self, what: str = "perfect") -> Interval | None:
        """The same with 95 %; at its upper end the limit means: or more."""
        return None if self.median(what) is None else ranks.median_interval(self.needed(what))

    def quartiles(self, what: str = "perfect") -> str:
        """A quarter and three quarters need fewer, for people."""
        low, high = ranks.quartiles(self.needed(what))
        return " and ".join(f"over {end:,}" if end >= self.arm.generations else f"{end:,}" for end in (low, high))

    @cached_property
    def population(self) -> int:
        """Genomes of a generation."""
        return self.arm.settings.get("population", 100)

    def figure(self, name: str) -> Sample:
        """A figure of each population: of its end, or of its last champion."""
        return Sample(tuple(float(one["last"][name] if name in one["last"] else one[name]) for one in self.found))

    def late(self, name: str) -> Sample:
        """A figure of the last generations, for each population that has it."""
        return Sample(tuple(float(one["late"][name]) for one in self.found if one["late"][name] is not None))

    def spikes(self, name: str, what: str) -> Sample:
        """What fell after a population was steady, for each that was; of `fallen`, the share of generations."""
        found = [one["spikes"][name] for one in self.found if one["spikes"][name]["since"]]
        return Sample(tuple(one[what] / (one["since"] if what == "fallen" else 1) for one in found))

    def course(self, name: str, label: str = "") -> Curve:
        """A figure over the generations; a population that ended early stays where it was."""
        return self._curve(label, [one["curves"][name] for one in self.found])

    def best_course(self, label: str = "") -> Curve:
        """The same of what the arm is measured by, but the best so far: populations may begin anew."""
        return self._curve(label, [_best_so_far(one, self.arm.measure) for one in self.found])

    def _curve(self, label: str, values: Sequence[Sequence[float | None]]) -> Curve:
        longest = max((one["points"] for one in self.found), key=lambda points: points[-1])
        rows = [_stretched(one["points"], own, longest) for one, own in zip(self.found, values, strict=True)]
        shown = np.array(rows, float)
        known = np.flatnonzero((~np.isnan(shown)).any(axis=0))  # the first champion has none before it to meet
        return Curve(label or self.arm.label, [longest[place] for place in known.tolist()], shown[:, known])


def _best_so_far(one: Mapping[str, Any], name: str) -> list[float]:
    """A curve that forgets nothing; a point of a curve is a mean, the best generation of all stands at the end."""
    best = np.fmax.accumulate(np.array(one["curves"][name], float))
    return [*best[:-1].tolist(), one["top"]]


def _stretched(points: Sequence[int], values: Sequence[float | None], longest: Sequence[int]) -> list[float]:
    """The values at other points: those of the first own point that is not before each, or of the last one."""
    places = np.minimum(np.searchsorted(points, longest), len(points) - 1)
    return [np.nan if (value := values[int(place)]) is None else value for place in places]

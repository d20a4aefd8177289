"""The figures of a run: what its seeds have in common, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.matches.statistics import Interval, mean_interval
from spielwerk.arena.measurement import RATE, SCORE, Measurement, figure_text, possible
from spielwerk.games.registry import game
from spielwerk.learn.runs import Run
from spielwerk.names import BadInput

BAND = 5  # seeds from which a band says something
UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True)
class LearningCurve:
    """One figure of a run as it learned, where all of its seeds were measured."""

    what: str
    seeds: tuple[int, ...]
    episodes: np.ndarray  # [points]
    values: np.ndarray  # [seeds, points]
    lows: np.ndarray  # [seeds, points]: the ends of each measurement's own interval
    highs: np.ndarray
    bounds: Interval = (-math.inf, math.inf)  # from where to where the figure can lie

    @property
    def mean(self) -> np.ndarray:
        """Over the seeds; [points]."""
        return self.values.mean(axis=0)

    @property
    def words(self) -> str:
        """What a picture of it shows."""
        count = len(self.seeds)
        if count == 1:
            return "one seed; bars: 95 % intervals of the measurements"
        return f"mean of {count} seeds; thin: each seed{'; band: 95 % interval of the mean' if self.band() else ''}"

    def band(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The ends of the 95 % interval of the mean at each point; None where there are too few seeds for a band."""
        if len(self.seeds) < BAND:
            return None
        low, high = np.transpose([self.interval(point) for point in range(len(self.episodes))])
        return low, high

    def figure(self, point: int) -> Figure:
        """The figure at a point; -1 is the last one."""
        values = self.values[:, point]
        by_seed = dict(zip(self.seeds, values.tolist(), strict=True))
        return Figure(self.what, int(self.episodes[point]), float(values.mean()), self.interval(point), by_seed)

    def interval(self, point: int) -> Interval:
        """The wider of two: by how much the seeds differ, and by how well each of them is known.

        Seeds that happen to agree say little about how far others would lie.
        """
        values = self.values[:, point]
        count, mean = len(values), float(values.mean())
        known = (math.hypot(*(values - ends[:, point])) / count for ends in (self.lows, self.highs))
        differ = (mean - mean_interval(values, np.arange(count))[0]) if count > 1 else 0.0
        below, above = (max(apart, differ) for apart in known)
        return max(mean - below, self.bounds[0]), min(mean + above, self.bounds[1])


@dataclass(frozen=True)
class Figure:
    """A mean over seeds, with a 95 % interval: Student's over the seeds, or by what is known of each, if wider."""

    what: str
    episode: int
    value: float
    interval: Interval
    seeds: Mapping[int, float]

    @property
    def text(self) -> str:
        """Such as 91.2 % (90.8 to 91.6)."""
        return figure_text(self.what, self.value, self.interval)

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"value": self.value, "interval": list(self.interval), "episode": self.episode, "seeds": self.seeds}


def curves(run: Run) -> dict[str, LearningCurve]:
    """The curves of a run, by what they show; seeds of which nothing was measured yet are left out."""
    return joined_curves([run])


def joined_curves(runs: Sequence[Run]) -> dict[str, LearningCurve]:
    """The same of several runs that differ in nothing but their seeds, as if they were one."""
    run, every = runs[0], [(one, seed) for one in runs for seed in one.config.seeds]
    seeds = [seed for _, seed in every]
    keys = seeds if len(set(seeds)) == len(seeds) else range(len(seeds))  # the same seed twice is not one
    measured = {key: one.measurements(seed) for key, (one, seed) in zip(keys, every, strict=True)}
    measured = {seed: found for seed, found in measured.items() if found}
    kinds = dict.fromkeys(one.what for found in measured.values() for one in found)
    best = _best(run.config.game)
    made = {what: _curve(what, measured, possible(what, best)) for what in kinds}
    return {what: curve for what, curve in made.items() if len(curve.episodes)}


def figures(run: Run) -> dict[str, Figure]:
    """The last figures of a run."""
    return {what: curve.figure(-1) for what, curve in curves(run).items()}


def without_repeats(found: Mapping[str, LearningCurve]) -> dict[str, LearningCurve]:
    """The curves without those that say nothing new: scores that are 2 · rate − 1 throughout."""

    def new(what: str) -> bool:
        rate = found.get(RATE + what.removeprefix(SCORE)) if what.startswith(SCORE) else None
        score = found[what].values
        same = rate is not None and rate.values.shape == score.shape
        return rate is None or not same or not np.allclose(score, 2 * rate.values - 1, atol=1e-9)

    return {what: curve for what, curve in found.items() if new(what)}


def count_text(number: float) -> str:
    """A number of episodes for people, such as 457k or 5M."""
    for unit, letter in UNITS:
        if number >= unit:
            return f"{number / unit:{'.0f' if number >= 100 * unit else '.3g'}}{letter}"
    return f"{number:.3g}"


def tick_text(number: float, most: float) -> str:
    """A number on an axis that ends at `most`, all of whose ticks have the same unit."""
    unit, letter = next((one for one in UNITS if most >= one[0] * (10 if one[1] == "k" else 1)), (1.0, ""))
    return f"{number / unit:.4g}{letter if number else ''}" if letter else f"{number:,.4g}"


def _best(name: str) -> float:
    """The highest score of a game; of one that is not here any more everything is believed."""
    try:
        return float(game(name).constants["BEST"])
    except BadInput:
        return math.inf


def _curve(what: str, measured: Mapping[int, list[Measurement]], bounds: Interval) -> LearningCurve:
    found = {seed: {one.episode: one for one in ones if one.what == what} for seed, ones in measured.items()}
    common = sorted(set.intersection(*(set(points) for points in found.values())))

    def column(name: str) -> np.ndarray:
        rows = [[getattr(points[episode], name) for episode in common] for points in found.values()]
        return np.array(rows).reshape(len(found), len(common))

    return LearningCurve(what, tuple(found), np.array(common), column("value"), column("low"), column("high"), bounds)

"""The figures of a run: what its seeds have in common, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.matches.statistics import Interval, mean_interval
from spielwerk.arena.measurement import RATE, SCORE, Measurement, figure_text, possible
from spielwerk.games.registry import game
from spielwerk.learn.runs import Run
from spielwerk.names import BadInput


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

    def band(self) -> tuple[np.ndarray, np.ndarray, str]:
        """The lower and the upper edge of a band around the mean, and what line and band are."""
        count = len(self.seeds)
        if count == 1:
            return self.lows[0], self.highs[0], "one seed; band: 95 % interval of each measurement"
        if count == 2:
            low, high = np.transpose([self._interval(point) for point in range(len(self.episodes))])
            return low, high, "mean of 2 seeds; band: its 95 % interval"
        spread = self.values.std(axis=0, ddof=1)
        low, high = np.clip((self.mean - spread, self.mean + spread), *self.bounds)
        return low, high, f"mean of {count} seeds; band: ± one standard deviation over them"

    def figure(self, point: int) -> Figure:
        """The figure at a point; -1 is the last one."""
        values = self.values[:, point]
        by_seed = dict(zip(self.seeds, values.tolist(), strict=True))
        return Figure(self.what, int(self.episodes[point]), float(values.mean()), self._interval(point), by_seed)

    def _interval(self, point: int) -> Interval:
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
    measured = {seed: run.measurements(seed) for seed in run.config.seeds}
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
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= unit:
            return f"{number / unit:{'.0f' if number >= 100 * unit else '.3g'}}{letter}"
    return f"{number:.3g}"


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

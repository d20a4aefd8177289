"""The figures of a run: what its seeds have in common, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.measurement import Measurement, possible
from spielwerk.arena.statistics import Interval, mean_interval
from spielwerk.learn.runs import Run


@dataclass(frozen=True)
class Curve:
    """One figure of a run as it learned, where all of its seeds were measured."""

    what: str
    seeds: tuple[int, ...]
    episodes: np.ndarray  # [points]
    values: np.ndarray  # [seeds, points]
    lows: np.ndarray  # [seeds, points]: the ends of each measurement's own interval
    highs: np.ndarray

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
            return self.values.min(axis=0), self.values.max(axis=0), "mean of 2 seeds; band: from one to the other"
        spread = self.values.std(axis=0, ddof=1)
        low, high = np.clip((self.mean - spread, self.mean + spread), *possible(self.what))
        return low, high, f"mean of {count} seeds; band: ± one standard deviation over them"

    def last(self) -> Figure:
        """The figure at the last point."""
        values = self.values[:, -1]
        by_seed = dict(zip(self.seeds, values.tolist(), strict=True))
        return Figure(self.what, int(self.episodes[-1]), float(values.mean()), self._interval(values), by_seed)

    def _interval(self, values: np.ndarray) -> Interval:
        if len(values) == 1:
            return float(self.lows[0, -1]), float(self.highs[0, -1])
        low, high = mean_interval(values, np.arange(len(values)))
        least, most = possible(self.what)
        return max(low, least), min(high, most)


@dataclass(frozen=True)
class Figure:
    """A mean over seeds, with a 95 % interval: Student's over the seeds, or of one seed its own."""

    what: str
    episode: int
    value: float
    interval: Interval
    seeds: Mapping[int, float]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"value": self.value, "interval": list(self.interval), "episode": self.episode, "seeds": self.seeds}


def curves(run: Run) -> dict[str, Curve]:
    """The curves of a run, by what they show; seeds of which nothing was measured yet are left out."""
    measured = {seed: run.measurements(seed) for seed in run.recipe.seeds}
    measured = {seed: found for seed, found in measured.items() if found}
    kinds = dict.fromkeys(one.what for found in measured.values() for one in found)
    made = {what: _curve(what, measured) for what in kinds}
    return {what: curve for what, curve in made.items() if len(curve.episodes)}


def figures(run: Run) -> dict[str, Figure]:
    """The last figures of a run."""
    return {what: curve.last() for what, curve in curves(run).items()}


def _curve(what: str, measured: Mapping[int, list[Measurement]]) -> Curve:
    found = {seed: {one.episode: one for one in ones if one.what == what} for seed, ones in measured.items()}
    common = sorted(set.intersection(*(set(points) for points in found.values())))

    def column(name: str) -> np.ndarray:
        rows = [[getattr(points[episode], name) for episode in common] for points in found.values()]
        return np.array(rows).reshape(len(found), len(common))

    return Curve(what, tuple(found), np.array(common), column("value"), column("low"), column("high"))

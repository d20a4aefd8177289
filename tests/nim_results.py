"""Populations of the nim study as results: one that is quick to evolve, and made-up ones of the same shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.studies.job import Job
from spielwerk.studies.nim import training


def small(stop: bool, generations: int = 25, **more: Any) -> Job:
    """A small population."""
    settings = {"population": 20, "opponents": 5, "output": "direct", **more}
    return training.evolve_job("nim:stacks=8,sizes=random", settings, 3, generations, training.POSITIONS, stop, 1.0)


GAME: dict[str, Any] = {
    **{"generation": 997, "against": 99, "seat": 1},
    **{"states": [[8], [3], [1]], "moves": [[0, 5], [0, 2], None]},
}


def pretended(job: Job) -> dict[str, Any]:
    """A result of the shape that the job's work gives, with made-up figures."""
    rng, given = np.random.default_rng(int(job.key, 16)), job.given
    if job.work.endswith(":grade"):
        return {"positions": 1.0, "hidden": 0}
    if job.work.endswith(":measure"):
        return {"right": rng.random(), "loss": rng.random(), "rate": rng.random(), "games": given["games"]}
    if job.work.endswith(":evolve_and_play"):
        return {"rate": rng.random(), "figures": {}}
    most = given["settings"]["generations"]
    first = int(rng.integers(1, most)) if rng.random() < 0.7 else None
    first = 0 if given["stop"] and "simple" in given["game"] and given["settings"].get("rarity") else first
    done = first + 1 if given["stop"] and first is not None else most
    points = training.points(most, done)
    curves = {name: rng.random(len(points)).tolist() for name in training.CURVES}
    curves["wins"][0] = None
    last = dict.fromkeys(training.LASTING, 1.0)
    shares = {"held": 0.5, "level": 0.7, "top": 0.9}
    steady = first if rng.random() < 0.8 else None
    fell = {"since": 0 if steady is None else 9, "fallen": 4, "falls": 3, "halved": 2}
    late = dict.fromkeys(training.CURVES) if done == 1 else {name: rng.random() for name in training.CURVES}
    more: dict[str, Any] = {"late": late, "taken": int(rng.integers(1, 8))}
    more |= {"spikes": dict.fromkeys((training.GAMES, training.SOURCES_PERFECT), fell), "shown": [GAME]}
    return {"perfect": first, "steady": steady, "points": points, "curves": curves, "last": last, **shares, **more}

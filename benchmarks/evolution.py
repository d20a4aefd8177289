"""How well evolution learns: 20 seeds of each of the study's settings, and whether the bars are met.

    python benchmarks/evolution.py [BAR …] [--json]      all: about ten minutes on two cores

The populations are those of `spielwerk study run nim/…`; what one of the two has measured the other knows. The exit
code is 1 if a bar is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from rich.console import Console

from spielwerk.games.registry import game
from spielwerk.learn.evolution.settings import GRADE
from spielwerk.learn.evolution.settings import ONEHOT as ONE_HOT_INPUTS
from spielwerk.solvers.einstein.oracle import Settings as SolverSettings
from spielwerk.solvers.einstein.oracle import solve
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import JobPool
from spielwerk.studies.nim import arms as study_arms
from spielwerk.studies.nim import equal_games
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.left_open import multi
from spielwerk.studies.nim.source.experiments import ARMS
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

FULL = Form()
SMALL = "einstein:board=3"
SMALL_SETTINGS = {
    **{"generations": 100, "population": 100, "fitness": GRADE, "inputs": ONE_HOT_INPUTS, "exponent": 10.0},
    **{"mutations_min": 1, "mutations_max": 6, "crossover": 0.5, "champion_games": 5, "decisions": 4000},
}
NEAR = 0.03  # that a rate against random may lie below that of perfect play


@dataclass(frozen=True)
class Row:
    """One bar, and what was reached."""

    name: str
    reached: str
    bar: str
    met: bool
    seeds: list[float]  # each seed's own figure: generations until perfect (-1: never), or a rate


def stack_2(results: Results) -> Row:
    """Perfect by generation 1."""
    runs = ARMS["stack-2"].runs(FULL, results)
    count = sum(one <= 1 for one in runs.needed())
    return _row("stack 2", runs, f"{count} of {len(runs.found)} by generation 1", "all", count == len(runs.found))


def stack_8(results: Results) -> Row:
    """With shares of 15 %."""
    runs = ARMS["stack-8-3"].runs(FULL, results)
    median = runs.median()
    met = median is not None and median <= 30 and runs.share() == 1
    return _row("stack 8, shares of 15 %", runs, f"median {median}, {runs.count()} perfect", "median ≤ 30, all", met)


def stacks_1_8(results: Results) -> Row:
    """With direct output."""
    runs = ARMS["stacks-1-8-2"].runs(FULL, results)
    return _row("stacks 1–8, direct", runs, f"{runs.count()} perfect", "18 of 20", runs.share() >= 0.9)


def several(results: Results) -> Row:
    """1-3-5-7, every position that can come up."""
    runs = next(arm for arm in multi.arms(FULL) if arm.label == "1-3-5-7").runs(FULL, results)
    return _row("1-3-5-7 misère", runs, f"{runs.count()} perfect", "15 of 20 (goal)", runs.share() >= 0.75)


def _row(name: str, runs: Runs, reached: str, bar: str, met: bool) -> Row:
    return Row(name, reached, bar, met, [-1 if one["perfect"] is None else one["perfect"] for one in runs.found])


def small_jobs() -> list[Job]:
    """Einstein 3×3: each seed plays 20,000 games against random."""
    seeds = FULL.seeds(study_arms.SEEDS[0])
    return [
        equal_games.job(SMALL, equal_games.EVOLUTION, SMALL_SETTINGS, seed, 0, (1000, 20_000), 15.0) for seed in seeds
    ]


def small(results: Results) -> Row:
    """Within 3 points of perfect play against random."""
    optimal = solve(game(SMALL), SolverSettings(), lambda done, total: None)["against_random"]["optimal"]
    sample = Sample(tuple(results[job]["rate"] for job in small_jobs()))
    low, high = (100 * end for end in sample.interval)
    reached = f"{100 * sample.mean:.1f} % ({low:.1f} to {high:.1f}) against random, perfect play {100 * optimal:.1f} %"
    return Row(SMALL, reached, "3 points", sample.mean >= optimal - NEAR, list(sample.values))


def _jobs(arm: Arm) -> list[Job]:
    return arm.jobs(FULL)


BARS: dict[str, tuple[Callable[[], list[Job]], Callable[[Results], Row]]] = {
    "stack-2": (lambda: _jobs(ARMS["stack-2"]), stack_2),
    "stack-8": (lambda: _jobs(ARMS["stack-8-3"]), stack_8),
    "stacks-1-8": (lambda: _jobs(ARMS["stacks-1-8-2"]), stacks_1_8),
    "1-3-5-7": (lambda: [job for arm in multi.arms(FULL) if arm.label == "1-3-5-7" for job in _jobs(arm)], several),
    "einstein-3x3": (small_jobs, small),
}


def measured(names: list[str]) -> Iterator[Row]:
    """The bars, one after the other."""
    with Console(stderr=True).status("measuring") as status:
        for name in names:
            status.update(f"measuring {name}")
            jobs, row = BARS[name]
            yield row(JobPool(os.cpu_count() or 1, lambda done: None).execute(jobs()))


def main() -> int:
    """Measures the bars that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bars", nargs="*", choices=[*BARS, []], metavar="BAR", help=", ".join(BARS))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows = []
    for row in measured(chosen.bars or list(BARS)):
        rows.append(row)
        if not chosen.json:
            seeds = ", ".join(f"{value:g}" for value in row.seeds)
            print(f"{'met' if row.met else 'NOT MET':8} {row.name:24} {row.reached}; bar: {row.bar}; seeds: {seeds}")
    if chosen.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

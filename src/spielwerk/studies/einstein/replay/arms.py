"""The learning algorithms that the replay study compares: as published, as proposed there, and two of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielwerk.studies.einstein.training import agents, final
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

PUBLISHED_AGENTS, FURTHER_AGENTS, QUICK_AGENTS = 10, 4, 3  # of what the source's code did, and of all else
FULL, QUICK = tuple(range(20_000, 100_001, 20_000)), (500, 1000, 2000, 3500, 5000)
GAMES = 200  # against each opponent at each point
PUBLISHED = {"alpha": 0.2, "alpha_end": 0.1, "epsilon": 0.1, "epsilon_end": 0.1, "gamma": 1.0, "lam": 0.0}
BUFFER = 5000
BATCHES = {13: 5, 14: 25, 15: 50}  # by figure
FREEZE = (5000, 500)  # episodes between two matches, full and quick
SPEED, UPDATES = 4200.0, 3.2e6  # episodes a second without replay, and transitions learned from batches, on one core
TURNS = 60  # of a game
LESS = (
    f"{QUICK_AGENTS} agents instead of {PUBLISHED_AGENTS} or {FURTHER_AGENTS}, "
    f"{QUICK[-1]:,} episodes instead of {FULL[-1]:,}"
)


@dataclass(frozen=True)
class Arm:
    """One learning algorithm that is compared with the others."""

    label: str
    batch: int = 0
    every: str = "transition"
    more: Mapping[str, Any] = field(default_factory=dict)
    freezes: bool = False
    agents: int = FURTHER_AGENTS

    def jobs(self, form: Form) -> list[Job]:
        """Its agents."""
        points = QUICK if form.quick else FULL
        settings: dict[str, Any] = {**PUBLISHED, "episodes": points[-1]}
        if self.batch:
            settings |= {"buffer": BUFFER, "batch": self.batch, "replay_every": self.every, **self.more}
        if self.freezes:
            settings["freeze"] = FREEZE[form.quick]
        given = {"settings": settings, "points": list(points), "games": GAMES}
        updates = self.batch * (TURNS if self.every == "transition" else 1)
        seconds = points[-1] * (1 / SPEED + updates / UPDATES) + len(points) * 2.5
        seeds = agents(form, self.agents, QUICK_AGENTS)
        return [Job("einstein.replay_work:train", {**given, "seed": seed}, seconds) for seed in seeds]


NONE = Arm("no replay", agents=PUBLISHED_AGENTS)
BY_TRANSITION = {batch: Arm(f"batch {batch} after every transition", batch) for batch in BATCHES.values()}
BY_EPISODE = {
    batch: Arm(f"batch {batch} after every episode", batch, "episode", agents=PUBLISHED_AGENTS)
    for batch in BATCHES.values()
}
PRIORITISED = Arm("batch 25, prioritised", 25, more={"selector": "prioritised"})
AS_PRINTED = Arm("batch 25, prioritised, no correction", 25, more={"selector": "prioritised", "correction": 0.0})
FROZEN = Arm("batch 25, freezing", 25, freezes=True)
BOTH = Arm("batch 25, prioritised, freezing", 25, more={"selector": "prioritised"}, freezes=True)
FROZEN_ALONE = Arm("no replay, freezing", freezes=True)
SMALL = Arm("batch 25, step size / 25", 25, more={"alpha": 0.2 / 25, "alpha_end": 0.1 / 25})
LARGE_BUFFER = Arm("batch 25, buffer 100,000", 25, more={"buffer": 100_000})
PROPOSED = (PRIORITISED, AS_PRINTED, FROZEN, BOTH, FROZEN_ALONE)
EXPLAINING = (SMALL, LARGE_BUFFER)
EVERY = (NONE, *BY_TRANSITION.values(), *BY_EPISODE.values(), *PROPOSED, *EXPLAINING)
BUFFERED = tuple(arm for arm in EVERY if arm.batch)

HARD, OTHER = "mcts:iterations=100", "alphabeta:depth=2"  # by which arms are compared: all of them beat a random mover


def facts(arm: Arm, fact: str, form: Form, results: Results) -> Sample:
    """A fact of each agent, as a mean over the second half of its training."""
    series = [results[job]["facts"][fact] for job in arm.jobs(form)]
    return Sample(tuple(float(np.mean(values[len(values) // 2 :])) for values in series))


def difference(one: Arm, other: Arm, form: Form, results: Results, against: str = HARD) -> Sample:
    """How much more an arm wins than another; agents of the same seed are pairs, others do not count."""
    mine, theirs = (final(results, arm.jobs(form), against).values for arm in (one, other))
    return Sample(tuple(a - b for a, b in zip(mine, theirs, strict=False)))


def best_arm(form: Form, results: Results) -> Arm:
    """The way to replay that does best against OTHER, so that HARD can judge it without luck."""
    return max(BUFFERED, key=lambda arm: final(results, arm.jobs(form), OTHER).mean)

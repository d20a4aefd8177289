"""What the open questions compare: agents that differ in one thing, and how each is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spielwerk.studies.einstein.training import agents
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

RANDOM, MCTSE = "random", "mctse:iterations=2000"
DECISIONS = 1000  # that the oracle grades


@dataclass(frozen=True)
class Match:
    """Games against an opponent, full and quick, perhaps with another start than the agent has learned with."""

    name: str
    game: str
    against: str
    games: tuple[int, int] = (2000, 400)
    seating: str = "teams"

    def facts(self, form: Form) -> dict[str, Any]:
        """As a job takes it."""
        given = {"name": self.name, "game": self.game, "against": self.against, "seating": self.seating}
        return given | {"games": self.games[form.quick]}


@dataclass(frozen=True)
class OpenArm:
    """Agents of one kind; `episodes` and `agents` full and quick, `speed` in episodes a second on one core."""

    label: str
    game: str
    settings: Mapping[str, Any]
    matches: tuple[Match, ...]
    episodes: tuple[int, int]
    speed: float
    agents: tuple[int, int] = (5, 3)
    graded: bool = False
    group: str = field(default="")  # of arms that are compared with each other; by default all of a game

    def jobs(self, form: Form) -> list[Job]:
        """Its agents."""
        episodes = self.episodes[form.quick]
        given = {"game": self.game, "settings": {**self.settings, "episodes": episodes}}
        given |= {"matches": [match.facts(form) for match in self.matches], "decisions": DECISIONS * self.graded}
        played = sum(match.games[form.quick] * (0.015 if match.against == MCTSE else 1e-4) for match in self.matches)
        seconds = episodes / self.speed + played + 1
        return [
            Job("einstein.open_work:train", {**given, "seed": seed}, seconds) for seed in agents(form, *self.agents)
        ]

    def rate(self, match: str, form: Form, results: Results) -> Sample:
        """The rates of its agents in a match."""
        return Sample(tuple(float(results[job]["rates"][match]) for job in self.jobs(form)))

    def regret(self, form: Form, results: Results) -> Sample:
        """What a decision of each of its agents costs."""
        return Sample(tuple(float(results[job]["regret"]) for job in self.jobs(form)))

    def weights(self, form: Form, results: Results) -> int:
        """The weights of its network."""
        return int(results[self.jobs(form)[0]]["weights"])

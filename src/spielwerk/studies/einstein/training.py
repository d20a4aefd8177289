"""Measurements by training: an agent that learns, and at several points of its training plays others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.agents.registry import agent
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.registry import game
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.learn.training import Pace
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

PATIENCE = 0.5  # seconds of learning between two looks at whether the study is to end
FEW = 50  # episodes that are learned before it is known how long they take

# What GBG does: a set of weights for each player, mirrored positions have their own.
AS_PUBLISHED = {"tuples": "published", "weights": "each", "symmetry": False}

# Episodes a second with the published settings, and seconds for a game against MCTSE, on one core.
EPISODES = {"4x4-2": 110_000, "5x5-2": 32_000, "4x4-4": 75_000, "6x6-4": 12_000}
AGAINST_MCTSE = {"4x4-2": 0.006, "5x5-2": 0.012, "4x4-4": 0.01, "6x6-4": 0.05}


def train_job(
    name: str,
    seating: str,
    settings: Mapping[str, Any],
    seed: int,
    points: Sequence[int],
    against: Mapping[str, tuple[int, int]],
    seconds: float,
) -> Job:
    """One agent, trained up to the last of `points` (episodes), measured at each of them.

    `against` says for each opponent how many games are played at a point, and at the last one; an opponent may be
    followed by a space and another seating.
    """
    given = {"game": name, "seating": seating, "settings": dict(settings, episodes=points[-1]), "seed": seed}
    given |= {"points": list(points), "against": {opponent: list(games) for opponent, games in against.items()}}
    return Job("einstein.training:train", given, seconds)


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The rates against each opponent, the mean error and the mean length of games at each point."""
    learner = made(given)
    rates: dict[str, list[float]] = {opponent: [] for opponent in given["against"]}
    errors: list[float] = []
    for point in given["points"]:
        learn(learner, point, callback)
        errors.append(float(learner.figures()["error"]))
        last = point == given["points"][-1]
        for opponent, games in given["against"].items():
            rates[opponent].append(met(learner, opponent, games[last], given["seed"], given["seating"], callback))
    return {"points": given["points"], "rates": rates, "errors": errors}


def made(given: Mapping[str, Any]) -> TdLearner:
    """The learner of a job."""
    return TdLearner(game(given["game"]), names.settings(Settings, "td", dict(given["settings"])), given["seed"])


def learn(learner: TdLearner, until: int, callback: JobProgress) -> None:
    """Learns until so many episodes are done, in chunks that keep nobody waiting."""
    pace = Pace(FEW, PATIENCE)
    while learner.episode < until:
        pace.learn(learner, until)
        callback(learner.episode / learner.settings.episodes)


def met(learner: TdLearner, opponent: str, games: int, seed: int, seating: str, callback: JobProgress) -> float:
    """The learner's rate against an opponent."""
    name, _, other = opponent.partition(" ")
    plan = Plan(learner.game.name, (LEARNER, name), games, seed, other or seating)
    share = learner.episode / learner.settings.episodes
    return play_learner(plan, learner.agent(), agent, lambda: callback(share)).rate


def curve(results: Results, jobs: Sequence[Job], opponent: str) -> np.ndarray:
    """The rates of several agents at every point; [agents, points]."""
    return np.array([results[job]["rates"][opponent] for job in jobs])


def final(results: Results, jobs: Sequence[Job], opponent: str) -> Sample:
    """The rates of several agents at the end."""
    return Sample(tuple(float(value) for value in curve(results, jobs, opponent)[:, -1]))


def agents(form: Form, full: int, quick: int) -> range:
    """The seeds of the agents that a form trains."""
    return form.seeds(quick if form.quick else full)

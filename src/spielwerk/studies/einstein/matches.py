"""Measurements by matches: agents against each other, in several parts, as the source takes its means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.agents.registry import agent
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.registry import game
from spielwerk.kernel.random import streams
from spielwerk.search.playout import NO_LIMIT, random_games
from spielwerk.solvers.einstein import response
from spielwerk.solvers.einstein.oracle import EinsteinOracle
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

RANDOM_PORTION = 50_000  # random games between two looks at whether the study is to end


def match_job(
    name: str, seating: str, agents: tuple[str, str], form: Form, times: int, games: int, seconds: float
) -> Job:
    """So many times so many games of an agent against another; `seconds` is what a game takes about."""
    given = {"game": name, "seating": seating, "agent": agents[0], "against": agents[1]}
    given |= {"times": times, "games": games, "seed": form.seed}
    return Job("einstein.matches:play", given, seconds * times * games)


def play(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The rate of each part; parts have seeds of their own."""
    rates: list[float] = []
    times, games = given["times"], given["games"]
    for seed in Form(seed=given["seed"]).seeds(times):
        plan = Plan(given["game"], (given["agent"], given["against"]), games, seed, given["seating"])
        done = len(rates)
        match = play_match(plan, agent, callback=lambda count, _, done=done: callback((done + count / games) / times))
        rates.append(match.summary.rate)
    return {"rates": rates}


def rates(results: Results, job: Job) -> Sample:
    """What a match job came to."""
    return Sample(tuple(results[job]["rates"]))


def random_job(name: str, games: int, form: Form) -> Job:
    """Random movers in all seats, from the side of the team that begins."""
    return Job("einstein.matches:play_random", {"game": name, "games": games, "seed": form.seed}, games / 5e5)


def play_random(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """How often the team of player 0, who begins, wins."""
    variant, games = game(given["game"]), given["games"]
    kernel, rngs = variant.rows(random_games), streams(given["seed"], variant.name, 1)
    totals, sums = np.zeros((1, 3), np.int64), np.zeros((1, variant.players))
    while (done := int(totals[0, 2])) < games:
        callback(done / games)
        kernel(1, rngs, np.array([min(RANDOM_PORTION, games - done)]), np.array([NO_LIMIT]), totals, sums)
    return {"rate": float(1 + sums[0, 0] / games) / 2, "games": games}


def ceiling_job(name: str) -> Job:
    """What can be known exactly about play against the random mover."""
    return Job("einstein.matches:ceiling", {"game": name}, 3.0)


def ceiling(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """Exact rates against the random mover: of itself as first player, of perfect play, of the best response."""
    variant = game(given["game"])
    callback(0.0)
    itself = response.met(variant, response.RANDOM)
    perfect = response.met(variant, response.optimal(EinsteinOracle(variant).values.for_kernels()))
    return {"random_first": itself.first, "perfect": perfect.mean, "ceiling": response.best_response(variant).mean}

"""The work of the open questions: TD learns a variant, plays there and elsewhere, and the oracle grades it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.arena.grading.examination import Examination, examination
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.registry import game
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.learn.td.learner import TdLearner
from spielwerk.solvers.oracle import oracle
from spielwerk.studies.einstein.training import learn, made
from spielwerk.studies.job import JobProgress, Result

PUBLIC_SEED = 1  # of the decisions that all agents are asked about


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """One agent: its rate in every match, and its regret a decision where it is to be graded."""
    learner = made(given)
    learn(learner, given["settings"]["episodes"], callback)
    rates = {match["name"]: _met(learner, match, given["seed"], callback) for match in given["matches"]}
    regret = _regret(learner, given["decisions"], given["seed"]) if given["decisions"] else None
    return {"rates": rates, "regret": regret, "weights": learner.network.shape.weights}


def _met(learner: TdLearner, match: Mapping[str, Any], seed: int, callback: JobProgress) -> float:
    """The rate of the agent in a match, perhaps with another start than it has learned with."""
    player = moved(learner, match["game"]).agent()
    plan = Plan(match["game"], (LEARNER, match["against"]), match["games"], seed, match["seating"])
    return play_learner(plan, player, agent, lambda: callback(1.0)).rate


def moved(learner: TdLearner, name: str) -> TdLearner:
    """The same network in a variant that has the same cells."""
    if learner.game.name == name:
        return learner
    other = TdLearner(game(name), learner.settings, learner.seed)
    other.network.weights = learner.network.weights  # not copied: there may be hundreds of millions
    return other


def _regret(learner: TdLearner, decisions: int, seed: int) -> float:
    """What a decision costs, by the oracle, on decisions that are the same for all agents."""
    name = learner.game.name.replace(",start=shared", "").replace(",start=free", "")
    return exam_of(name, decisions).examine(moved(learner, name).agent(), seed).whole.regret


@lru_cache
def exam_of(name: str, decisions: int) -> Examination:
    """Decisions of a variant with the fixed start."""
    return examination(oracle(game(name)), ["public"], decisions, PUBLIC_SEED)

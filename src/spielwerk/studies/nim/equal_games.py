"""Measurements at equal numbers of games: evolution and TD play them once, MCTS plays them anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.arena.grading.grade import answers
from spielwerk.arena.grading.judged import Question
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.game import Game
from spielwerk.games.registry import game
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.learn.evolution.exams.exam import Exam, exam
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.settings import Settings
from spielwerk.learn.kind import CPU
from spielwerk.learn.registry import learner_of
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings as TdSettings
from spielwerk.studies.einstein import training as td
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nim import training

EVOLUTION, TD, NETWORK, MCTS, ORACLE = "evolution", "TD n-tuples", "TD network", "MCTS", "perfect play"
ROUNDS = 20  # parts of the training of a network, between which it is asked whether to go on
DECISIONS = 1000  # that are asked about at most


def job(
    name: str, way: str, settings: Mapping[str, Any], seed: int, games: int, asked: tuple[int, int], seconds: float
) -> Job:
    """One agent that may play so many `games`; `asked`: decisions that it is asked about, and games against random."""
    given = {"game": name, "way": way, "settings": dict(settings), "seed": seed, "games": games}
    return Job("nim.equal_games:measure", given | {"decisions": asked[0], "matches": asked[1]}, seconds)


def measure(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """Right decisions and the regret a decision (kept as "loss"), by perfect play; the rate against random."""
    variant = game(given["game"])
    player, spent = WAYS[given["way"]](variant, given, callback)
    right, regret = graded(player, given["decisions"], given["seed"], callback)
    plan = Plan(variant.name, (LEARNER, "random"), given["matches"], given["seed"])
    rate = play_learner(plan, player, agent, lambda: callback(1.0)).rate if given["matches"] else None
    return {"right": right, "loss": regret, "rate": rate, "games": spent}


def _evolved(variant: Game, given: Mapping[str, Any], callback: JobProgress) -> tuple[Agent, int]:
    settings = names.settings(Settings, "evolution", dict(given["settings"]))
    learner = EvolutionLearner(variant, settings, given["seed"])
    training.learn(learner, callback)
    return learner.agent(), training.games(settings, learner.episode)


def _taught(variant: Game, given: Mapping[str, Any], callback: JobProgress) -> tuple[Agent, int]:
    settings = names.settings(TdSettings, "td", dict(given["settings"], episodes=given["games"]))
    learner = TdLearner(variant, settings, given["seed"])
    td.learn(learner, given["games"], callback)
    return learner.agent(), learner.episode


def _by_gradient(variant: Game, given: Mapping[str, Any], callback: JobProgress) -> tuple[Agent, int]:
    """A network that learns by backpropagation, on one thread, so that equal seeds learn the same."""
    settings = names.settings(TdSettings, "td", dict(given["settings"], episodes=given["games"]))
    learner = learner_of("td", variant, settings, given["seed"])
    learner.use(CPU, 1)
    while learner.episode < given["games"]:
        learner.learn(min(max(1, given["games"] // ROUNDS), given["games"] - learner.episode))
        callback(learner.episode / given["games"])
    return learner.agent(), learner.episode


def _searching(variant: Game, given: Mapping[str, Any], callback: JobProgress) -> tuple[Agent, int]:
    return agent(names.join("mcts", {"iterations": str(given["games"])}), variant), given["games"]


def _perfect(variant: Game, given: Mapping[str, Any], callback: JobProgress) -> tuple[Agent, int]:
    return agent("oracle", variant), 0


WAYS: dict[str, Callable[[Game, Mapping[str, Any], JobProgress], tuple[Agent, int]]]
WAYS = {EVOLUTION: _evolved, TD: _taught, NETWORK: _by_gradient, MCTS: _searching, ORACLE: _perfect}


def graded(player: Agent, count: int, seed: int, callback: JobProgress) -> tuple[float, float]:
    """The share of right decisions and the mean regret, by evolution's own exam, evenly thinned to `count`."""
    asked = exam(player.game, DECISIONS)
    assert asked is not None
    chosen = np.unique(np.linspace(0, len(asked.questions) - 1, count).round().astype(int)).tolist()
    ends = answers(player, [asked.questions[q] for q in chosen], seed, lambda done: callback(1.0))
    marks = np.array([_mark(asked, q, end) for q, end in zip(chosen, ends, strict=True)])
    right, regret = marks.mean(axis=0).tolist()
    return right, regret


def _mark(asked: Exam, q: int, end: Sequence[int]) -> np.ndarray:
    question: Question = asked.questions[q]
    return asked.marks[asked.first[q] + list(question.worths).index(tuple(end))]

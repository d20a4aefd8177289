"""What is measured of a learner: its grade, its rate in a match, and whether policy and value know what is better.

Of an actor-critic also whether its policy is calibrated, and how it plays against itself as it learned to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from spielwerk.agents.alphazero import AlphaZero, AlphaZeroSettings
from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.agents.mcts_settings import MctsSettings
from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.arena.by_policy import ByPolicy
from spielwerk.arena.grading.examination import Examination, examination
from spielwerk.arena.grading.grade import answers, grade
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.registry import game
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.search.trees.selection import GUMBEL, PUCT
from spielwerk.solvers.oracle import oracle
from spielwerk.studies.job import Result
from spielwerk.studies.trainings import agreement, calibration

if TYPE_CHECKING:
    from spielwerk.learn.actor_critic.learner import ActorCriticLearner
    from spielwerk.learn.learner import Learner

GRADE, MATCH, POLICY, VALUE = "grade", "match", "policy", "value"
CALIBRATION, SELFPLAY = "calibration", "selfplay"
RAW, SEARCHED = "raw", "searched"  # labels: play without and with a search
CANDIDATES = 8  # turns of a decision that a search by depth follows further
DIGITS = 6  # of what a decision costs, as it is kept

Pulse = Callable[[], None]


@dataclass(frozen=True)
class Measure:
    """One measurement: of the raw play, or with a search of so many simulations, or of so many turns."""

    label: str
    what: str  # GRADE, MATCH, POLICY, VALUE, CALIBRATION or SELFPLAY
    count: int  # decisions, games, positions or moves
    simulations: int = 0
    select: str = PUCT  # how networks with a policy search; others by UCT
    depth: int = 1
    opponent: str = ""
    opening: int = 0  # random turns before a match


def measured(facts: Mapping[str, Any], learner: Learner, pulse: Pulse) -> Result:
    """What a measure comes to."""
    given = Measure(**facts)
    player = agent_for(learner, given)
    if given.what == GRADE:
        return graded(player, given.count, learner.seed, pulse)
    if given.what == MATCH:
        plan = Plan(learner.game.name, (LEARNER, given.opponent), given.count, learner.seed, opening=given.opening)
        found = play_learner(plan, player, agent_of, pulse)
        return {"rate": found.rate, "rate_interval": list(found.rate_interval), "games": found.games}
    if given.what == SELFPLAY:
        from spielwerk.studies.trainings import selfplay  # which needs torch

        return selfplay.measured(cast("ActorCriticLearner", learner), given.count, pulse)
    asked = exam(learner.game.name, given.count)
    if given.what == CALIBRATION:
        return calibration.measured(
            cast("ByPolicy", player).estimator, asked, learner.figures().get("temperature", 1.0)
        )
    return agreement.measured(given.what == POLICY, player, asked, given.count, pulse)


def agent_for(learner: Learner, given: Measure) -> Agent:
    """The learner's own agent, or a search with its network."""
    raw = learner.agent()
    if given.depth == 1 and not given.simulations:
        return raw
    estimator = cast("ByPolicy | ByEstimate", raw).estimator
    if given.depth > 1:
        return ByEstimate(learner.game, NoSettings(), estimator, given.depth, candidates=CANDIDATES)
    if estimator.has_priors:
        trained = getattr(learner.settings, "scale", 0.0) if given.select == GUMBEL else 0.0
        own = AlphaZeroSettings(iterations=given.simulations, select=given.select, scale=trained)
        return AlphaZero(learner.game, own, estimator)
    return MctsByEstimate(learner.game, MctsSettings(iterations=given.simulations, value=estimator.name), estimator)


def graded(player: Agent, decisions: int, seed: int, pulse: Pulse) -> Result:
    """The grade on public decisions, and what each of them cost."""
    asked = exam(player.game.name, decisions)
    ends = answers(player, asked.questions, seed, lambda _: pulse())
    found = grade(asked.questions, ends, asked.games)
    facts = found.facts() | {"costs": _costs(asked, ends), **_blind(asked, ends)}
    kept = found.best_class_interval
    return facts if kept is None else facts | {"best_class_interval": list(kept)}


def _costs(asked: Examination, ends: Sequence[tuple[int, ...]]) -> list[float]:
    """What each answer loses."""
    return [
        round(max(worth.score for worth in question.worths.values()) - question.worths[end].score, DIGITS)
        for question, end in zip(asked.questions, ends, strict=True)
    ]


def _blind(asked: Examination, ends: Sequence[tuple[int, ...]]) -> dict[str, float]:
    """What the highest action number would lose, always played, and how often it is what was played.

    A policy that has learned nothing but which actions are good on average comes to this. It is told where every action
    is a whole turn.
    """
    fixed = [position.play(max(position.actions())).words for position in (one.position for one in asked.questions)]
    if any(end not in question.worths for question, end in zip(asked.questions, fixed, strict=True)):
        return {}
    same = [end == other for end, other in zip(ends, fixed, strict=True)]
    return {"blind": sum(_costs(asked, fixed)) / len(same), "blindly": sum(same) / len(same)}


@cache
def exam(name: str, decisions: int) -> Examination:
    """So many decisions of the public set of a game: judged ones, or those of random games that the oracle knows."""
    return examination(oracle(game(name)), ["public"], decisions)

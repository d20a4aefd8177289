"""What goes through an agent's head before it moves: its analysis, its network's policy, and the turn it then takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.by_policy import turn_priors
from spielwerk.games.position import Position, Turn

VISITS, POLICY, PROBABILITY, VALUE, SCORE = "visits", "policy", "probability", "value", "score"
SHARES = (VISITS, POLICY, PROBABILITY)  # which add up to 1 over all moves; of the others, higher is better
MOST_LIT = 12  # moves for which the nodes of an evolved network are computed


@dataclass(frozen=True)
class Thoughts:
    """A position in the eyes of the agent that is to move."""

    analysis: Analysis
    turn: Turn  # that it takes
    policy: Mapping[str, float] = field(default_factory=dict)  # of its network alone, by move; empty: it has none
    simulations: int | None = None  # of a tree search
    activity: Mapping[str, np.ndarray] = field(default_factory=dict)  # of the nodes of an evolved network, by move

    def weights(self, kind: str) -> dict[str, float]:
        """By move: shares of visits or of the policy, or from 0 for the worst to 1 for the best value or score."""
        if kind == POLICY:
            return dict(self.policy)
        if kind == VISITS:
            return self._visits()
        known = {one.move: value for one in self.analysis.moves if (value := getattr(one, kind)) is not None}
        return known if kind == PROBABILITY else _scaled(known)

    def _visits(self) -> dict[str, float]:
        """Shares of the simulations; those of flat Monte Carlo are all the same, and say nothing."""
        visits = {one.move: one.visits or 0 for one in self.analysis.moves}
        if not self.simulations or len(set(visits.values())) < min(len(visits), 2):
            return {}
        return {move: count / self.simulations for move, count in visits.items()}

    @property
    def kinds(self) -> list[str]:
        """The kinds of weights that there are, that on which the agent decides first."""
        found = [kind for kind in (VISITS, POLICY, PROBABILITY, VALUE, SCORE) if self.weights(kind)]
        return [kind for kind in found if kind != PROBABILITY or not {VISITS, POLICY} & set(found)]


def thoughts(agent: Agent, position: Position, rng: np.ndarray, **more: Any) -> Thoughts:
    """What an agent thinks, and the turn that follows; `more` goes to its analysis, such as `stop`.

    The turn of a tree search is the one that its analysis puts first, so that what is shown is what decides. Other
    agents take theirs as ever: `random`, for one, draws it.
    """
    analysis = agent.analyse(position, rng, **more)
    simulations = sum(one.visits or 0 for one in analysis.moves)
    decided = simulations > 0 or len(analysis.moves) == 1
    end = position.play(analysis.moves[0].move) if decided else None
    turns = position.turns()
    turn = next(one for one in turns if one.end == end) if decided else agent.turn(position, rng)
    shown = {judged.move for judged in analysis.moves[:MOST_LIT]} | {turn.text}
    activity = _activity(agent, position, [one for one in turns if one.text in shown])
    return Thoughts(analysis, turn, _policy(agent, position, turns), simulations or None, activity)


def _policy(agent: Agent, position: Position, turns: list[Turn]) -> dict[str, float]:
    """How likely the network of an agent calls each turn, if it has a network with a policy."""
    estimator = getattr(agent, "estimator", None)
    if estimator is None or not estimator.has_priors:
        return {}
    likely = turn_priors(estimator, position)
    return {turn.text: likely.get(turn.end, 0.0) for turn in turns}


def _activity(agent: Agent, position: Position, turns: list[Turn]) -> dict[str, np.ndarray]:
    from spielwerk.learn.evolution.activity import activity
    from spielwerk.learn.evolution.player import EvolutionPlayer

    if not isinstance(agent, EvolutionPlayer):
        return {}
    return {turn.text: activity(agent, position, turn.end) for turn in turns if not turn.end.over}


def _scaled(known: dict[str, float]) -> dict[str, float]:
    """The worst becomes 0 and the best 1; where all are equal, nothing stands out."""
    low, high = min(known.values(), default=0.0), max(known.values(), default=0.0)
    return {move: (value - low) / (high - low) for move, value in known.items()} if high > low else {}

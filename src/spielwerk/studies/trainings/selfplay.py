"""How an actor-critic plays against itself as it learned to: its illegal choices, and what it collects."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import torch

from spielwerk.games.shaping.rows import terms_of
from spielwerk.learn.neural.tensors import array, tensor
from spielwerk.studies.job import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from spielwerk.learn.actor_critic.experience import Step
    from spielwerk.learn.actor_critic.learner import ActorCriticLearner


def measured(learner: ActorCriticLearner, moves: int, pulse: Callable[[], None]) -> Result:
    """Plays about so many moves on the learner's boards, drawn as in training, and learns nothing from them.

    `gains` are what movers have gained of each count of shaped rewards in a game, or in all moves where no game has
    ended, whether or not it was rewarded.
    """
    illegal, games, played = 0, 0, 0
    terms = learner.game.shaping.terms if learner.game.shaping else ()
    gains = torch.zeros(len(terms), device=learner.device)
    while played < moves:
        pulse()
        with torch.no_grad(), learner.autocast():
            steps, _ = learner.collector.window(learner.network)
        illegal += sum(_illegal(learner, step) for step in steps)
        games += sum(int(step.over.sum()) for step in steps)
        played += sum(len(step.movers) for step in steps)
        if terms:
            for step, after in pairwise(steps):
                gains += _gained(learner, step, after)
    a_game = (gains / max(games, 1)).tolist()
    return {
        "illegal": illegal / played,
        "games": games,
        "moves": played,
        "gains": dict(zip(terms, a_game, strict=True)),
    }


def _illegal(learner: ActorCriticLearner, step: Step) -> int:
    """How many choices were not legal."""
    legal = tensor(learner.batch.sibling(array(learner.batch, step.states)).mask())
    return int((~legal.gather(1, step.chosen[:, None])).sum())


def _gained(learner: ActorCriticLearner, step: Step, after: Step) -> Tensor:
    """By how much a move has raised each count of its mover, on all boards together; last moves of games left out."""
    before, now = (
        tensor(terms_of(learner.batch.sibling(array(learner.batch, states)), array(learner.batch, step.movers)))
        for states in (step.states, after.states)
    )
    return torch.where(step.over[:, None], 0.0, (now - before).clamp(min=0)).sum(0)

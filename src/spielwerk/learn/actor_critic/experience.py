"""Experience: the moves of a window on all boards, and what each of them was worth."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Step(NamedTuple):
    """A move on every board."""

    states: Tensor  # [n, WORDS]: before it
    movers: Tensor  # [n]
    chosen: Tensor  # [n]: the action; illegal ones among them without a mask
    logs: Tensor  # [n]: the logarithm of how likely it was
    floors: Tensor  # [n]: what the share of random moves had in that
    values: Tensor  # [n, outputs]: what was expected before the move, by seat
    rewards: Tensor  # [n, outputs]: what it brought, by seat
    over: Tensor  # [n]: whether the game ended with it
    learned: Tensor  # [n]: whether the learner itself has moved, and not a past self


class Experience(NamedTuple):
    """Moves in any order, ready to be learned from."""

    states: Tensor  # [m, WORDS]
    chosen: Tensor  # [m]
    logs: Tensor  # [m]
    floors: Tensor  # [m]
    advantages: Tensor  # [m], of the mover
    wanted: Tensor  # [m, outputs]: what the value should have said, as the mover sees it


def advantages(steps: list[Step], last: Tensor, gamma: float, lam: float) -> list[Tensor]:
    """Generalised advantage estimates by seat, [n, outputs] for each step; `last` is what is expected at the end.

    Schulman et al. (2016). All that is counted is by seat, so it does not matter who moves in between, how often, and
    what is rolled.
    """
    found: list[Tensor] = []
    following, future = torch.zeros_like(last), last
    for step in reversed(steps):
        goes_on = (~step.over).to(last.dtype)[:, None]
        error = step.rewards + gamma * goes_on * future - step.values
        following = error + gamma * lam * goes_on * following
        found.append(following)
        future = step.values
    return found[::-1]

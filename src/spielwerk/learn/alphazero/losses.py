"""Losses of a policy: by action numbers, or by the ends of turns."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from spielwerk.learn.alphazero.lessons import Lessons

CENTRING = 1e-6  # weight of what keeps scores near 0: only differences count, and large numbers are less precise
NEVER = -1e9  # the logit of an action that is not legal


def dense(lessons: Lessons, actions: int) -> Tensor:
    """The policies as rows over all action numbers: [n, actions]; nothing but 0 where there is none to learn."""
    owners = torch.repeat_interleave(torch.arange(len(lessons.counts), device=lessons.counts.device), lessons.counts)
    shares = lessons.shares.new_zeros((len(lessons.counts), actions))
    shares[owners, lessons.actions] = lessons.shares
    return shares


def by_actions(logits: Tensor, legal: Tensor, shares: Tensor) -> Tensor:
    """The mean cross-entropy of policies over action numbers."""
    likely = functional.log_softmax(logits.masked_fill(~legal, NEVER), dim=1)
    return -(shares * likely).sum(1).mean()


def by_ends(scores: Tensor, owners: Tensor, first: Tensor, shares: Tensor) -> Tensor:
    """The mean cross-entropy where an action is as likely as all ends of turns that begin with it: scores [ends].

    `owners` and `first` are the row and the first action of each end. Scores that are all higher or lower by as much
    mean the same, and would wander off in mixed precision until they say nothing: that costs a little.
    """
    rows, actions = shares.shape
    most = torch.full((rows,), NEVER, device=scores.device).scatter_reduce(0, owners, scores.detach(), "amax")
    weights = torch.exp(scores - most[owners])
    sums = torch.zeros(rows * actions, device=scores.device).index_add(0, owners * actions + first, weights)
    sums = sums.view(rows, actions)
    whole = torch.log(sums.sum(1, keepdim=True).clamp(min=1e-9))
    likely = torch.log(sums.clamp(min=torch.finfo(sums.dtype).tiny)) - whole
    return -(shares * likely).sum(1).mean() + CENTRING * scores.square().sum() / max(len(scores), 1)

"""The loss of a policy by the advantages of its moves: PPO's clipped one, or the plain one."""

from __future__ import annotations

import torch
from torch import Tensor

NEVER = -1e9  # the logit of an action that is not legal
LEAST = -80.0  # a logarithm whose exponential is still a normal number; below it, a CPU takes ten times as long for it
TINY = 1e-30  # so that a probability of 0 has a logarithm


def log_policy(logits: Tensor, legal: Tensor | None) -> Tensor:
    """The logarithms of all probabilities: [n, ACTIONS]; of what is not legal very low, unless `legal` is None."""
    return torch.log_softmax(logits if legal is None else logits.masked_fill(~legal, NEVER), dim=1)


def mixed(likely: Tensor, chosen: Tensor, epsilon: float, floors: Tensor) -> Tensor:
    """The logarithm of how likely each chosen action is, where a share of moves is drawn from all legal ones."""
    own = likely.gather(1, chosen[:, None])[:, 0]
    return torch.log((1 - epsilon) * own.exp() + floors + TINY) if epsilon else own


def policy_loss(now: Tensor, before: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Lower where moves with advantages become likelier, up to a share `clip` (Schulman et al. 2017); 0: no bound."""
    if not clip:
        return -(advantages * now).mean()
    ratio = torch.exp(now - before)
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def entropy_of(likely: Tensor) -> Tensor:
    """The mean entropy of policies, in nats."""
    return -(likely.clamp(min=LEAST).exp() * likely).sum(1).mean()

"""What imitation lowers: surprise at the moves that were observed, the size of weights, and trust in illegal moves."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn import functional

LEAST = 1e-6  # of one minus a probability


def surprise(logits: Tensor, wanted: Tensor) -> Tensor:
    """The negative log-likelihood of what was observed."""
    return functional.cross_entropy(logits.float(), wanted)


def size(weights: Iterable[Tensor]) -> Tensor:
    """The sum of all absolute weights (L1)."""
    return torch.stack([one.abs().sum() for one in weights]).sum()


def trust(logits: Tensor, legal: Tensor, lots: Tensor) -> Tensor:
    """How sure the network is of an illegal value, drawn by `lots` [n, size]; where all are legal, of none."""
    illegal = legal == 0
    drawn = torch.where(illegal, lots, lots.new_full((), -1.0)).argmax(1, keepdim=True)
    likely = functional.softmax(logits.float(), 1).gather(1, drawn)[:, 0]
    return -(torch.log((1 - likely).clamp(min=LEAST)) * illegal.any(1)).mean()

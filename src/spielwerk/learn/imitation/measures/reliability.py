"""Reliability: whether a network holds all legal decisions more likely than any illegal one.

Decisions are ranked by probability. To retrieve a share of the legal ones (recall), one goes down the ranking so far;
the share of legal ones among all that were passed is the precision. Positions are averaged at 25 levels of recall.
"""

from __future__ import annotations

import torch
from torch import Tensor

LEVELS = 25


def precisions(logits: Tensor, legal: Tensor, levels: int = LEVELS) -> Tensor:
    """The precision of each position at each level of recall, [n, levels]; every position has a legal decision."""
    order = logits.argsort(dim=1, descending=True, stable=True)
    ranked = legal.gather(1, order).bool()
    ranks = torch.arange(1, logits.shape[1] + 1, device=logits.device).expand_as(ranked)
    places = torch.where(ranked, ranks, logits.shape[1] + 1).sort(1).values  # of the legal ones, the best first
    count = ranked.sum(1, keepdim=True)
    retrieved = -(-count * torch.arange(1, levels + 1, device=logits.device) // levels)  # at least that share of them
    return retrieved / places.gather(1, retrieved - 1)


def counted(logits: Tensor, legal: Tensor, none: int | None) -> Tensor:
    """The positions that count, [n] bool: there is a legal decision, and the first choice is not to do nothing."""
    found = (legal != 0).any(1)
    return found if none is None else found & (logits.argmax(1) != none)

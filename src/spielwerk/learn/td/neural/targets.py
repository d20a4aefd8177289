"""Targets: what the network should have said of the ends of turns, by what followed."""

from __future__ import annotations

import torch
from torch import Tensor

from spielwerk.learn.td.neural.selfplay import Ends


def targets_of(ends: list[Ends], lam: float) -> list[Tensor]:
    """What each of the ends but the last should say, by seat, the luck of what followed taken off."""
    targets: list[Tensor] = []
    for now in reversed(ends[1:]):
        target = now.kept
        if targets and lam > 0:
            mixed = (1 - lam) * now.kept + lam * targets[-1]
            target = torch.where(now.over[:, None], now.kept, mixed)
        targets.append(torch.where(now.random[:, None], now.best, target) - now.luck)
    return targets[::-1]

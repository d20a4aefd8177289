"""Units: what networks are made of, each two layers, joined to what came before in one of four ways."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from spielwerk.learn.imitation.settings import DENSE, PLAIN, STOCHASTIC

GROWTH = 4  # a dense unit adds a quarter of the width
LOTS = 2**16  # of which dropout draws one
LAST_SURVIVAL = 0.5  # of the last unit with stochastic depth; the first ones survive more often


class Drop(nn.Module):
    """Dropout, by random numbers of its own generator where it has one, so that a training can be repeated."""

    generator: torch.Generator | None = None

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, given: Tensor) -> Tensor:
        """The same numbers, some of them 0 in training."""
        if not self.training or not self.share:
            return given
        if self.generator is None:
            return nn.functional.dropout(given, self.share)
        kept = lots(given.shape, self.generator) >= round(self.share * LOTS) - LOTS // 2
        return given * kept.to(given.dtype).div_(1 - self.share)


def lots(shape: torch.Size, generator: torch.Generator) -> Tensor:
    """Random int16: four of each number that is drawn, since drawing each took a third of the time on a CPU."""
    count = math.prod(shape)
    drawn = torch.empty(-(-count // 4), dtype=torch.int64).random_(-(2**63), None, generator=generator)
    return drawn.view(torch.int16)[:count].view(shape)


class Unit(nn.Module):
    """ReLU, dropout, a layer; and once more. What was given is added, but for plain and dense units."""

    def __init__(self, kind: str, given: int, inner: int, made: int, dropout: float, survival: float = 1.0) -> None:
        super().__init__()
        self.kind = kind
        self.one, self.two = nn.Linear(given, inner), nn.Linear(inner, made)
        self.drop_one, self.drop_two, self.fate = Drop(dropout), Drop(dropout), Drop(1 - survival)

    def forward(self, given: Tensor) -> Tensor:
        """[n, size]."""
        made = self.two(self.drop_two(torch.relu(self.one(self.drop_one(torch.relu(given))))))
        if self.kind == PLAIN:
            return made
        if self.kind == DENSE:
            return torch.cat([given, made], 1)
        if self.kind == STOCHASTIC:  # the whole unit is there or not; later, as much of it as it was there
            made = made * self.fate(torch.ones(len(given), 1, device=given.device, dtype=made.dtype))
        return given + made


def unit_sizes(kind: str, width: int, units: int) -> list[tuple[int, int]]:
    """What each unit is given, and what it makes."""
    if kind != DENSE:
        return [(width, width)] * units
    growth = max(1, width // GROWTH)
    return [(width + i * growth, growth) for i in range(units)]


def units_of(kind: str, width: int, inner: int, units: int, dropout: float) -> tuple[nn.ModuleList, int]:
    """So many units, and how many numbers the last one makes."""
    sizes = unit_sizes(kind, width, units)
    survival = [1 - (i + 1) / max(units, 1) * (1 - LAST_SURVIVAL) if kind == STOCHASTIC else 1.0 for i in range(units)]
    found = [Unit(kind, given, inner, made, dropout, survival[i]) for i, (given, made) in enumerate(sizes)]
    return nn.ModuleList(found), sum(sizes[-1]) if kind == DENSE and sizes else width

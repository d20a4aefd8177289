"""Policies: the logits of all actions, by one layer or by the points that they concern."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from spielwerk.learn.actor_critic.networks.places import Places, own_order


class FlatPolicy(nn.Module):
    """One fully connected layer; for `removals` (the numbers of actions), another where a man has to be taken."""

    order: Tensor

    def __init__(self, size: int, actions: int, removals: Tensor | None) -> None:
        super().__init__()
        self.all = nn.Linear(size, actions)
        self.removal = None if removals is None else nn.Linear(size, len(removals))
        if removals is not None:
            self.register_buffer("order", torch.tensor(own_order(actions, removals.numpy())), persistent=False)

    def forward(self, said: Tensor, removing: Tensor | None) -> Tensor:
        """[n, actions]; `removing` [n, 1] says where a man has to be taken."""
        flat = said.flatten(1)
        logits = self.all(flat)
        if self.removal is None or removing is None:
            return logits
        both = torch.cat([logits, self.removal(flat)], 1)
        return torch.where(removing, both.index_select(1, self.order), logits)


class PointPolicy(nn.Module):
    """Scores of points, whose weights do not depend on how many there are.

    From one point to another: u(source)·v(target), divided by the root of their size. On one point: a linear map, or
    another where a man has to be taken. On none: a linear map of the mean.
    """

    order: Tensor | None

    def __init__(self, filters: int, places: Places, own: bool) -> None:
        super().__init__()
        self.source = nn.Conv1d(filters, filters, 1) if places.pairs else None
        self.target = nn.Conv1d(filters, filters, 1) if places.pairs else None
        self.point = nn.Conv1d(filters, 1, 1) if places.single else None
        self.removal = nn.Conv1d(filters, 1, 1) if own else None
        self.nowhere = nn.Linear(filters, places.nowhere) if places.nowhere else None
        order = None if places.order is None else torch.tensor(places.order)
        self.register_buffer("order", order, persistent=False)

    def forward(self, said: Tensor, removing: Tensor | None) -> Tensor:
        """[n, actions]; `removing` [n, 1] says where a man has to be taken."""
        scores: list[Tensor] = []
        if self.source and self.target:
            pairs = self.source(said).transpose(1, 2) @ self.target(said)  # [n, source, target]
            scores.append(pairs.flatten(1) / said.shape[1] ** 0.5)
        if self.point:
            scores.append(self._single(said, self.point, removing))
        if self.nowhere:
            scores.append(self.nowhere(said.mean(2)))
        logits = torch.cat(scores, 1)
        return logits if self.order is None else logits.index_select(1, self.order)

    def _single(self, said: Tensor, point: nn.Module, removing: Tensor | None) -> Tensor:
        """[n, points]."""
        placed = point(said)[:, 0]
        if self.removal is None or removing is None:
            return placed
        return torch.where(removing, self.removal(said)[:, 0], placed)

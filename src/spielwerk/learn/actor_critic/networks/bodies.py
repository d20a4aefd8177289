"""Bodies: what a network makes of its inputs before its heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from spielwerk.learn.neural.forms import Form
from spielwerk.learn.neural.layers import Tower


class MlpBody(nn.Module):
    """Input layers side by side, then hidden ones, with ReLU; without any, the inputs as they are."""

    def __init__(self, first: Mapping[str, tuple[int, int]], hidden: Sequence[int]) -> None:
        super().__init__()
        self.sizes = [given for given, _ in first.values()]
        self.first = nn.ModuleDict({name: nn.Linear(given, made) for name, (given, made) in first.items()})
        widths = [sum(made for _, made in first.values()), *hidden]
        self.hidden = nn.ModuleList(nn.Linear(widths[i], width) for i, width in enumerate(hidden))

    def forward(self, rows: Tensor) -> Tensor:
        """[n, size]."""
        if not self.sizes:
            return rows
        parts = rows.split(self.sizes, 1)
        said = torch.cat([layer(part) for layer, part in zip(self.first.values(), parts, strict=True)], 1).relu()
        for layer in self.hidden:
            said = layer(said).relu()
        return said


class BoardBody(nn.Module):
    """Residual blocks over the points of the board."""

    def __init__(self, form: Form, filters: int, blocks: int) -> None:
        super().__init__()
        self.form = form
        self.tower = Tower(form, filters, blocks)

    def forward(self, rows: Tensor) -> Tensor:
        """[n, filters, points]."""
        given = rows.reshape(-1, *self.form.shape)
        if given.ndim == 4:  # planes of a point side by side, as the fast convolutions of a GPU take them
            given = given.contiguous(memory_format=torch.channels_last)
        return self.tower(given).flatten(2)

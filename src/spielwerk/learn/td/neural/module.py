"""ValueNetwork: fully connected layers, perhaps one set of them for each class of positions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import torch
from torch import Tensor, nn


class ValueNetwork(nn.Module):
    """From inputs [n, inputs] to what the last layer says, [n, outputs].

    With `classes`, the first so many inputs say by a single 1 to which class a position belongs, and each class has
    layers of its own.
    """

    def __init__(self, inputs: int, hidden: Sequence[int], outputs: int, classes: int = 0) -> None:
        super().__init__()
        self.inputs, self.outputs, self.classes = inputs, outputs, classes
        self.parts = nn.ModuleList(_layers([inputs, *hidden, outputs]) for _ in range(max(classes, 1)))

    def forward(self, inputs: Tensor) -> Tensor:
        """What the last layer says."""
        if not self.classes:
            return self.parts[0](inputs)
        made = inputs.new_zeros((len(inputs), self.outputs), dtype=self._dtype(inputs))
        for number, part in enumerate(self.parts):
            rows = inputs[:, number].nonzero()[:, 0]
            made = made.index_copy(0, rows, part(inputs[rows]))
        return made

    def dense(self, inputs: Tensor) -> Tensor:
        """The same, with every row through all layers: more to compute, and no sizes that depend on the rows."""
        if not self.classes:
            return self.parts[0](inputs)
        gates = inputs[:, : self.classes].split(1, dim=1)
        return torch.stack([gate * part(inputs) for gate, part in zip(gates, self.parts, strict=True)]).sum(0)

    def _dtype(self, inputs: Tensor) -> torch.dtype:
        """The type of the outputs, which is another one where precision is mixed."""
        kind = inputs.device.type
        return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else inputs.dtype


def _layers(sizes: Sequence[int]) -> nn.Sequential:
    """Layers of these sizes, with a ReLU between two."""
    layers: list[nn.Module] = []
    for given, made in itertools.pairwise(sizes):
        layers += [nn.Linear(given, made), nn.ReLU()]
    return nn.Sequential(*layers[:-1])

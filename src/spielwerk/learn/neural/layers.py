"""Layers of torch for each form, and the tower of residual blocks that they make."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from spielwerk.learn.neural.forms import ENTRY, Form, Tables


class GraphLayer(nn.Conv1d):
    """A linear map for each way in which points are joined, the same at every point.

    All that is joined to a point is gathered there by one matrix, which is no parameter; what follows is a convolution
    of width 1.
    """

    joining: Tensor

    def __init__(self, form: Form, given: int, made: int) -> None:
        super().__init__(given * form.kinds, made, 1)
        self.register_buffer("joining", torch.tensor(form.joining), persistent=False)

    def forward(self, input: Tensor) -> Tensor:
        """Gathers, then maps."""
        gathered = (input @ self.joining).reshape(len(input), self.in_channels, input.shape[2])
        return super().forward(gathered)


class TableLayer(nn.Linear):
    """A fully connected layer that sees, beside a row of numbers, what a table holds of each pattern in it."""

    reading: Tensor
    first: Tensor

    def __init__(self, tables: Tables, given: int, made: int) -> None:
        super().__init__(given + tables.read, made)
        self.tables = nn.Embedding(tables.entries, ENTRY)
        self.register_buffer("reading", torch.tensor(tables.reading, dtype=torch.float64), persistent=False)
        self.register_buffer("first", torch.tensor(tables.first), persistent=False)

    def forward(self, input: Tensor) -> Tensor:
        """Looks up, then maps."""
        return super().forward(torch.cat([input, self.tables(self.entries(input)).flatten(1)], 1))

    def entries(self, input: Tensor) -> Tensor:
        """Which entry each place reads: [n, places]."""
        with torch.autocast(input.device.type, enabled=False):
            # A GPU may multiply single precision with eleven bits, and the numbers of entries have more.
            found = (input.double() @ self.reading).long() + self.first
        return found.clamp(0, self.tables.num_embeddings - 1)  # rows of no position may leave a table


def layer(form: Form, given: int, made: int) -> nn.Module:
    """A layer that joins what the form joins."""
    if form.joining is not None:
        return GraphLayer(form, given, made)
    if not form.points:
        return nn.Linear(given, made)
    _, _, high, wide = form.weights(given, made)
    return nn.Conv2d(given, made, (high, wide), padding=(high // 2, wide // 2))


def point_layer(form: Form, given: int, made: int) -> nn.Module:
    """A layer that looks at each point alone."""
    return (nn.Conv1d if len(form.shape) == 2 else nn.Conv2d)(given, made, 1)


class Precise(nn.Linear):
    """A layer in single precision, also where others are in mixed precision: few numbers, which are told apart."""

    def forward(self, input: Tensor) -> Tensor:
        """As every layer."""
        with torch.autocast(input.device.type, enabled=False):
            return super().forward(input.float())


class Block(nn.Module):
    """Two layers, and what was given added to what they make."""

    def __init__(self, form: Form, filters: int) -> None:
        super().__init__()
        self.one, self.two = layer(form, filters, filters), layer(form, filters, filters)

    def forward(self, given: Tensor) -> Tensor:
        """The same size."""
        return torch.relu(given + self.two(torch.relu(self.one(given))))


class Tower(nn.Module):
    """A first layer, then residual blocks.

    There is no normalisation. What keeps numbers in bounds is how weights begin: the second layer of each block with 0,
    so that every block begins as if it were not there (as in Fixup, Zhang, Dauphin and Ma, 2019), all others by He's
    rule. Batch norm would make a position's value depend on its batch while learning and on running means in self-play;
    this is the same network everywhere, exports as it is, and has only sums and ReLUs, which compilers fuse. In a first
    trial (values of backgammon, one seed, one rate) it fitted no worse than with group or batch norm, in half the time.
    """

    def __init__(self, form: Form, filters: int, blocks: int) -> None:
        super().__init__()
        given = form.shape[0]
        self.first = TableLayer(form.tables, given, filters) if form.tables else layer(form, given, filters)
        self.blocks = nn.Sequential(*(Block(form, filters) for _ in range(blocks)))
        for name, weights in self.named_parameters():
            if name.endswith("bias") or ".two." in name:
                nn.init.zeros_(weights)
            else:
                nn.init.kaiming_normal_(weights, nonlinearity="relu")

    def forward(self, given: Tensor) -> Tensor:
        """[n, filters], or [n, filters, …] over the points."""
        return self.blocks(torch.relu(self.first(given)))

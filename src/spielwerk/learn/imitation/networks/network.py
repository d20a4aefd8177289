"""ImitationNetwork: from a position, and the parts that were decided, to what each slot says."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from spielwerk.games.game import Game
from spielwerk.learn.imitation.forms import Traits, traits
from spielwerk.learn.imitation.networks.encodings import FILTERS, Encoding, encoding_of
from spielwerk.learn.imitation.networks.units import Drop, units_of
from spielwerk.learn.imitation.settings import PLAIN, RECURRENT, RESIDUAL, ROW, Settings
from spielwerk.learn.imitation.slots import HEADS, SHARED, Slots, key
from spielwerk.learn.neural.forms import row_form
from spielwerk.learn.neural.layers import Precise

MANY_UNITS = 8  # of a body, from which on compiling them takes less time than it saves


class BoardLayer(nn.Module):
    """Two convolutions over the board; then one layer sees all of it, and what else is told."""

    places: Tensor

    def __init__(self, encoding: Encoding, inputs: int, width: int) -> None:
        super().__init__()
        self.encoding = encoding
        self.register_buffer("places", torch.tensor(encoding.places.reshape(-1)), persistent=False)
        planes, layer = len(encoding.places), nn.Conv3d if len(encoding.shape) == 3 else nn.Conv2d
        self.one = layer(planes, FILTERS[0], 3, padding=1)
        self.two = layer(FILTERS[0], FILTERS[1], 3, padding=1)
        cells = encoding.places.shape[1]
        self.all = nn.Linear(FILTERS[1] * cells + inputs - encoding.inputs, width)

    def forward(self, rows: Tensor) -> Tensor:
        """[n, width]."""
        padded = nn.functional.pad(rows, (1, 0))  # what is no point is 0
        board = padded.index_select(1, self.places + 1).reshape(len(rows), -1, *self.encoding.shape)
        seen = torch.relu(self.two(torch.relu(self.one(board)))).flatten(1)
        return self.all(torch.cat([seen, rows[:, self.encoding.inputs :]], 1))


class Body(nn.Module):
    """A first layer, then units.

    Many units are compiled for learning on a GPU (`fuse`): dozens of small operations between their layers take longer
    than the layers.
    """

    fused: Sequence[Callable[[Tensor], Tensor]] = ()

    def __init__(self, game: Game, inputs: int, settings: Settings, form: Traits) -> None:
        super().__init__()
        kind = RESIDUAL if settings.net == RECURRENT else settings.net
        self.drop, self.bent = Drop(form.input_dropout), form.bent_first
        if settings.encoding == ROW:
            self.first: nn.Module = nn.Linear(inputs, settings.width)
        else:
            self.first = BoardLayer(encoding_of(game, settings.encoding), inputs, settings.width)
        self.alike = kind in (RESIDUAL, PLAIN)  # so that units are compiled once
        self.units, self.size = units_of(kind, settings.width, settings.inner, form.units, form.dropout)

    def forward(self, rows: Tensor) -> Tensor:
        """[n, size]."""
        said = self.first(self.drop(rows))
        said = torch.relu(said) if self.bent else said
        for unit in (self.training and self.fused) or self.units:
            said = unit(said)
        return said

    def fuse(self, backend: str | Callable[..., Any] = "inductor") -> None:
        """From now on units that learn are compiled, where there are many that are alike."""
        if len(self.units) >= MANY_UNITS and self.alike:
            self.fused = tuple(torch.compile(unit, backend=backend, dynamic=False) for unit in self.units)


class ImitationNetwork(nn.Module):
    """From rows [n, bits + given] to the logits of each slot, [n, size] each.

    Each slot has a body of its own and sees the slots before it; or all share one body, and with net=recurrent a cell
    that is told one decided slot after the other.
    """

    def __init__(self, game: Game, slots: Slots, settings: Settings) -> None:
        super().__init__()
        self.slots = slots
        self.bits = row_form(game, game.move_parts.inputs).shape[0]
        self.shared = settings.structure == HEADS or settings.net == RECURRENT
        bodies = (SHARED,) if self.shared else slots.names
        self.bodies = nn.ModuleDict(
            {
                key(name): Body(
                    game, self.bits + (0 if self.shared else slots.before(i)), settings, traits(settings, name)
                )
                for i, name in enumerate(bodies)
            }
        )
        sizes: list[int] = [body.size for body in self.bodies.values()]  # type: ignore[misc]
        sizes = sizes * len(slots.names) if self.shared else sizes
        self.heads = nn.ModuleDict(
            OrderedDict((key(name), Precise(sizes[i], slots.sizes[i])) for i, name in enumerate(slots.names))
        )
        self.cell = nn.GRUCell(max(slots.sizes), sizes[0]) if settings.net == RECURRENT else None
        self._begin()

    def forward(self, rows: Tensor, wanted: tuple[int, ...] | None = None) -> list[Tensor]:
        """Of all slots, or of those that are wanted."""
        if self.shared:
            return self._from_one(rows)
        names, said = self.slots.names, list[Tensor]()
        for slot in range(len(names)) if wanted is None else wanted:
            own = rows[:, : self.bits + self.slots.before(slot)]
            said.append(self.heads[key(names[slot])](self.bodies[key(names[slot])](own)))
        return said

    def _from_one(self, rows: Tensor) -> list[Tensor]:
        """By the shared body."""
        said, found = self.bodies[key(SHARED)](rows[:, : self.bits]), list[Tensor]()
        told = said.new_zeros(len(said), max(self.slots.sizes))
        for slot, name in enumerate(self.slots.names):
            if self.cell is not None:
                said = self.cell(told, said)
                if slot + 1 < len(self.slots.sizes):
                    first = self.bits + self.slots.before(slot)
                    decided = rows[:, first : first + self.slots.sizes[slot]]
                    told = nn.functional.pad(decided, (0, max(self.slots.sizes) - self.slots.sizes[slot])).to(said)
            found.append(self.heads[key(name)](said))
        return found

    def groups(self) -> list[tuple[int, ...]]:
        """The slots that learn together, since they share weights."""
        slots = range(len(self.slots.names))
        return [tuple(slots)] if self.shared else [(slot,) for slot in slots]

    def weights_of(self, group: tuple[int, ...]) -> dict[str, nn.Parameter]:
        """The parameters of a group by name."""
        if self.shared:
            return dict(self.named_parameters())
        own = key(self.slots.names[group[0]])
        return {name: one for name, one in self.named_parameters() if name.split(".")[1] == own}

    def fuse(self) -> None:
        """From now on deep bodies learn in compiled code."""
        for body in (one for one in self.modules() if isinstance(one, Body)):
            body.fuse()

    def drops(self) -> list[Drop]:
        """All that draws at random in training."""
        return [one for one in self.modules() if isinstance(one, Drop)]

    def _begin(self) -> None:
        """He's initialisation; biases begin with 0.

        The second layers of units begin smaller, by the root of how many there are: nothing is normalised here, and
        sums would double with each unit, to numbers of five digits after thirty.
        """
        for name, weights in self.named_parameters():
            if "bias" in name:
                nn.init.zeros_(weights)
            elif not name.startswith("cell."):
                nn.init.kaiming_normal_(weights, nonlinearity="relu")
        for body in self.bodies.values():
            units = list(body.units)  # type: ignore[arg-type]
            for unit in units:
                with torch.no_grad():
                    unit.two.weight /= len(units) ** 0.5

"""Trained networks as one ONNX file, which plays without torch: an input row to the logits of each slot.

The row is a position in bits and, where slots see those before them, a 1 for each slot that is decided. It is written
from the arrays of a checkpoint, by the names that torch gives them, and needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk.data import parsed
from spielwerk.files import whole
from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.imitation.forms import Traits, traits
from spielwerk.learn.imitation.networks.encodings import encoding_of
from spielwerk.learn.imitation.settings import DENSE, KIND, PLAIN, RECURRENT, ROW, Settings
from spielwerk.learn.imitation.slots import HEADS, SHARED, Slots, key, slots_of
from spielwerk.learn.neural.forms import row_form
from spielwerk.learn.onnx.model import described
from spielwerk.learn.onnx.network_writer import NetworkWriter, not_a_network
from spielwerk.learn.onnx.writing import INPUT
from spielwerk.learn.registry import settings_of

GATES = 3  # of a recurrent cell: reset, update, new


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str], half: bool = False) -> None:
    """Writes a file to play with; its metadata are those of the checkpoint, and `about`."""
    with whole(path) as part:
        part.write_bytes(model(game, kept, about, half))


def model(game: Game, kept: Checkpoint, about: Mapping[str, str], half: bool = False) -> bytes:
    """The networks of a checkpoint, perhaps with weights in half precision; BadInput where that has none."""
    try:
        settings: Settings = settings_of(KIND, parsed(kept.metadata["settings"]))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise not_a_network(kept, KIND) from None
    return _Writer(game, kept, settings, half).written(about)


class _Writer(NetworkWriter):
    """Writes the parts of the networks."""

    def __init__(self, game: Game, kept: Checkpoint, settings: Settings, half: bool) -> None:
        inputs = game.move_parts.inputs
        super().__init__(kept, row_form(game, inputs), half, KIND)
        self.game, self.settings, self.inputs = game, settings, inputs or "observe"
        self.slots: Slots = slots_of(game, settings.order, settings.structure)
        self.bits = math.prod(self.form.shape)
        self.shared = settings.structure == HEADS or settings.net == RECURRENT

    def written(self, about: Mapping[str, str]) -> bytes:
        """The file."""
        if self.shared:
            self._from_one()
        else:
            for slot, name in enumerate(self.slots.names):
                size = self.bits + self.slots.before(slot)
                said, width = self._body(self._columns(0, size), size, name)
                self._head(said, width, name)
        outputs = dict(zip(self.slots.names, self.slots.sizes, strict=True))
        words = {**self.kept.metadata, **described(self.game, self.inputs, self.slots.names), **about}
        return self.graph.model("parts of a move", self.bits + self.slots.given, outputs, words)

    def _head(self, said: str, width: int, name: str) -> None:
        layer = f"heads.{key(name)}"
        if self.width(layer) != self.slots.sizes[self.slots.names.index(name)]:
            raise self.wrong_size(layer)
        self.linear(said, layer, width, output=name)

    def _columns(self, first: int, last: int) -> str:
        """Some inputs that follow each other."""
        if (first, last) == (0, self.bits + self.slots.given):
            return INPUT
        return self.graph.step("Gather", INPUT, self.graph.constant(np.arange(first, last), np.int64), axis=1)

    def _body(self, rows: str, size: int, name: str) -> tuple[str, int]:
        """What a body says, and how many numbers."""
        form: Traits = traits(self.settings, name)
        before = f"bodies.{key(name)}"
        if self.settings.encoding == ROW:
            said, width = self.linear(rows, f"{before}.first", size), self.width(f"{before}.first")
        else:
            said, width = self._board(rows, size, f"{before}.first"), self.width(f"{before}.first.all")
        said = self.bent(said) if form.bent_first else said
        for number in range(form.units):
            said, width = self._unit(said, width, f"{before}.units.{number}")
        return said, width

    def _unit(self, given: str, width: int, name: str) -> tuple[str, int]:
        inner = self.bent(self.linear(self.bent(given), f"{name}.one", width))
        made, size = self.linear(inner, f"{name}.two", self.width(f"{name}.one")), self.width(f"{name}.two")
        if self.settings.net == PLAIN:
            return made, size
        if self.settings.net == DENSE:
            return self.graph.step("Concat", given, made, axis=1), width + size
        if size != width:
            raise self.wrong_size(f"{name}.two")
        return self.graph.step("Add", given, made), width

    def _board(self, rows: str, size: int, name: str) -> str:
        """Two convolutions over the board, and a layer over all that they say."""
        encoding = encoding_of(self.game, self.settings.encoding)
        places = encoding.places.reshape(-1)
        points = self.graph.step("Gather", rows, self.graph.constant(np.maximum(places, 0), np.int64), axis=1)
        board = self.graph.step("Mul", points, self.graph.constant(places >= 0))  # what is no point is 0
        said = self.shaped(board, len(encoding.places), *encoding.shape)
        planes, around = len(encoding.places), [3] * len(encoding.shape)
        for layer in ("one", "two"):
            weights = self.layer(f"{name}.{layer}", planes, *around)
            said = self.bent(self.graph.step("Conv", said, *weights, pads=[1] * 2 * len(around)))
            planes = self.width(f"{name}.{layer}")
        seen = planes * encoding.places.shape[1]
        said, more = self.shaped(said, seen), np.arange(encoding.inputs, size)
        if len(more):
            rest = self.graph.step("Gather", rows, self.graph.constant(more, np.int64), axis=1)
            said = self.graph.step("Concat", said, rest, axis=1)
        return self.linear(said, f"{name}.all", seen + len(more))

    def _from_one(self) -> None:
        """One body for all heads, and perhaps a recurrent cell that is told the slots one by one."""
        said, width = self._body(self._columns(0, self.bits), self.bits, SHARED)
        told = ""
        for slot, name in enumerate(self.slots.names):
            if self.settings.net == RECURRENT:
                said = self._cell(said, width, told, self.slots.sizes[slot - 1] if slot else 0)
                first = self.bits + self.slots.before(slot)
                told = self._columns(first, first + self.slots.sizes[slot]) if slot + 1 < len(self.slots.sizes) else ""
            self._head(said, width, name)

    def _cell(self, before: str, width: int, told: str, size: int) -> str:
        """A gated recurrent unit, as torch computes it; without anything told, only its biases speak."""
        step, most = self.graph.step, max(self.slots.sizes)
        weights = {name: self.array(f"cell.{name}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
        shapes = {"weight_ih": (GATES * width, most), "weight_hh": (GATES * width, width)}
        for name, array in weights.items():
            if array.shape != shapes.get(name, (GATES * width,)) or array.dtype != np.float32:
                raise self.wrong_size(f"cell.{name}")
        gates: list[tuple[str, str]] = []
        for gate in range(GATES):
            rows = slice(gate * width, (gate + 1) * width)
            bias = self.graph.weights(weights["bias_ih"][rows])
            heard = bias
            if told:
                own = self.graph.weights(np.ascontiguousarray(weights["weight_ih"][rows, :size]))
                heard = step("Gemm", told, own, bias, transB=1)
            kept = self.graph.weights(np.ascontiguousarray(weights["weight_hh"][rows]))
            recalled = step("Gemm", before, kept, self.graph.weights(weights["bias_hh"][rows]), transB=1)
            gates.append((heard, recalled))
        reset, update = (step("Sigmoid", step("Add", *pair)) for pair in gates[:2])
        fresh = step("Tanh", step("Add", gates[2][0], step("Mul", reset, gates[2][1])))
        return step("Add", fresh, step("Mul", update, step("Sub", before, fresh)))

"""NetworkWriter: the arrays of a checkpoint, by the names that torch gives them, as layers of an ONNX file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.neural.forms import ENTRY, Form
from spielwerk.learn.onnx.model import CHANCES, POLICY, SCORE, VALUE, described
from spielwerk.learn.onnx.writing import INPUT, OnnxGraph, finish_value
from spielwerk.names import BadInput


class NetworkWriter:
    """Writes the parts of a network with a policy and a value; `kind` is the learner whose it is."""

    def __init__(self, kept: Checkpoint, form: Form, half: bool, kind: str) -> None:
        self.kept, self.form, self.kind, self.graph = kept, form, kind, OnnxGraph(np.float32, half)
        self.joining = "" if form.joining is None else self.graph.constant(form.joining)

    def tower(self, blocks: int, given: str = INPUT, name: str = "tower") -> str:
        """What the blocks say."""
        given = self.shaped(given, *self.form.shape) if self.form.points else given
        said = self.bent(self._first(given, f"{name}.first"))
        self.filters = self.width(f"{name}.first")
        for number in range(blocks):
            made = self.bent(self._joined(said, f"{name}.blocks.{number}.one", self.filters))
            made = self._joined(made, f"{name}.blocks.{number}.two", self.filters)
            said = self.bent(self.graph.step("Add", said, made))
        return said

    def _first(self, given: str, name: str) -> str:
        """The first layer, which may also see what tables hold of the patterns in a row."""
        numbers, tables = self.form.shape[0], self.form.tables
        if tables is None:
            return self._joined(given, name, numbers)
        held = self.array(f"{name}.tables.weight")
        if held.shape != (tables.entries, ENTRY):
            raise self.wrong_size(f"{name}.tables")
        step, constant = self.graph.step, self.graph.constant
        read = step("MatMul", step("Cast", given, to=self.graph.kind(np.float64)), constant(tables.reading, np.float64))
        filled = step("Cast", read, to=self.graph.kind(np.int64))
        entries = step("Add", filled, constant(tables.first, np.int64))
        entries = step("Clip", entries, constant(0, np.int64), constant(tables.entries - 1, np.int64))  # as in torch
        said = self.shaped(step("Gather", self.graph.weights(held), entries, axis=0), tables.read)
        return self.linear(step("Concat", given, said, axis=1), name, numbers + tables.read)

    def _joined(self, values: str, name: str, given: int) -> str:
        """A layer that joins what the form joins."""
        form = self.form
        if not form.points:
            return self.linear(values, name, given)
        _, planes, *widths = form.weights(given, 1)
        weights, bias = self.layer(name, planes, *widths)
        if form.joining is not None:
            values = self.shaped(self.graph.step("MatMul", values, self.joining), planes, form.points)
        return self.graph.step("Conv", values, weights, bias, pads=[width // 2 for width in widths] * 2)

    def linear(self, values: str, name: str, given: int, output: str = "") -> str:
        """A fully connected layer."""
        return self.graph.step("Gemm", values, *self.layer(name, given), name=output, transB=1)

    def bent(self, values: str) -> str:
        """After a ReLU."""
        return self.graph.step("Relu", values)

    def shaped(self, values: str, *sizes: int) -> str:
        """The same numbers of each position in other sizes."""
        return self.graph.step("Reshape", values, self.graph.constant([-1, *sizes], np.int64))

    def layer(self, name: str, *sizes: int) -> tuple[str, str]:
        """The weights of a layer, which must have these sizes behind the first, and its biases."""
        weights, biases = self.array(f"{name}.weight"), self.array(f"{name}.bias")
        if weights.shape != (len(biases), *sizes) or biases.ndim != 1 or weights.dtype != np.float32:
            raise self.wrong_size(name)
        return self.graph.weights(weights), self.graph.weights(biases)

    def width(self, name: str) -> int:
        """How many numbers a layer makes."""
        return len(self.array(f"{name}.bias"))

    def array(self, name: str) -> np.ndarray:
        """An array of the checkpoint, which must be there."""
        if name not in self.kept:
            raise BadInput(f'{self.kept.path} does not hold "{name}", a part of a network of {self.kind}.')
        return self.kept[name]

    def wrong_size(self, name: str) -> BadInput:
        """An array that belongs to another network."""
        return BadInput(f'{self.kept.path}: "{name}" has not the size of a layer of this network.')

    def model(self, game: Game, inputs: str, outputs: Mapping[str, int], last: str, about: Mapping[str, str]) -> bytes:
        """The file, of which all but the last step is written: what `last` says becomes the last of the outputs."""
        finish_value(self.graph, last, [*outputs][-1], game.constants["BEST"])
        words = {**self.kept.metadata, **described(game, inputs, [*outputs]), **about}
        return self.graph.model("policy and value", math.prod(self.form.shape), outputs, words)


def read_settings(kept: Checkpoint, kind: str, names: Iterable[str]) -> tuple[str, tuple[str, str], dict[str, Any]]:
    """The inputs, the outputs (a policy and a value), and some settings; BadInput where a checkpoint has none."""
    try:
        settings = parsed(kept.metadata["settings"])
        chosen = {name: settings[name] for name in names}
        inputs, (policy, value) = kept.metadata["inputs"], kept.metadata["outputs"].split()
        if policy not in (POLICY, SCORE) or value not in (VALUE, CHANCES):
            raise ValueError
    except (KeyError, ValueError, TypeError):
        raise not_a_network(kept, kind) from None
    return inputs, (policy, value), chosen


def not_a_network(kept: Checkpoint, kind: str) -> BadInput:
    """A checkpoint of something else."""
    return BadInput(f"{kept.path} does not hold a network of {kind}.")

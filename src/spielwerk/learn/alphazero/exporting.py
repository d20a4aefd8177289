"""A trained network as an ONNX file, which plays without torch.

Its outputs are `policy` (logits of the actions) or `score` (of the position as the end of a turn), then `value` or
`chances`. It is written from the arrays of a checkpoint, by the names that torch gives them, and needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.data import parsed
from spielwerk.files import whole
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.networks.form import AFTERSTATES, OBSERVE, Form, form_of
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.onnx.model import CHANCES, POLICY, SCORE, VALUE, described
from spielwerk.learn.onnx.writing import INPUT, OnnxGraph, finish_value
from spielwerk.names import BadInput


def outputs_of(policy: str, value: str) -> str:
    """What a checkpoint and a file say of their outputs; `value` is the output of the head."""
    return f"{SCORE if policy == AFTERSTATES else POLICY} {value}"


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str], half: bool = False) -> None:
    """Writes a file to play with; its metadata are those of the checkpoint, and `about`."""
    with whole(path) as part:
        part.write_bytes(model(game, kept, about, half))


def model(game: Game, kept: Checkpoint, about: Mapping[str, str], half: bool = False) -> bytes:
    """The network of a checkpoint, perhaps with weights in half precision; BadInput where that has none."""
    inputs, (policy, value), settings = _read(kept)
    form = form_of(game, "" if inputs == OBSERVE else inputs, str(settings["net"]))
    writer = _Writer(kept, form, half)
    said = writer.tower(settings["blocks"])
    sizes = {policy: writer.head(said, "policy", policy), value: writer.head(said, "value")}
    finish_value(writer.graph, writer.last, value, game.constants["BEST"])
    words = {**kept.metadata, **described(game, inputs, [policy, value]), **about}
    return writer.graph.model("policy and value", math.prod(form.shape), sizes, words)


def _read(kept: Checkpoint) -> tuple[str, tuple[str, str], dict[str, Any]]:
    """The inputs, the outputs, and the settings of the network."""
    try:
        settings = {name: parsed(kept.metadata["settings"])[name] for name in ("net", "blocks")}
        inputs, (policy, value) = kept.metadata["inputs"], kept.metadata["outputs"].split()
        if policy not in (POLICY, SCORE) or value not in (VALUE, CHANCES) or not isinstance(settings["blocks"], int):
            raise ValueError
    except (KeyError, ValueError, TypeError):
        raise BadInput(f"{kept.path} does not hold a network of alphazero.") from None
    return inputs, (policy, value), settings


class _Writer:
    """Writes the parts of a network; `last` is what the last head made."""

    def __init__(self, kept: Checkpoint, form: Form, half: bool) -> None:
        self.kept, self.form, self.graph = kept, form, OnnxGraph(np.float32, half)
        self.joining = "" if form.joining is None else self.graph.constant(form.joining)
        self.last = ""

    def tower(self, blocks: int) -> str:
        """What the blocks say."""
        given = self._shaped(INPUT, *self.form.shape) if self.form.points else INPUT
        said = self._bent(self._joined(given, "tower.first", self.form.shape[0]))
        self.filters = len(self._array("tower.first.bias"))
        for number in range(blocks):
            made = self._bent(self._joined(said, f"tower.blocks.{number}.one", self.filters))
            made = self._joined(made, f"tower.blocks.{number}.two", self.filters)
            said = self._bent(self.graph.step("Add", said, made))
        return said

    def head(self, said: str, name: str, output: str = "") -> int:
        """How many outputs a head has; `output` is what they are called if they are used as they are."""
        size = self.filters
        if self.form.points:
            weights, bias = self._layer(f"{name}.planes", size, *(1 for _ in self.form.shape[1:]))
            size = len(self._array(f"{name}.planes.bias")) * self.form.points
            said = self._shaped(self._bent(self.graph.step("Conv", said, weights, bias)), size)
        if f"{name}.hidden.bias" in self.kept:
            said = self._bent(self._linear(said, f"{name}.hidden", size))
            size = len(self._array(f"{name}.hidden.bias"))
        self.last = self._linear(said, f"{name}.last", size, output)
        return len(self._array(f"{name}.last.bias"))

    def _joined(self, values: str, name: str, given: int) -> str:
        """A layer that joins what the form joins."""
        form = self.form
        if not form.points:
            return self._linear(values, name, given)
        _, planes, *widths = form.weights(given, 1)
        weights, bias = self._layer(name, planes, *widths)
        if form.joining is not None:
            values = self._shaped(self.graph.step("MatMul", values, self.joining), planes, form.points)
        return self.graph.step("Conv", values, weights, bias, pads=[width // 2 for width in widths] * 2)

    def _linear(self, values: str, name: str, given: int, output: str = "") -> str:
        return self.graph.step("Gemm", values, *self._layer(name, given), name=output, transB=1)

    def _bent(self, values: str) -> str:
        return self.graph.step("Relu", values)

    def _shaped(self, values: str, *sizes: int) -> str:
        """The same numbers of each position in other sizes."""
        return self.graph.step("Reshape", values, self.graph.constant([-1, *sizes], np.int64))

    def _layer(self, name: str, *sizes: int) -> tuple[str, str]:
        """The weights of a layer, which must have these sizes behind the first, and its biases."""
        weights, biases = self._array(f"{name}.weight"), self._array(f"{name}.bias")
        if weights.shape != (len(biases), *sizes) or biases.ndim != 1 or weights.dtype != np.float32:
            raise BadInput(f'{self.kept.path}: "{name}" has not the size of a layer of this network.')
        return self.graph.weights(weights), self.graph.weights(biases)

    def _array(self, name: str) -> np.ndarray:
        if name not in self.kept:
            raise BadInput(f'{self.kept.path} does not hold "{name}", a part of a network of alphazero.')
        return self.kept[name]

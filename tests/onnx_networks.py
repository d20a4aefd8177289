"""Small networks as ONNX files, made by the package `onnx`, and what they compute in plain numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import spielwerk as sw
from spielwerk.learn.onnx.model import described

NAMES = {np.float32: TensorProto.FLOAT, np.float64: TensorProto.DOUBLE}


@dataclass
class Network:
    """tanh(inputs · weights) for each output, drawn at random."""

    game: sw.Game
    widths: Mapping[str, int]  # of each output
    inputs: str = "observe"
    dtype: Any = np.float32
    size: float = 1.0  # of the weights
    weights: dict[str, np.ndarray] = field(init=False)

    def __post_init__(self) -> None:
        self.shape = self.game.observation("" if self.inputs == "observe" else self.inputs)[0]
        rng = np.random.default_rng(1)
        count = prod(self.shape)
        self.weights = {
            name: (rng.normal(size=(count, width)) * self.size / count**0.5).astype(self.dtype)
            for name, width in self.widths.items()
        }

    def plain(self, position: sw.Position, name: str) -> np.ndarray:
        """What the network makes of one position, computed here."""
        seen = position.observe(inputs="" if self.inputs == "observe" else self.inputs)
        return np.tanh(seen.ravel().astype(np.float64) @ self.weights[name])

    def model(self, batch: str | int = "n") -> onnx.ModelProto:
        """The model, without metadata."""
        kind = NAMES[self.dtype]
        given = [helper.make_tensor_value_info("board", kind, [batch, *self.shape])]
        nodes, made, constants = [helper.make_node("Flatten", ["board"], ["flat"])], [], []
        for name, weights in self.weights.items():
            constants.append(numpy_helper.from_array(weights, f"w_{name}"))
            nodes.append(helper.make_node("MatMul", ["flat", f"w_{name}"], [f"x_{name}"]))
            nodes.append(helper.make_node("Tanh", [f"x_{name}"], [f"y_{name}"]))
            made.append(helper.make_tensor_value_info(f"y_{name}", kind, [batch, weights.shape[1]]))
        return model_of(helper.make_graph(nodes, "network", given, made, constants))

    def write(self, path: Path, **about: str) -> Path:
        """The file, with metadata that say the truth unless `about` says something else."""
        metadata = described(self.game, self.inputs, list(self.widths)) | about
        return write(self.model(), path, metadata)


def model_of(graph: onnx.GraphProto, **more: Any) -> onnx.ModelProto:
    """A model of a graph."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.acme", 1)]
    return helper.make_model(graph, ir_version=8, opset_imports=opsets, **more)


def write(model: onnx.ModelProto, path: Path, metadata: Mapping[str, str]) -> Path:
    """A model as a file with metadata."""
    for key, text in metadata.items():
        if text:
            model.metadata_props.add(key=key, value=text)
    path.write_bytes(model.SerializeToString())
    return path

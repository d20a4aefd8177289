"""A trained network as an ONNX file, which plays without torch.

With classes of positions, each row goes through the layers of its own class only.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk.data import parsed
from spielwerk.files import whole
from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.onnx.model import described
from spielwerk.learn.onnx.writing import INPUT, OnnxGraph, finish_value
from spielwerk.names import BadInput

Layers = list[tuple[np.ndarray, np.ndarray]]  # weights [made, given] and biases [made]


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str], half: bool = False) -> None:
    """Writes a file to play with; its metadata are those of the checkpoint, and `about`."""
    with whole(path) as part:
        part.write_bytes(model(game, kept, about, half))


def model(game: Game, kept: Checkpoint, about: Mapping[str, str], half: bool = False) -> bytes:
    """The network of a checkpoint, perhaps with weights in half precision; BadInput where that has none."""
    try:
        inputs, output = kept.metadata["inputs"], kept.metadata["outputs"]
        parts = _parts(kept)
        classes = game.input_classes(inputs) if parsed(kept.metadata["settings"]).get("split", True) else 0
    except (KeyError, ValueError, AttributeError, TypeError):
        raise BadInput(
            f"{kept.path} does not hold a neural network; tables of n-tuples are exported to FILE.safetensors."
        ) from None
    if len(parts) != max(classes, 1):
        raise BadInput(f"{kept.path} has {len(parts)} networks; its inputs ask for {max(classes, 1)}.")
    graph = OnnxGraph(np.float32, half)
    last = _routed(graph, parts) if classes else _through(graph, INPUT, parts[0])
    finish_value(graph, last, output, game.constants["BEST"])
    size, made = parts[0][0][0].shape[1], len(parts[0][-1][1])
    words = {**kept.metadata, **described(game, inputs, [output]), **about}
    return graph.model("value", size, {output: made}, words)


def _parts(kept: Checkpoint) -> list[Layers]:
    """The layers of each class, by the names that torch gives them."""
    found: dict[int, dict[int, tuple[np.ndarray, np.ndarray]]] = {}
    for name in kept:
        start, *numbers, kind = name.split(".") if name.startswith("parts.") else ["", ""]
        if start and kind == "weight":
            part, layer = map(int, numbers)
            weights, biases = kept[name], kept[name.removesuffix(kind) + "bias"]
            if weights.ndim != 2 or weights.dtype != np.float32 or biases.shape != weights.shape[:1]:
                raise ValueError
            found.setdefault(part, {})[layer] = (weights, biases)
    return [[layers[at] for at in sorted(layers)] for _, layers in sorted(found.items())]


def _through(graph: OnnxGraph, values: str, layers: Layers) -> str:
    """The values after all layers, with a ReLU between two."""
    for number, (weights, biases) in enumerate(layers):
        if number:
            values = graph.step("Relu", values)
        values = graph.step("Gemm", values, graph.weights(weights), graph.weights(biases), transB=1)
    return values


def _routed(graph: OnnxGraph, parts: list[Layers]) -> str:
    """The same, each row by the layers of its class."""
    rows = graph.step("Gather", graph.step("Shape", INPUT), graph.constant([0], np.int64), axis=0)
    size = graph.step("Concat", rows, graph.constant([len(parts[0][-1][1])], np.int64), axis=0)
    made = graph.step("Expand", graph.constant(0.0), size)
    for number, layers in enumerate(parts):
        gate = graph.step("Gather", INPUT, graph.constant(number, np.int64), axis=1)
        own = graph.step("NonZero", gate)  # [1, rows of this class]
        places = graph.step("Transpose", own)
        given = graph.step("GatherND", INPUT, places)
        made = graph.step("ScatterND", made, places, _through(graph, given, layers))
    return made

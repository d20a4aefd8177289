"""Genomes as ONNX models, which other programs run: needs the extra `onnx`.

The nodes of a layer that have the same activation are one step: the values that reach them are gathered, multiplied by
a matrix of weights, and activated. Everything is double precision, with operators that both the ONNX reference and ONNX
Runtime have for it: elu, cos and wave are therefore written out. All clamps of `activations` are there; what differs is
the order in which a sum is added up, and so its last digits. Left out: edges that are off, numbers of nodes and edges.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.files import whole
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS, FARTHEST
from spielwerk.learn.evolution.genome.genome import ACTIVATION, LAYER, Genome
from spielwerk.names import BadInput
from spielwerk.version import __version__

OPSET, IR = 13, 8  # old ones, which most programs know
INPUT, OUTPUT, BATCH = "inputs", "outputs", "batch"


def write_onnx(
    path: Path, genome: Genome, input_names: Sequence[str], output_names: Sequence[str], about: Mapping[str, str]
) -> None:
    """Writes a model from double [batch, inputs] to double [batch, outputs]; the names are in its metadata.

    The same genome and words give the same bytes.
    """
    try:
        import onnx
    except ImportError:
        raise BadInput(
            "ONNX files need one more package: pip install 'spielwerk[onnx]' (in a clone: pip install -e '.[onnx]')."
        ) from None
    model = _model(onnx, genome)
    names = {"input_names": json.dumps(list(input_names)), "output_names": json.dumps(list(output_names))}
    for key, text in sorted({**about, **names}.items()):
        model.metadata_props.add(key=key, value=text)
    onnx.checker.check_model(model)
    with whole(path) as part:
        part.write_bytes(model.SerializeToString(deterministic=True))


def _model(onnx: Any, genome: Genome) -> Any:
    make, double = onnx.helper, onnx.TensorProto.DOUBLE
    graph = _Graph(onnx)
    _build(genome, graph)
    ends = (
        make.make_tensor_value_info(name, double, [BATCH, int(count)])
        for name, count in ((INPUT, genome.inputs), (OUTPUT, genome.outputs))
    )
    given, made = ends
    body = make.make_graph(graph.operators, "genome", [given], [made], graph.constants)
    opsets = [make.make_opsetid("", OPSET)]
    return make.make_model(
        body, ir_version=IR, opset_imports=opsets, producer_name="spielwerk", producer_version=__version__
    )


class _Graph:
    """The operators and constants of a model while it is made; values are named by numbers."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.operators: list[Any] = []
        self.constants: list[Any] = []

    def step(self, operator: str, *values: str, name: str = "", **attributes: Any) -> str:
        """Adds an operator and returns the name of what it makes."""
        name = name or f"v{len(self.operators)}"
        self.operators.append(self.onnx.helper.make_node(operator, values, [name], **attributes))
        return name

    def constant(self, value: Any, dtype: Any = np.float64) -> str:
        """Adds a constant and returns its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(value, dtype), name))
        return name


def _build(genome: Genome, graph: _Graph) -> None:
    values, columns = INPUT, {place: place for place in range(genome.inputs)}  # of each node that has a value
    for layer in range(1, genome.layers):
        parts = [values]
        for kind, places in _groups(genome, layer):
            parts.append(_group(genome, graph, values, columns, kind, places))
        values = graph.step("Concat", *parts, axis=1)
        later = [place for _, places in _groups(genome, layer) for place in places]
        columns |= {place: column for column, place in enumerate(later, len(columns))}
    last = [columns[genome.inputs + place] for place in range(genome.outputs)]
    graph.step("Gather", values, graph.constant(last, np.int64), name=OUTPUT, axis=1)


def _groups(genome: Genome, layer: int) -> Iterator[tuple[int, list[int]]]:
    """The activations in a layer, and the places of the nodes that have them."""
    kinds = np.where(genome.nodes[:, LAYER] == layer, genome.nodes[:, ACTIVATION], -1)
    for kind in range(len(ACTIVATIONS)):
        if (kinds == kind).any():
            yield kind, np.flatnonzero(kinds == kind).tolist()


def _group(
    genome: Genome, graph: _Graph, values: str, columns: Mapping[int, int], kind: int, places: Sequence[int]
) -> str:
    """The values of some nodes of one layer and activation; `columns` says where the earlier ones are."""
    into = [
        (columns[origin], places.index(target), weight)
        for (_, origin, target, on), weight in zip(genome.edges.tolist(), genome.weights, strict=True)
        if on and target in places
    ]
    origins = sorted({origin for origin, _, _ in into}) or [0]  # nodes that nothing reaches have their bias alone
    weights = np.zeros((len(origins), len(places)))
    for origin, target, weight in into:
        weights[origins.index(origin), target] = weight
    gathered = graph.step("Gather", values, graph.constant(origins, np.int64), axis=1)
    product = graph.step("MatMul", gathered, graph.constant(weights))
    total = graph.step("Add", product, graph.constant(genome.biases[places]))
    clamped = graph.step("Clip", total, graph.constant(-FARTHEST), graph.constant(FARTHEST))
    return _activated(graph, ACTIVATIONS[kind], clamped)


def _activated(graph: _Graph, name: str, x: str) -> str:
    step, number = graph.step, graph.constant
    if name == "elu":
        below = step("Sub", step("Exp", step("Min", x, number(0.0))), number(1.0))
        return step("Add", step("Relu", x), below)
    if name == "wave":
        name, x = "cos", step("Mul", x, number(np.pi))
    if name == "cos":  # 1 - 2 sin² (x / 2), since halving is exact
        half = step("Sin", step("Mul", x, number(0.5)))
        return step("Sub", number(1.0), step("Mul", step("Mul", half, half), number(2.0)))
    if name == "gauss":
        return step("Exp", step("Neg", step("Min", step("Mul", x, x), number(700.0))))
    if name == "sigmoid":
        return step("Sigmoid", step("Clip", x, number(-700.0), number(700.0)))
    if name == "square":
        return step("Min", step("Mul", x, x), number(FARTHEST))
    if name == "step":
        return step("Cast", step("Greater", x, number(0.0)), to=graph.onnx.TensorProto.DOUBLE)
    return step(name.capitalize(), x)  # the others are called the same there

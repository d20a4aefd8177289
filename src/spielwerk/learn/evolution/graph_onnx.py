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

import numpy as np

from spielwerk.files import whole
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS, FARTHEST
from spielwerk.learn.evolution.genome.genome import ACTIVATION, LAYER, Genome
from spielwerk.learn.onnx.writing import INPUT, OnnxGraph

OUTPUT = "outputs"


def write_onnx(
    path: Path, genome: Genome, input_names: Sequence[str], output_names: Sequence[str], about: Mapping[str, str]
) -> None:
    """Writes a model from double [batch, inputs] to double [batch, outputs]; the names are in its metadata.

    The same genome and words give the same bytes.
    """
    graph = OnnxGraph(np.float64)
    _build(genome, graph)
    names = {"input_names": json.dumps(list(input_names)), "output_names": json.dumps(list(output_names))}
    data = graph.model("genome", genome.inputs, {OUTPUT: genome.outputs}, {**about, **names})
    with whole(path) as part:
        part.write_bytes(data)


def _build(genome: Genome, graph: OnnxGraph) -> None:
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
    genome: Genome, graph: OnnxGraph, values: str, columns: Mapping[int, int], kind: int, places: Sequence[int]
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


def _activated(graph: OnnxGraph, name: str, x: str) -> str:
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

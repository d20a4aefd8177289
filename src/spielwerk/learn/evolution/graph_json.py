"""Genomes as JSON that people can read and other programs too: a line for each node and each edge.

{"format": "spielwerk genome 1", "about": {"game": "nim", …}, "inputs": ["stack 1"], "outputs": ["amount"],
 "nodes": [{"number": 0, "layer": 0, "kind": "input", "activation": "identity", "bias": 0.0}, …],
 "edges": [{"number": 7, "from": 0, "to": 1, "weight": -0.25, "on": true}, …]}

Nodes stand in the order of `Genome`; `from` and `to` are their numbers. Floats are written so that they are read back
bit for bit, and whole numbers stay below 2**53, so that programs that know only floats read them exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.data import parsed, read_bytes
from spielwerk.files import write_text
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.genome import EDGE_COLUMNS, NODE_COLUMNS, Genome
from spielwerk.names import BadInput, unknown

FORMAT = "spielwerk genome 1"
INPUT, OUTPUT, HIDDEN = "input", "output", "hidden"  # kinds of nodes
BEYOND = 2**53  # from here on a float does not hold every whole number
SHOWN = 40  # letters of something wrong that an error quotes


def write_json(
    path: Path, genome: Genome, input_names: Sequence[str], output_names: Sequence[str], about: Mapping[str, str]
) -> None:
    """Writes a genome and what is known about it, such as its game and how well it plays."""
    parts = {"format": FORMAT, "about": dict(about), "inputs": list(input_names), "outputs": list(output_names)}
    lines = [f'"{key}": {_text(value)},' for key, value in parts.items()]
    nodes, edges = (",\n".join(map(_text, genes)) for genes in (_nodes(genome), _edges(genome)))
    body = "\n".join(lines)
    write_text(path, f'{{{body}\n"nodes": [\n{nodes}\n],\n"edges": [\n{edges}\n]}}\n')


def read_json(path: Path) -> tuple[Genome, dict[str, Any]]:
    """The genome in a file, and what is said about it; BadInput says in one sentence what is wrong with another."""
    facts = _parsed(path)
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise BadInput(f"{path} is not a Spielwerk genome, or is from another version.")
    try:
        genome, about = _genome(facts), _of(facts, "about", dict)
        _need(all(isinstance(text, str) for text in about.values()), '"about" holds something other than text')
        genome.check()
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    return genome, about


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _kinds(inputs: int, outputs: int, count: int) -> list[str]:
    return [INPUT] * inputs + [OUTPUT] * outputs + [HIDDEN] * (count - inputs - outputs)


def _nodes(genome: Genome) -> list[dict[str, Any]]:
    kinds = _kinds(genome.inputs, genome.outputs, len(genome.nodes))
    rows = zip(genome.nodes.tolist(), kinds, genome.biases.tolist(), strict=True)
    return [
        {"number": number, "layer": layer, "kind": kind, "activation": ACTIVATIONS[activation], "bias": bias}
        for (number, layer, activation), kind, bias in rows
    ]


def _edges(genome: Genome) -> list[dict[str, Any]]:
    numbers = genome.nodes[:, 0].tolist()
    rows = zip(genome.edges.tolist(), genome.weights.tolist(), strict=True)
    return [
        {"number": number, "from": numbers[origin], "to": numbers[target], "weight": weight, "on": bool(on)}
        for (number, origin, target, on), weight in rows
    ]


def _parsed(path: Path) -> Any:
    try:
        return parsed(read_bytes(path))
    except FileNotFoundError:
        raise BadInput(f"There is no genome {path}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        raise BadInput(f"{path} is not JSON: {problem}.") from None


def _genome(facts: dict[str, Any]) -> Genome:
    nodes, edges = (_genes(facts, key) for key in ("nodes", "edges"))
    inputs, outputs = (len(_words(facts, key)) for key in ("inputs", "outputs"))
    kinds = _kinds(inputs, outputs, len(nodes))
    ordered = [node.get("kind") for node in nodes] == kinds
    _need(ordered, "its nodes must be all the inputs, then all the outputs, then hidden ones")
    places = {_whole(node, "number"): place for place, node in enumerate(nodes)}
    _need(len(places) == len(nodes), "two nodes have the same number")
    rows = [(_whole(node, "number"), _whole(node, "layer"), _activation(node)) for node in nodes]
    joins = [
        (_whole(edge, "number"), _place(edge, "from", places), _place(edge, "to", places), _of(edge, "on", bool))
        for edge in edges
    ]
    return Genome(
        inputs,
        outputs,
        np.array(rows, np.int64).reshape(-1, NODE_COLUMNS),
        np.array([_float(node, "bias") for node in nodes]),
        np.array(joins, np.int64).reshape(-1, EDGE_COLUMNS),
        np.array([_float(edge, "weight") for edge in edges]),
    )


def _genes(facts: dict[str, Any], key: str) -> list[dict[str, Any]]:
    genes = _of(facts, key, list)
    _need(all(isinstance(gene, dict) for gene in genes), f'"{key}" holds something other than objects')
    return genes


def _words(facts: dict[str, Any], key: str) -> list[str]:
    words = _of(facts, key, list)
    _need(all(isinstance(word, str) for word in words), f'"{key}" holds something other than names')
    return words


def _of(facts: dict[str, Any], key: str, kind: type) -> Any:
    """The value of a key, which must be of this very type: true is no number."""
    wanted = {dict: "an object", list: "a list", bool: "true or false", int: "a whole number", str: "text"}[kind]
    value = facts.get(key)
    _need(type(value) is kind, f'"{key}" must be {wanted}, not {_quoted(value) if key in facts else "missing"}')
    return value


def _whole(gene: dict[str, Any], key: str) -> int:
    value = _of(gene, key, int)
    _need(0 <= value < BEYOND, f'"{key}" must be from 0 to 2**53, not {_quoted(value)}')
    return value


def _float(gene: dict[str, Any], key: str) -> float:
    value: Any = gene.get(key)
    _need(type(value) in (int, float), f'"{key}" must be a number, not {_quoted(value) if key in gene else "missing"}')
    return float(value)


def _activation(node: dict[str, Any]) -> int:
    name = _of(node, "activation", str)
    if name not in ACTIVATIONS:
        raise unknown("there is no activation", name[:SHOWN], ACTIVATIONS, "Activations")
    return ACTIVATIONS.index(name)


def _place(edge: dict[str, Any], key: str, places: dict[int, int]) -> int:
    number = _whole(edge, key)
    _need(number in places, f"edge {_quoted(edge.get('number'))} leads {key} node {number}, which does not exist")
    return places[number]


def _quoted(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _need(good: bool, problem: str) -> None:
    if not good:
        raise BadInput(f"this genome cannot be read: {problem}.")

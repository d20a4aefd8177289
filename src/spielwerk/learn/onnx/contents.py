"""What an ONNX file holds, found without the package `onnx` and before anything runs it.

An ONNX file is a message in protobuf: fields, each a number, a kind and a value, and values that are messages again.
Only what is looked for here is walked through; the numbers of the fields are those of `onnx.proto`, which never change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # the kinds of fields that there are
DEEPEST = 64  # messages within messages
STANDARD = ("", "ai.onnx")  # the domain of the operators that every ONNX runtime has; not ai.onnx.ml, of trees and such

# The messages that lie in a message, by the number of their field.
WITHIN = {
    "model": {7: "graph", 14: "entry", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
    "entry": {},
}
OPERATOR, DOMAIN = 4, 7  # of a node
EXTERNAL, LOCATION = 13, 14  # of a tensor
KEY, VALUE = 1, 2  # of an entry of the metadata


class Damaged(Exception):
    """The bytes are no message."""


@dataclass
class Contents:
    """What is to be known of a model before it is loaded."""

    metadata: dict[str, str] = field(default_factory=dict)
    operators: set[tuple[str, str]] = field(default_factory=set)  # domain and name
    graphs: int = 0
    external: bool = False  # whether a tensor lies in another file

    @property
    def custom(self) -> str:
        """An operator that is not one of the standard, as domain.name; nothing where there is none."""
        return next((f"{domain}.{name}" for domain, name in sorted(self.operators) if domain not in STANDARD), "")


def contents(data: bytes) -> Contents:
    """What is in the bytes of an ONNX file; raises Damaged for other bytes."""
    found = Contents()
    try:
        _walk(memoryview(data), "model", found, 0)
    except (IndexError, UnicodeDecodeError):
        raise Damaged from None
    if not found.graphs:
        raise Damaged
    return found


def _walk(data: memoryview, kind: str, found: Contents, depth: int) -> None:
    if depth > DEEPEST:
        raise Damaged
    texts: dict[int, str] = {}
    for number, wire, value in _fields(data):
        if kind == "tensor" and (number == EXTERNAL or (number == LOCATION and value != 0)):
            found.external = True
        if wire != BYTES or isinstance(value, int):
            continue
        if number in WITHIN[kind]:
            _walk(value, WITHIN[kind][number], found, depth + 1)
        elif (kind == "node" and number in (OPERATOR, DOMAIN)) or (kind == "entry" and number in (KEY, VALUE)):
            texts[number] = str(value, "utf-8")
    if kind == "node":
        found.operators.add((texts.get(DOMAIN, ""), texts.get(OPERATOR, "")))
    elif kind == "entry":
        found.metadata[texts.get(KEY, "")] = texts.get(VALUE, "")
    found.graphs += kind == "graph"


def _fields(data: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """The fields of a message: number, kind, value."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == VARINT:
            value, at = _varint(data, at)
        elif wire in (FIXED64, FIXED32, BYTES):
            size, at = _varint(data, at) if wire == BYTES else (8 if wire == FIXED64 else 4, at)
            value, at = data[at : at + size], at + size
        else:
            raise Damaged
        if at > len(data) or not 0 < number < 1 << 29:
            raise Damaged
        yield number, wire, value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise Damaged

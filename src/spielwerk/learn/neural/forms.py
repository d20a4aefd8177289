"""Forms: how the inputs of a network lie, and so what its layers join. Needs no torch.

Without a board, inputs are a row of numbers and layers are fully connected. With one, they are planes of points, and
each point's next numbers depend on those around it: on a line and on a grid on the points next to it (a convolution of
width 3), on any other graph on all points that an edge or a line of the same kind joins to it. A row may also tell of
patterns on a board, which are looked up in tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.graphs import Graph
from spielwerk.games.groups import Patterns
from spielwerk.learn.neural.inputs import OBSERVE
from spielwerk.names import BadInput

WIDTH = 3  # of a convolution
ENTRY = 8  # numbers that a table holds of one way to fill a pattern
FILLINGS = 3  # of a point: nobody's, own, the other's
USUAL_EDGES, USUAL_LINES = 2, 4  # points that edges and lines of one kind join to a point, whatever the board


@dataclass(frozen=True, eq=False)
class Tables:
    """A table for each shape of patterns, one behind the other; each place reads one entry, the filling it has."""

    reading: np.ndarray  # [numbers, places] float32: how far each number of the row moves on what a place reads
    first: np.ndarray  # [places] int64: the entry that is read where a place is empty
    entries: int  # of all tables

    @property
    def read(self) -> int:
        """Numbers that all places read."""
        return ENTRY * len(self.first)


@dataclass(frozen=True, eq=False)
class Form:
    """A row (1 size), a grid (3), or a graph (2), which has points in a row and a matrix that joins them.

    A line is a grid of height 1. A row may have tables.
    """

    shape: tuple[int, ...]  # of the inputs of a position: numbers; or planes, then points
    joining: np.ndarray | None = None  # [points, kinds * points] float32: who is joined to each point, kind by kind
    tables: Tables | None = None

    @property
    def points(self) -> int:
        """Of the board; 0 in a row."""
        return math.prod(self.shape[1:]) if len(self.shape) > 1 else 0

    @property
    def kinds(self) -> int:
        """In how many ways points are joined to a point of a graph, the point itself among them."""
        return 1 if self.joining is None else self.joining.shape[1] // self.joining.shape[0]

    def weights(self, given: int, made: int) -> tuple[int, ...]:
        """The shape of the weights of a layer from `given` planes to `made` ones."""
        if self.joining is not None:
            return made, given * self.kinds, 1
        return made, given, *(min(WIDTH, size) for size in self.shape[1:])


def row_form(game: Game, inputs: str) -> Form:
    """All inputs side by side."""
    return Form((math.prod(game.input_form(inputs)[0]),))


def pattern_form(game: Game, inputs: str, net: str) -> Form:
    """All inputs side by side, and tables of the patterns that they show; BadInput where a game has none."""
    shape, patterns = row_form(game, inputs).shape, game.groups(inputs).patterns
    if patterns is None:
        raise BadInput(f'{net} needs patterns, and "{inputs or OBSERVE}" of {game.name} has none; take net=mlp.')
    return Form(shape, tables=tables(shape[0], patterns))


def tables(numbers: int, patterns: Patterns) -> Tables:
    """The tables of patterns that are read from a row of so many numbers.

    A filling is a number in base 3, the first point its lowest digit.
    """
    places = [(number, place) for number, shape in enumerate(patterns.shapes) for place in shape]
    reading = np.zeros((numbers, len(places)), np.float32)
    for column, (_, place) in enumerate(places):
        for digit, point in enumerate(place):
            reading[patterns.own + point, column] = FILLINGS**digit
            reading[patterns.other + point, column] = 2 * FILLINGS**digit
    sizes = [FILLINGS ** len(shape[0]) for shape in patterns.shapes]
    first = np.cumsum([0, *sizes])
    return Tables(reading, first[[number for number, _ in places]], int(first[-1]))


def board_form(game: Game, inputs: str, net: str, any_size: bool = False) -> Form:
    """Inputs over the points of the board; BadInput where they are only a row of numbers, for `net` of a learner.

    With `any_size`, weights mean the same on all boards whose points are joined in the same ways.
    """
    shape, _ = game.input_form(inputs)
    if len(shape) not in (2, 3):
        raise _boardless(game, inputs, net)
    graph = game.graph
    if len(shape) == 2 and graph and len(graph.points) == shape[1] and not _is_line(graph):
        return Form(shape, joining(graph, any_size))
    return Form(shape if len(shape) == 3 else (shape[0], 1, shape[1]))


def inputs_on_boards(game: Game) -> Iterator[str]:
    """The inputs of a game that lie on its board; "" is `observe`."""
    return (inputs for inputs in ("", *game.observations) if len(game.input_form(inputs)[0]) in (2, 3))


def joining(graph: Graph, any_size: bool = False) -> np.ndarray:
    """A matrix [points, kinds * points] of what the points are joined to: themselves, then each kind of edge and line.

    Each kind is divided by the root of the most points that it joins to one, so that sums are of one size; with
    `any_size` by the root of what is usual, which does not depend on the board.
    """
    size = len(graph.points)
    kinds = [np.eye(size)]
    edges, lines = graph.edges.values(), map(_pairs, graph.lines.values())
    for pairs, usual in (*((pairs, USUAL_EDGES) for pairs in edges), *((pairs, USUAL_LINES) for pairs in lines)):
        joined = np.zeros((size, size))
        for a, b in pairs:
            joined[a, b] = joined[b, a] = 1
        kinds.append(joined / (usual if any_size else max(joined.sum(0).max(), 1)) ** 0.5)
    return np.concatenate(kinds, axis=1).astype(np.float32)


def _pairs(lines: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int]]:
    """Any two points of a line."""
    return (pair for line in lines for pair in combinations(line, 2))


def _is_line(graph: Graph) -> bool:
    """Whether the points simply follow each other, as on the board of backgammon."""
    return list(graph.edges.values()) == [tuple(pairwise(range(len(graph.points))))] and not graph.lines


def _boardless(game: Game, inputs: str, net: str) -> BadInput:
    """Inputs that are only a row of numbers."""
    others = [name or OBSERVE for name in inputs_on_boards(game)]
    remedy = f"inputs={others[0]}, or net=mlp" if others else "net=mlp"
    return BadInput(
        f'{net} needs inputs that lie on the board, and "{inputs or OBSERVE}" of {game.name} '
        f"is a row of numbers; take {remedy}."
    )

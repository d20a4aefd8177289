"""Where the nodes of a graph are drawn, and the ways that its edges take between them.

Columns run from left to right. Inputs and outputs keep their order; hidden nodes lie at about the mean height of their
neighbours. An edge that skips columns passes each of them through a gap between its nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEAST, TALLEST = 150, 1000  # heights; columns with many nodes shrink to the latter as far as they can
INPUT_GAPS, NODE_GAPS = (5, 40), (14, 56)  # from one node down to the next: least and most
LOOSE, LOOSEST = 0.75, 130  # share of a tall page over which a small column spreads; its largest gaps
COLUMN_GAPS, WIDEST = (76, 170), 900
FULL_GAP = 40  # that a node of full size needs
PILL = 48, 20  # width and height of a node of full size
SPACE = 34  # height of a node with the number below it
LANE = 7  # from one passing edge to the next
OUTSIDE = 20  # how far edges may lie above and below all nodes
SWEEPS = 12

Point = tuple[float, float]


@dataclass(frozen=True)
class Places:
    """The places of nodes; (0, 0) is the top left corner of the space that the graph takes."""

    inputs: int
    columns: np.ndarray  # [nodes]
    x: list[float]  # of their centres
    y: list[float]
    sizes: list[float]  # 1 is full size; of an input it is the radius
    width: float
    height: float

    def half(self, node: int) -> float:
        """Half the width of a node."""
        return self.sizes[node] if node < self.inputs else self.sizes[node] * PILL[0] / 2


def places(
    inputs: int,
    outputs: int,
    columns: np.ndarray,
    edges: np.ndarray,
    present: np.ndarray,
    room: tuple[float, float] = (0, 0),
) -> Places:
    """Places for the nodes of one or several graphs.

    `columns` [nodes], `edges` [edges, 2], `present` [graphs, nodes]; nodes of one column that no graph has together
    may lie in the same place. `room` is the width and the height that there is at least.
    """
    last, first = int(columns.max()), inputs + outputs
    spots = [_spots(np.flatnonzero(columns[first:] == column) + first, present) for column in range(1, last)]
    height = max(_height(inputs, outputs, columns, edges, [len(column) for column in spots]), room[1])
    gaps = [_gap(count, height) for count in (*map(len, spots), outputs)]
    y = np.full(len(columns), height / 2)
    y[:inputs] += _gap(inputs, height, INPUT_GAPS[1]) * _centred(inputs)
    y[inputs:first] += gaps[-1] * _centred(outputs)
    sizes = np.minimum(1, np.array([1, *gaps]) / FULL_GAP)[columns]
    sizes[:inputs] = min(6, 0.38 * height / inputs)
    _settle(y, spots, edges, gaps, height)
    step = _within(WIDEST / last, *COLUMN_GAPS)
    width = max(step * last, min(0.6 * height, 640), room[0])
    x = columns * width / last
    return Places(inputs, columns, x.tolist(), y.tolist(), sizes.tolist(), width, height)


def _height(inputs: int, outputs: int, columns: np.ndarray, edges: np.ndarray, counts: Sequence[int]) -> float:
    """Enough for the largest column, with lanes for the edges that pass it, though not for any number of them."""
    wanted = [LEAST, _within(TALLEST / inputs, *INPUT_GAPS) * inputs]
    wanted += [_within(TALLEST / count, *NODE_GAPS) * count for count in (*counts, outputs)]
    begin, end = columns[edges].T
    for column, count in enumerate(counts, 1):
        passing = int(((begin < column) & (column < end)).sum())
        wanted.append(min(SPACE * count + 2 * LANE * passing, TALLEST / 2))
    return max(wanted)


def _gap(count: int, height: float, usual: float = NODE_GAPS[1]) -> float:
    """From one node of a column to the next."""
    return min(height / count, max(usual, min(LOOSE * height / count, LOOSEST)))


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _centred(count: int) -> np.ndarray:
    """Places in a row around 0."""
    return np.arange(count) - (count - 1) / 2


def _spots(nodes: np.ndarray, present: np.ndarray) -> list[list[int]]:
    """The nodes of a column that share a place; each graph has at most one of them."""
    spots: list[list[int]] = []
    for node in nodes.tolist():
        free = (spot for spot in spots if not (present[:, spot] & present[:, [node]]).any())
        spot = next(free, None)
        if spot is None:
            spots.append([node])
        else:
            spot.append(node)
    return spots


def _settle(
    y: np.ndarray, columns: Sequence[list[list[int]]], edges: np.ndarray, gaps: Sequence[float], height: float
) -> None:
    """Moves hidden nodes to the mean height of their neighbours, again and again."""
    near: list[list[int]] = [[] for _ in y]
    for origin, target in edges.tolist():
        near[origin].append(target)
        near[target].append(origin)
    for _ in range(SWEEPS):
        for spots, gap in zip(columns, gaps, strict=False):
            around = ([other for node in spot for other in near[node] or [node]] for spot in spots)
            wanted = [float(y[others].mean()) for others in around]
            for spot, at in zip(spots, apart(wanted, gap, gap / 2, height - gap / 2), strict=True):
                y[spot] = at


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> np.ndarray:
    """Heights in the same order as those wanted, as near to them as possible, but `gap` apart, from `low` to `high`."""
    count = len(wanted)
    gap = min(gap, (high - low) / max(count - 1, 1))
    order = np.argsort(wanted, kind="stable")
    blocks: list[list[float]] = []  # sums and lengths of runs that lie next to each other
    for place, node in enumerate(order.tolist()):
        blocks.append([wanted[node] - gap * place, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, length = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += length
    found = np.empty(count)
    level = np.repeat([total / length for total, length in blocks], [int(length) for _, length in blocks])
    found[order] = np.clip(level, low, high - gap * (count - 1)) + gap * np.arange(count)
    return found


def routes(at: Places, edges: np.ndarray) -> list[str]:
    """The path of each edge, as SVG writes it."""
    ends = [(at.x[target] - at.half(target), at.y[target]) for _, target in edges.tolist()]
    ways = [[(at.x[origin] + at.half(origin), at.y[origin])] for origin, _ in edges.tolist()]  # so far
    begin, end = at.columns[edges].T
    last = int(at.columns.max())
    for column in range(1, last):
        x, nodes = at.width * column / last, np.flatnonzero(at.columns == column).tolist()
        passing = np.flatnonzero((begin < column) & (column < end)).tolist()
        wanted = [_height_at(x, ways[edge][-1], ends[edge]) for edge in passing]
        half = max(map(at.half, nodes)) + 4
        for edge, y in zip(passing, _lanes(at, nodes, wanted), strict=True):
            ways[edge] += [(x - half, y), (x + half, y)]
    return [_path([*way, end]) for way, end in zip(ways, ends, strict=True)]


def _height_at(x: float, start: Point, end: Point) -> float:
    """Where the line between two points is at `x`."""
    return start[1] + (end[1] - start[1]) * (x - start[0]) / (end[0] - start[0])


def _lanes(at: Places, nodes: Sequence[int], wanted: Sequence[float]) -> list[float]:
    """The heights at which edges pass a column, each through the gap that is nearest to the height it wants."""
    taken = sorted((at.y[node] - SPACE / 2 * at.sizes[node], at.y[node] + SPACE / 2 * at.sizes[node]) for node in nodes)
    lows = [min(0, taken[0][0]) - OUTSIDE, *(bottom for _, bottom in taken)]
    highs = [*(top for top, _ in taken), max(at.height, taken[-1][1]) + OUTSIDE]
    rooms = [(low, high) for low, high in zip(lows, highs, strict=True) if high > low]
    lanes = np.array(wanted, float)
    chosen = np.array([np.argmin([max(low - y, y - high, 0) for low, high in rooms]) for y in wanted])
    for room, (low, high) in enumerate(rooms):
        inside = np.flatnonzero(chosen == room)
        edge = min(5, (high - low) / 3)
        low, high = low + edge, high - edge
        if len(inside):
            lanes[inside] = apart(np.clip(lanes[inside], low, high).tolist(), LANE, low, high)
    return lanes.tolist()


def _path(points: Sequence[Point]) -> str:
    """A line, or a curve that is level where it passes columns."""
    text = f"M{_pair(*points[0])}"
    if len(points) == 2:
        return f"{text}L{_pair(*points[1])}"
    for number in range(0, len(points), 2):
        (x0, y0), (x1, y1) = points[number : number + 2]
        middle = (x0 + x1) / 2
        text += f"C{_pair(middle, y0)} {_pair(middle, y1)} {_pair(x1, y1)}"
        if number + 2 < len(points):
            text += f"H{short(points[number + 2][0])}"
    return text


def _pair(x: float, y: float) -> str:
    return f"{short(x)},{short(y)}"


def short(number: float) -> str:
    """A coordinate as files write it."""
    return f"{number:.1f}".removesuffix(".0")

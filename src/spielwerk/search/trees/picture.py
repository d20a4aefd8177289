"""A search tree as a picture: decisions are boxes, rolls are discs, the end of a game is a bar.

The wider a line, the more simulations took it; a bold box is worth that for certain.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielwerk.games.face.svg import Drawing
from spielwerk.search.trees.outline import Branch

WIDTH, HEIGHT, LEVEL, GAP, MARGIN = 74.0, 30.0, 92.0, 10.0, 24.0
WIDEST, TITLE, LETTER = 7.0, 40.0, 6.6  # of a line; above the tree; of a letter of a label


@dataclass(frozen=True)
class Spot:
    """Where a branch is drawn."""

    branch: Branch
    x: float
    level: int
    below: tuple[Spot, ...]


def tree_picture(root: Branch, title: str) -> Drawing:
    """The branches of a tree, from the root downwards."""
    spot, width = _laid_out(root, MARGIN, 0)
    deep = _depth(root)
    drawing = Drawing(max(width, 560) + MARGIN, 2 * MARGIN + TITLE + deep * LEVEL + HEIGHT + 20, title)
    drawing.text(MARGIN, MARGIN, title, 14, anchor="start")
    key = "box: a decision · disc: a roll · bar: the end · value for whoever chose it, visits · ! proven · +n not drawn"
    drawing.text(MARGIN, MARGIN + 20, key, 10, "line", anchor="start")
    _draw_lines(drawing, spot, max(root.visits, 1))
    _draw_nodes(drawing, spot)
    return drawing


def _laid_out(branch: Branch, left: float, level: int) -> tuple[Spot, float]:
    """The spots of a branch and all below it, from `left` on; where they end."""
    below: list[Spot] = []
    right = left
    for child in branch.branches:
        spot, right = _laid_out(child, right, level + 1)
        below.append(spot)
    right = max(right, left + WIDTH + GAP)
    x = (below[0].x + below[-1].x) / 2 if below else left + WIDTH / 2
    return Spot(branch, x, level, tuple(below)), right


def _depth(branch: Branch) -> int:
    return 1 + max(map(_depth, branch.branches)) if branch.branches else 0


def _y(spot: Spot) -> float:
    return MARGIN + TITLE + spot.level * LEVEL + HEIGHT / 2


def _draw_lines(drawing: Drawing, spot: Spot, whole: int) -> None:
    for below in spot.below:
        width = 1 + (WIDEST - 1) * below.branch.visits / whole
        drawing.line(spot.x, _y(spot), below.x, _y(below), width, "edge")
        _draw_lines(drawing, below, whole)
    for below in spot.below:
        _draw_label(drawing, spot.x + 0.6 * (below.x - spot.x), _y(spot) + 0.6 * (_y(below) - _y(spot)), below.branch)


def _draw_label(drawing: Drawing, x: float, y: float, branch: Branch) -> None:
    """What led to a branch, on a ground that hides the line."""
    width = LETTER * len(branch.label) + 4
    drawing.rectangle(x - width / 2, y - 8, width, 16, "page", 3)
    drawing.text(x, y, branch.label, 11)


def _draw_nodes(drawing: Drawing, spot: Spot) -> None:
    branch, y = spot.branch, _y(spot)
    value = "?" if branch.value is None else f"{branch.value:+.2f}{'!' if branch.exact else ''}"
    if branch.over:
        drawing.rectangle(spot.x - WIDTH / 2 + 6, y - HEIGHT / 2, WIDTH - 12, HEIGHT, "slot", 2)
        drawing.rectangle(spot.x - WIDTH / 2 + 6, y + HEIGHT / 2 - 3, WIDTH - 12, 3, "ink")
        colour = "ink"
    elif branch.chance:
        drawing.disc(spot.x, y, 2 * HEIGHT / 3, "red")
        colour = "white"
    else:
        drawing.rectangle(spot.x - WIDTH / 2 + 2, y - HEIGHT / 2, WIDTH - 4, HEIGHT, "blue", 5)
        colour = "white"
    drawing.text(spot.x, y - 6, value, 11, colour)
    drawing.text(spot.x, y + 7, f"{branch.visits:,}", 9.5, colour)
    if branch.left_out:
        drawing.text(spot.x, y + HEIGHT / 2 + (13 if branch.chance else 8), f"+{branch.left_out}", 9, "line")
    for below in spot.below:
        _draw_nodes(drawing, below)

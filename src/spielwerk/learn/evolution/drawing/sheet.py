"""The page that graphs are drawn on: headings, names, nodes, the legend, and how wide edges are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

import numpy as np

from spielwerk.learn.evolution.drawing.layout import PILL, Places, short
from spielwerk.names import printable

# Page, ink, quiet ink, rules; blue and vermilion of Okabe and Ito, which colour-blind people tell apart.
LIGHT = ("#ffffff", "#2b2a27", "#75716a", "#b9b4a9", "#0072b2", "#d55e00")
DARK = ("#1c1e22", "#e4dfd3", "#a09b90", "#5d5a54", "#56b4e9", "#e8833a")
LETTER = 0.58  # width of a letter by its height
EDGE, LEAST_WIDTH = 20, 620  # margin and width of the page
LONGEST_NAME = 28  # letters that are shown
SMALLEST_TEXT = 7.5
BROADEST, THINNEST = 6.0, 0.5  # strokes of edges
LINE = 17  # from one line of text to the next
FITTING = "max-width:100%;height:auto"  # a narrow window shows the page smaller, not cut off


@dataclass(frozen=True)
class Scale:
    """How wide edges are drawn: in proportion to the size of their weights, in crowded graphs thinner."""

    largest: float
    broadest: float

    def width(self, weight: float) -> float:
        """Of the stroke."""
        return THINNEST + (self.broadest - THINNEST) * abs(weight) / self.largest


def scale_for(weights: np.ndarray, edges: int) -> Scale:
    """A scale for these weights, of which so many are seen at once."""
    return Scale(float(np.abs(weights).max(initial=0)) or 1.0, min(max(50 / max(edges, 1) ** 0.5, 2.2), BROADEST))


def page(
    at: Places,
    input_names: Sequence[str],
    output_names: Sequence[str],
    heads: tuple[str, str],
    body: Sequence[str],
    samples: Sequence[tuple[str, str]],
    foot: float = 0,
) -> str:
    """The whole file: title and subtitle, the graph, room of the height `foot`, the legend."""
    left = EDGE + 14 + LETTER * text_size(at) * max(len(clipped(name)) for name in input_names)
    right = EDGE + PILL[0] / 2 + 14 + LETTER * 12 * max(len(clipped(name)) for name in output_names)
    width = max(left + at.width + right, LEAST_WIDTH)
    left += (width - left - at.width - right) / 2
    head, top = _head(*heads, width)
    bottom = top + at.height + 24 + foot
    key, height = _legend(samples, width, bottom)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" style="{FITTING}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="system-ui, sans-serif">',
            tip(heads[0] or "network"),
            f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{ {_style(DARK)} }}</style>",
            '<rect width="100%" height="100%" class="page"/>',
            *head,
            f'<g transform="translate({left:.0f} {top:.0f})">',
            *body,
            "</g>",
            *key,
            "</svg>\n",
        ]
    )


def _head(title: str, subtitle: str, width: float) -> tuple[list[str], float]:
    """The headings, and where the graph begins."""
    shapes, y = [], EDGE + 8
    if title:
        shapes.append(text(EDGE, y, title, 16, "ink bold", "start"))
        y += 3
    for line in wrap(printable(subtitle), int((width - 2 * EDGE) / (12 * LETTER))):
        y += LINE
        shapes.append(text(EDGE, y, line, 12, "quiet", "start"))
    return shapes, y + 40


def _legend(samples: Sequence[tuple[str, str]], width: float, top: float) -> tuple[list[str], float]:
    """The samples side by side in as many rows as they need, and where the page ends."""
    shapes, x, y = [], float(EDGE), top + 10
    for sample, words in samples:
        wide = 34 + LETTER * 11 * len(words) + 20
        if x > EDGE and x + wide > width - EDGE + 20:
            x, y = EDGE, y + 22
        shapes.append(
            f'<g transform="translate({x:.0f} {y:.0f})">{sample}{text(34, 0, words, 11, "quiet", "start")}</g>'
        )
        x += wide
    return shapes, y + EDGE


def _style(palette: tuple[str, ...]) -> str:
    page, ink, quiet, rule, plus, minus = palette
    return (
        f".page{{fill:{page}}}.ink{{fill:{ink}}}.quiet{{fill:{quiet}}}.bold{{font-weight:600}}"
        f".halo{{paint-order:stroke;stroke:{page};stroke-width:2px}}"
        f".pill{{fill:{page};stroke:{ink};stroke-width:1px}}.dot{{fill:{ink}}}.pale{{fill:{rule}}}"
        f"path{{fill:none;stroke-opacity:.8}}.plus{{stroke:{plus}}}.minus{{stroke:{minus}}}.any{{stroke:{quiet}}}"
        f".off{{stroke-dasharray:4 4;stroke-opacity:.4}}.rule{{stroke:{rule}}}"
    )


def legend(scale: Scale, any_off: bool, bias: bool) -> list[tuple[str, str]]:
    """Samples, each drawn from (0, 0) on to the right, and what they mean."""
    values = scale.largest / 4, scale.largest
    parts = [
        (_sample(scale.broadest * 0.6, kind), f"weight {than} 0") for kind, than in (("plus", ">"), ("minus", "<"))
    ]
    parts += [(_sample(scale.width(value), "any"), f"weight of size {value:.2g}") for value in values]
    if any_off:
        parts.append((f'<path d="M0,0H26" {off("plus")}/>', "switched off"))
    node = '<rect x="-1" y="-7" width="28" height="14" rx="7" class="pill"/>' + text(13, 0, "elu", 8)
    parts.append((node, "activation, bias below" if bias else "activation"))
    return parts


def _sample(width: float, look: str) -> str:
    return f'<path d="M0,0H26" class="{look}" stroke-width="{width:.3g}"/>'


def labels(at: Places, input_names: Sequence[str], output_names: Sequence[str], used: set[int]) -> Iterator[str]:
    """The names of inputs and outputs; where they would overlap, only some of the inputs'."""
    size = text_size(at)
    every = int(np.ceil(1.05 * size / (at.y[1] - at.y[0]))) if at.inputs > 1 else 1
    for node, name in enumerate(input_names):
        if node % every == 0:
            look = "ink" if node in used else "pale"
            yield text(at.x[node] - at.sizes[node] - 6, at.y[node], clipped(name), size, look, "end")
    for node, name in enumerate(output_names, at.inputs):
        high = min(12, 13 * at.sizes[node])
        yield text(at.x[node] + at.half(node) + 7, at.y[node], clipped(name), high, "ink", "start")


def text_size(at: Places) -> float:
    """Of the names of inputs."""
    return min(max(0.88 * float(at.y[1] - at.y[0]), SMALLEST_TEXT), 12) if at.inputs > 1 else 12


def clipped(name: str) -> str:
    """A name that has room."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def pill(at: Places, node: int, word: str) -> str:
    """The shape of a node, with its activation."""
    x, y, size = at.x[node], at.y[node], at.sizes[node]
    width, height = PILL[0] * size, PILL[1] * size
    box = f'x="{short(x - width / 2)}" y="{short(y - height / 2)}" width="{short(width)}" height="{short(height)}"'
    return f'<rect {box} rx="{height / 2:.3g}" class="pill"/>{text(x, y, word, 10 * size)}'


def sign(weight: float) -> str:
    """The class of an edge's colour."""
    return "plus" if weight >= 0 else "minus"


def off(sign: str) -> str:
    """How an edge that is switched off looks."""
    return f'class="{sign} off" stroke-width="1"'


def text(x: float, y: float, words: str, size: float, look: str = "ink", anchor: str = "middle") -> str:
    """Words whose middle is as high as `y`."""
    where = f'x="{short(x)}" y="{short(y + 0.35 * size)}" font-size="{size:.3g}"'
    return f'<text {where} text-anchor="{anchor}" class="{look}">{clean(words)}</text>'


def tip(text: str) -> str:
    """What is shown where the mouse points."""
    return f"<title>{clean(text)}</title>"


def clean(text: str) -> str:
    """Text as SVG takes it."""
    return escape(printable(text), quote=False)

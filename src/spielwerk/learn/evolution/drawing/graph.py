"""A genome's graph as a picture: weights by colour and width, activations by name, biases below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spielwerk.learn.evolution.drawing.layout import Places, places, routes, short
from spielwerk.learn.evolution.drawing.sheet import Scale, labels, legend, off, page, pill, scale_for, sign, text, tip
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.genome import ACTIVATION, FROM, LAYER, ON, TO, Genome


def drawing(
    genome: Genome, input_names: Sequence[str], output_names: Sequence[str], title: str = "", subtitle: str = ""
) -> str:
    """An SVG file; what has no room on it, such as exact weights, is shown where the mouse points."""
    on = genome.edges[:, ON] == 1
    at = places_of(genome)
    scale = scale_for(genome.weights[on], int(on.sum()))
    names = [*input_names, *output_names, *[""] * genome.hidden]
    used = set(genome.edges[on, FROM].tolist())
    body = [
        *_edges(genome, at, scale, names),
        *(_input(at, node, used) for node in range(genome.inputs)),
        *(_pill(genome, at, node, names) for node in range(genome.inputs, len(names))),
        *labels(at, input_names, output_names, used),
    ]
    return page(at, input_names, output_names, (title, subtitle), body, legend(scale, bool((~on).any()), bias=True))


def places_of(genome: Genome) -> Places:
    """Places for the nodes of one genome: a column for each layer."""
    ends, everywhere = genome.edges[:, [FROM, TO]], np.ones((1, len(genome.nodes)), bool)
    return places(genome.inputs, genome.outputs, genome.nodes[:, LAYER], ends, everywhere)


def _edges(genome: Genome, at: Places, scale: Scale, names: Sequence[str]) -> Iterator[str]:
    """Those that are off lie below, strong ones above weak ones."""
    paths = routes(at, genome.edges[:, [FROM, TO]])
    weights = genome.weights.tolist()
    for edge in np.lexsort((np.abs(weights), genome.edges[:, ON])).tolist():
        (_, origin, target, on), weight = genome.edges[edge].tolist(), weights[edge]
        said = f"{_called(names, origin)} → {_called(names, target)}: {weight:.4g}{'' if on else ', off'}"
        look = f'class="{sign(weight)}" stroke-width="{scale.width(weight):.3g}"' if on else off(sign(weight))
        yield f'<path d="{paths[edge]}" {look}>{tip(said)}</path>'


def _called(names: Sequence[str], node: int) -> str:
    return names[node] or f"hidden node {node}"


def _input(at: Places, node: int, used: set[int]) -> str:
    look = "dot" if node in used else "dot pale"
    return f'<circle cx="{short(at.x[node])}" cy="{short(at.y[node])}" r="{short(at.sizes[node])}" class="{look}"/>'


def _pill(genome: Genome, at: Places, node: int, names: Sequence[str]) -> str:
    bias, kind = float(genome.biases[node]), ACTIVATIONS[genome.nodes[node, ACTIVATION]]
    x, y, size = at.x[node], at.y[node], at.sizes[node]
    below = text(x, y + 15.5 * size, f"{bias:+.2g}".replace("-", "−"), 8 * size, "quiet halo")
    said = f"{_called(names, node)}: {kind}, bias {bias:.4g}"
    return f"<g>{tip(said)}{pill(at, node, kind)}{below}</g>"

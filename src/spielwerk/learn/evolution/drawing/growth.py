"""How a champion's graph grew: one animated SVG file that shows the champions of a run one after the other.

Inputs and outputs have one place in all frames. Hidden nodes and edges keep theirs as long as a chapter goes on, in
which only widths, colours and what is seen change; one chapter fades into the next. The animation is SMIL, without a
script; whatever does not know it shows the last frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from spielwerk.learn.evolution.drawing.chapters import Chapter, chapters
from spielwerk.learn.evolution.drawing.layout import Places, routes, short
from spielwerk.learn.evolution.drawing.sheet import labels, legend, off, page, pill, scale_for, sign, text
from spielwerk.learn.evolution.drawing.union import Union
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.genome import ON, Genome

MOST_FRAMES = 60
SECONDS, SHORTEST, LONGEST = 24, 0.3, 1.2  # of all frames; of one
REST = 3.5  # seconds that the last one stays
FOOT = 70  # room for the progress line and the words below it

Frames = Sequence[tuple[int, Genome]]  # generation and champion


@dataclass(frozen=True)
class Clock:
    """When frames begin, as shares of the whole time."""

    begins: Sequence[float]
    seconds: float

    def animate(self, attribute: str, values: Sequence[Any], smooth: bool = False) -> str:
        """The element that gives an attribute its value in each frame; nothing if it is always the same."""
        changes = [frame for frame in range(1, len(values)) if values[frame] != values[frame - 1]]
        if not changes:
            return ""
        points = [(0.0, values[0])]
        for frame in changes:
            begin = self.begins[frame]
            if smooth:  # moves in the first half of the frame
                points += [(begin, values[frame - 1]), (begin + self._short / 2, values[frame])]
            else:
                points.append((begin, values[frame]))
        points += [(1.0, values[-1])] if smooth else []
        times = ";".join(f"{time:.4f}".rstrip("0").rstrip(".") for time, _ in points)
        mode = "" if smooth else ' calcMode="discrete"'
        shown = ";".join(str(value) for _, value in points)
        repeat = f'dur="{self.seconds:.4g}s" repeatCount="indefinite"'
        return f'<animate attributeName="{attribute}" values="{shown}" keyTimes="{times}" {repeat}{mode}/>'

    def seen(self, when: np.ndarray) -> tuple[str, str]:
        """The attribute and the animation of what is seen in some frames only."""
        values = ["visible" if now else "hidden" for now in when]
        return "" if when[-1] else ' visibility="hidden"', self.animate("visibility", values)

    @property
    def _short(self) -> float:
        return self.begins[1]


def growth(
    champions: Frames,
    input_names: Sequence[str],
    output_names: Sequence[str],
    title: str,
    notes: Mapping[int, str] | None = None,
) -> str:
    """An SVG file with a frame for each champion that differs from the one before, at most 60, evenly thinned.

    `champions` are (generation, genome), from the first to the last; `notes` are words about generations, such as how
    well the champion plays. A file has 20 to 400 kB, by the size of graphs.
    """
    frames = thinned(champions)
    genomes = [genome for _, genome in frames]
    union, parts, clock = Union(genomes), chapters(genomes), _clock(len(frames))
    at = parts[-1].at  # inputs and outputs have the same places in all
    scale = scale_for(union.weights[union.on], int(union.on.sum(axis=1).max()))
    used = {int(origin) for origin in union.edges[union.on.any(axis=0), 0]}
    outputs = range(union.inputs, union.inputs + union.outputs)
    body = [
        *(line for part in parts for line in _chapter(part, clock, scale.width)),
        *_dots(union, at, clock),
        *_pills(union, at, clock, outputs),
        *labels(at, input_names, output_names, used),
        *_progress(frames, champions[-1][0], at, clock, notes or {}),
    ]
    samples = legend(scale, bool((union.has & ~union.on).any()), bias=False)
    return page(at, input_names, output_names, (title, ""), body, samples, FOOT)


def thinned(champions: Frames) -> Frames:
    """Champions that differ from the one before; of too many an even choice with the first and the last."""
    new = [champions[0]]
    new += [now for before, now in pairwise(champions) if not _same(before[1], now[1])]
    chosen = np.linspace(0, len(new) - 1, min(len(new), MOST_FRAMES)).round().astype(int)
    return [new[frame] for frame in chosen]


def _same(one: Genome, other: Genome) -> bool:
    parts = ("nodes", "biases", "edges", "weights")
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in parts)


def _clock(count: int) -> Clock:
    each = min(max(SECONDS / count, SHORTEST), LONGEST)
    seconds = each * (count - 1) + REST
    return Clock([each * frame / seconds for frame in range(count)], seconds)


def _chapter(part: Chapter, clock: Clock, width: Callable[[float], float]) -> Iterator[str]:
    hidden = "" if part.shown[-1] else ' opacity="0"'
    yield f"<g{hidden}>{clock.animate('opacity', part.shown.astype(int).tolist(), smooth=True)}"
    yield from _edges(part.union, part.at, clock, width)
    first = part.union.inputs + part.union.outputs
    yield from _pills(part.union, part.at, clock, range(first, len(part.union.columns)))
    yield "</g>"


def _edges(union: Union, at: Places, clock: Clock, width: Callable[[float], float]) -> Iterator[str]:
    for edge, path in enumerate(routes(at, union.edges)):
        weights, on, has = union.weights[:, edge].tolist(), union.on[:, edge], union.has[:, edge]
        signs = _signs(weights, has)
        if (has & ~on).any():
            hidden, change = clock.seen(has & ~on)
            yield f'<path d="{path}" {off(signs[-1])}{hidden}>{change}</path>'
        widths = [f"{width(weight):.2f}" if now else "0" for weight, now in zip(weights, on.tolist(), strict=True)]
        changes = clock.animate("stroke-width", widths, smooth=True) + clock.animate("class", signs)
        yield f'<path d="{path}" class="{signs[-1]}" stroke-width="{widths[-1]}">{changes}</path>'


def _signs(weights: Sequence[float], has: np.ndarray) -> list[str]:
    """The class of an edge in each frame; where there is none, that of the frame before, as long as it fades."""
    held = weights[int(np.argmax(has))]
    signs = []
    for weight, there in zip(weights, has.tolist(), strict=True):
        held = weight if there else held
        signs.append(sign(held))
    return signs


def _dots(union: Union, at: Places, clock: Clock) -> Iterator[str]:
    """Inputs, pale where no edge that is on leads away from them."""
    for node in range(union.inputs):
        used = union.on[:, union.edges[:, 0] == node]  # [frames, edges]
        looks = ["dot" if any(now) else "dot pale" for now in used.tolist()]
        where = f'cx="{short(at.x[node])}" cy="{short(at.y[node])}" r="{short(at.sizes[node])}"'
        yield f'<circle {where} class="{looks[-1]}">{clock.animate("class", looks)}</circle>'


def _pills(union: Union, at: Places, clock: Clock, nodes: Iterable[int]) -> Iterator[str]:
    """Nodes, once for each activation that they ever had."""
    for node in nodes:
        present, kinds = union.present[:, node], union.activations[:, node]
        for kind in np.unique(kinds[present]).tolist():
            hidden, change = clock.seen(present & (kinds == kind))
            yield f"<g{hidden}>{pill(at, node, ACTIVATIONS[kind])}{change}</g>"


def _progress(frames: Frames, total: int, at: Places, clock: Clock, notes: Mapping[int, str]) -> Iterator[str]:
    """A line that fills from the first generation to the last, with what is seen written below it."""
    y, shares = at.height + 32, [generation / max(total, 1) for generation, _ in frames]
    ends = [short(share * at.width) for share in shares]
    yield f'<path d="M0,{short(y)}H{short(at.width)}" class="rule" stroke-width="2"/>'
    for end in ends:
        yield f'<path d="M{end},{short(y - 4)}v8" class="rule" stroke-width="1"/>'
    change = clock.animate("x2", ends, smooth=True)
    yield f'<line x1="0" y1="{short(y)}" x2="{ends[-1]}" y2="{short(y)}" class="any" stroke-width="4">{change}</line>'
    for frame, (generation, genome) in enumerate(frames):
        last = frame == len(frames) - 1
        unchanged = f", the champion until {total}" if last and generation < total else ""
        words = f"generation {generation} of {total}{unchanged}", "; ".join(_about(genome, notes.get(generation)))
        lines = (text(at.width / 2, y + 18 * (1 + line), said, 12) for line, said in enumerate(words))
        hidden, change = clock.seen(np.arange(len(frames)) == frame)
        yield f"<g{hidden}>{''.join(lines)}{change}</g>"


def _about(genome: Genome, note: str | None) -> Iterator[str]:
    on = int(genome.edges[:, ON].sum())
    yield f"{genome.hidden} hidden node{'s' * (genome.hidden != 1)}, {on} edge{'s' * (on != 1)}"
    if note:
        yield note

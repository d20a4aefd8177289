"""Pictures of boards: a drawing is a list of shapes in named colours, which a theme makes an SVG."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from spielwerk.names import BadInput

# Each colour on light paper and on dark.
PALETTE = {
    "page": ("#f7f3ea", "#1d1b18"),
    "board": ("#efe6d2", "#2a2621"),
    "field": ("#dfcfa9", "#3d362b"),
    "line": ("#5d5445", "#9a907d"),
    "ink": ("#22201c", "#ece6d8"),
    "white": ("#fbf7ec", "#efe8d8"),
    "black": ("#2b2927", "#131211"),
    "edge": ("#857a67", "#8b8170"),
    "red": ("#b8432f", "#c9573e"),
    "blue": ("#2f6690", "#4b86b4"),
    "felt": ("#5f8068", "#415c4a"),
    "seam": ("#4a6652", "#2d4235"),
    "wood": ("#7a5233", "#4b3423"),
    "table": ("#e6d2a8", "#665238"),
    "brass": ("#ecdcb8", "#d9c49a"),
    "pale": ("#c99d66", "#94734a"),
    "dark": ("#7c4c2c", "#33241a"),
    "stick": ("#e2c78c", "#c9ae78"),
    "head": ("#b8432f", "#d3603f"),
    "slot": ("#e3d8bf", "#37312a"),
    "target": ("#842412", "#f5a184"),
    "halo": ("#fffdf7", "#131211"),  # around a target: one of the two is seen on every ground
}
COLOURS = tuple(PALETTE)
THEMES = ("light", "dark")
DARK_TEXT_ON = ("white", "stick", "table", "board", "field")
SHINE = (
    '<defs><radialGradient id="shine" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="#fff" stop-opacity=".5"/>'
    '<stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".2"/>'
    "</radialGradient></defs>"
)


class Shape(NamedTuple):
    """One element of an SVG: its tag, its attributes, and the text inside."""

    tag: str
    attributes: dict[str, Any]
    text: str = ""

    def markup(self) -> str:
        """As a file of SVG writes it."""
        attributes = "".join(f' {name}="{_written(value)}"' for name, value in self.attributes.items())
        opened = f"<{self.tag}{attributes}"
        return f"{opened}>{escape(self.text)}</{self.tag}>" if self.text else f"{opened}/>"


class Drawing:
    """Shapes on a canvas; `colour` is one of COLOURS."""

    def __init__(self, width: float = 0, height: float = 0, title: str = "") -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[Shape] = []

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str, round: float = 0) -> None:
        """A filled rectangle."""
        self._add("rect", colour, x=x, y=y, width=width, height=height, rx=round)

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 2, colour: str = "line") -> None:
        """A line of the board."""
        along = {"stroke-width": width, "stroke-linecap": "round"}
        self._add("line", f"{colour}-stroke", x1=x1, y1=y1, x2=x2, y2=y2, **along)

    def disc(self, x: float, y: float, radius: float, colour: str, text: str = "") -> None:
        """A stone, with a letter or number on it."""
        self._add("circle", f"{colour} edge-stroke", cx=x, cy=y, r=radius, **{"stroke-width": 1.5})
        if text:
            self.text(x, y, text, radius, text_on(colour))

    def dot(self, x: float, y: float, radius: float, colour: str = "line") -> None:
        """A small mark without an edge."""
        self._add("circle", colour, cx=x, cy=y, r=radius)

    def polygon(self, points: list[tuple[float, float]], colour: str) -> None:
        """A filled polygon."""
        self._add("polygon", colour, points=" ".join(f"{x:g},{y:g}" for x, y in points))

    def text(
        self, x: float, y: float, text: str, size: float = 12, colour: str = "ink", anchor: str = "middle"
    ) -> None:
        """Text centred on (x, y), or beginning there with anchor="start"."""
        where = {"x": x, "y": y, "font-size": size, "text-anchor": anchor, "dy": ".35em", "class": colour}
        self.shapes.append(Shape("text", where, text))

    def shaded(self, tag: str, colour: str, drop: float, **where: Any) -> None:
        """A solid thing: its shadow, which falls by `drop`, its body, and light on it."""
        below = {name: value + drop if name in ("y", "cy") else value for name, value in where.items()}
        self._add(tag, "shadow", **below, fill="#000", **{"fill-opacity": 0.2})
        self._add(tag, f"{colour} edge-stroke", **where, **{"stroke-width": 1})
        self._add(tag, "light", **where, fill="url(#shine)")

    def _add(self, tag: str, classes: str, **attributes: Any) -> None:
        self.shapes.append(Shape(tag, {**attributes, "class": classes}))


def text_on(colour: str) -> str:
    """The colour of a text that can be read on another one."""
    return "black" if colour in DARK_TEXT_ON else "white"


def document(drawing: Drawing, theme: str = "auto") -> str:
    """The drawing as a whole SVG file; `auto` follows what the viewer prefers."""
    if theme not in (*THEMES, "auto"):
        raise BadInput(f'There is no theme "{theme}"; possible: light, dark, auto.')
    style = _style(theme == "dark")
    if theme == "auto":
        style += f"@media (prefers-color-scheme: dark) {{ {_style(True)} }}"
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" width="{drawing.width:g}" height="{drawing.height:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="system-ui, sans-serif">',
            f"<title>{escape(drawing.title)}</title>",
            f"<style>{style}</style>{SHINE}",
            '<rect width="100%" height="100%" class="page"/>',
            *(shape.markup() for shape in drawing.shapes),
            "</svg>\n",
        ]
    )


def text_drawing(text: str, title: str) -> Drawing:
    """A board drawn with letters, for games that have no picture of their own."""
    lines = text.splitlines() or [""]
    drawing = Drawing(24 + 9 * max(map(len, lines)), 24 + 18 * len(lines), title)
    for number, line in enumerate(lines):
        for column, letter in enumerate(line):  # each in its place, whatever the font
            if letter != " ":
                drawing.text(16 + 9 * column, 21 + 18 * number, letter, 14)
    return drawing


def page_style() -> str:
    """The same colours for a page, which may choose a theme by the attribute `data-theme` of its root."""
    light, dark = ("".join(f"--{name}:{pair[column]};" for name, pair in PALETTE.items()) for column in (0, 1))
    rules = [f":root{{{light}}}", f":root[data-theme=dark]{{{dark}}}"]
    rules += [f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"]
    rules += [f"svg .{name}{{fill:var(--{name})}}svg .{name}-stroke{{stroke:var(--{name})}}" for name in PALETTE]
    return "\n".join(rules) + "\n"


def _style(dark: bool) -> str:
    rules = (f".{name}{{fill:{pair[dark]}}}.{name}-stroke{{stroke:{pair[dark]}}}" for name, pair in PALETTE.items())
    return "".join(rules)


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else escape(str(value))

"""Pictures of boards: a drawing is a list of shapes in named colours, which a theme makes an SVG."""

from __future__ import annotations

from html import escape

from spielwerk.names import BadInput

COLOURS = ("page", "board", "field", "line", "ink", "white", "black", "red", "blue")
LIGHT = ("#fbf9f4", "#ead9b5", "#d9c194", "#6b5636", "#3b362e", "#fffdf6", "#2f2d2b", "#c8443a", "#3a6ea5")
DARK = ("#1c1e22", "#3b3427", "#4b4231", "#b59e6c", "#d9d4c8", "#efe9da", "#121110", "#c4524a", "#4678ad")
THEMES = {"light": LIGHT, "dark": DARK}


class Drawing:
    """Shapes on a canvas; `colour` is one of COLOURS."""

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str, round: float = 0) -> None:
        """A filled rectangle."""
        self._add("rect", f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}"', f"{colour}")

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 2) -> None:
        """A line of the board."""
        self._add("line", f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke-width="{width:g}"', "stroke")

    def disc(self, x: float, y: float, radius: float, colour: str, text: str = "") -> None:
        """A stone, with a letter or number on it."""
        self._add("circle", f'cx="{x:g}" cy="{y:g}" r="{radius:g}" stroke-width="1.5"', f"{colour} stroke")
        if text:
            on = "black" if colour == "white" else "white"
            self.text(x, y, text, radius, on)

    def dot(self, x: float, y: float, radius: float, colour: str = "line") -> None:
        """A small mark without an edge."""
        self._add("circle", f'cx="{x:g}" cy="{y:g}" r="{radius:g}"', colour)

    def polygon(self, points: list[tuple[float, float]], colour: str) -> None:
        """A filled polygon."""
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add("polygon", f'points="{text}"', colour)

    def text(
        self, x: float, y: float, text: str, size: float = 12, colour: str = "ink", anchor: str = "middle"
    ) -> None:
        """Text centred on (x, y), or beginning there with anchor="start"."""
        where = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" dy=".35em"'
        self.shapes.append(f'<text {where} class="{colour}">{escape(text)}</text>')

    def _add(self, tag: str, attributes: str, classes: str) -> None:
        self.shapes.append(f'<{tag} {attributes} class="{classes}"/>')


def document(drawing: Drawing, theme: str = "auto") -> str:
    """The drawing as a whole SVG file; `auto` follows what the viewer prefers."""
    if theme not in (*THEMES, "auto"):
        raise BadInput(f'There is no theme "{theme}"; possible: light, dark, auto.')
    style = _style(THEMES.get(theme, LIGHT))
    if theme == "auto":
        style += f"@media (prefers-color-scheme: dark) {{ {_style(DARK)} }}"
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" width="{drawing.width:g}" height="{drawing.height:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="system-ui, sans-serif">',
            f"<title>{escape(drawing.title)}</title>",
            f"<style>{style}</style>",
            '<rect width="100%" height="100%" class="page"/>',
            *drawing.shapes,
            "</svg>\n",
        ]
    )


def text_drawing(text: str, title: str) -> Drawing:
    """A board drawn with letters, for games that have no picture of their own."""
    lines = text.splitlines() or [""]
    drawing = Drawing(24 + 9 * max(map(len, lines)), 24 + 18 * len(lines), title)
    for number, line in enumerate(lines):
        for column, letter in enumerate(line):  # each in its place, whatever the font
            drawing.text(16 + 9 * column, 21 + 18 * number, letter, 14)
    return drawing


def _style(palette: tuple[str, ...]) -> str:
    fills = "".join(f".{name}{{fill:{value}}}" for name, value in zip(COLOURS, palette, strict=True))
    return fills + f".stroke{{stroke:{palette[COLOURS.index('line')]}}}"

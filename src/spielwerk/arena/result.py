"""Result: what the functions of the Python API return: facts for programs, a table and a picture for people."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spielwerk.arena.plots import LIGHT, drawn, save
from spielwerk.data import json_text
from spielwerk.names import BadInput

Rows = Sequence[Sequence[str]]


class Result:
    """Figures that know how to show themselves; in a notebook as a table, and as a picture where there is one."""

    def facts(self) -> dict[str, Any]:
        """What `to_json` writes and `--json` prints."""
        raise NotImplementedError

    def table(self) -> tuple[Sequence[str], Rows]:
        """The heads and the rows of the table that people see."""
        raise NotImplementedError

    def plot(self) -> Any:
        """The result as a matplotlib figure; BadInput says where there is nothing to draw."""
        raise NotImplementedError

    def save(self, path: str | Path, theme: str = LIGHT) -> None:
        """Writes the picture of the result to a .png or .svg file, light or dark."""
        save(self.plot, Path(path), theme)

    def to_json(self) -> str:
        """Everything a program wants to know, as one JSON object."""
        return json_text(self.facts())

    def _repr_html_(self) -> str:
        return html_table(*self.table())

    def _repr_svg_(self) -> str | None:
        try:
            return svg(self.plot())
        except BadInput:  # nothing to draw: a notebook shows the table alone
            return None


def html_table(heads: Sequence[str], rows: Rows) -> str:
    """A table for notebooks and pages; figures, in columns whose head begins with ">", stand to the right."""
    sides = ["right" if head.startswith(">") else "left" for head in heads]
    top = "".join(_cell("th", head.lstrip(">"), side) for head, side in zip(heads, sides, strict=True))
    body = ("".join(_cell("td", text, side) for text, side in zip(row, sides, strict=True)) for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody></table>"


def svg(figure: Any) -> str:
    """A matplotlib figure as SVG."""
    text = io.StringIO()
    with drawn():
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _cell(tag: str, text: str, side: str) -> str:
    return f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'

"""What commands print and write: tables, JSON, files."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from spielwerk.data import json_text
from spielwerk.files import named_by_user
from spielwerk.names import BadInput, value_text

UNBOUNDED = 10_000  # letters in a line of a file or of another program's input, where nothing needs to fit
LEAST_TEXT = 9  # letters that a column of text has at least, if it wants so many
BETWEEN = 3  # letters from one column to the next
PART = re.compile(r"[^\s:,=]*[:,=]*\s*")  # of a text, after which a line may end


def width() -> int:
    """How many letters a line has to print on."""
    return Console().width if sys.stdout.isatty() else UNBOUNDED


def write(path: Path, text: str) -> None:
    """Writes a file that the user named."""
    try:
        with named_by_user(path) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}.") from None


def print_json(value: dict[str, Any]) -> None:
    """One object on one line."""
    print(json_text(value))


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    spare: Sequence[Sequence[str]] = (),
    whole: Sequence[str] = (),
    text: int = UNBOUNDED,
) -> None:
    """A table; a column whose name begins with ">" holds figures, set to the right; an empty column is left out.

    Where the terminal is narrow, the columns named in `spare` go, the first group first, until texts have `text`
    letters a line; then texts take several lines. Figures, and the columns named in `whole`, are never cut. Below the
    table stands what was left out.
    """
    rows = list(rows)
    widths = {i: _widest(columns[i], rows, i) for i in range(len(columns)) if any(row[i] for row in rows)}
    gone: list[str] = []
    for group in spare:
        least = {i: letters if columns[i].startswith(">") else min(letters, text) for i, letters in widths.items()}
        if _needed(least) > width():
            gone += [columns[i].lstrip(">") for i in widths if columns[i] in group]
            widths = {i: letters for i, letters in widths.items() if columns[i] not in group}
    texts = [i for i in widths if not columns[i].startswith(">") and columns[i] not in whole]
    while _needed(widths) > width() and texts and max(widths[i] for i in texts) > LEAST_TEXT:
        widths[max(texts, key=lambda i: widths[i])] -= 1
    table = Table(box=box.SIMPLE_HEAD, show_header=any(columns[i] for i in widths), pad_edge=False)
    for i, letters in widths.items():
        side = "right" if columns[i].startswith(">") else "left"
        table.add_column(columns[i].lstrip(">"), justify=side, width=letters, overflow="fold")
    for row in rows:
        table.add_row(*(_folded(row[i], letters) for i, letters in widths.items()))
    Console(highlight=False, width=_needed(widths)).print(table)
    if gone:
        said = f"Omitted here, but shown in a wider terminal or by --json: {', '.join(gone)}."
        print(textwrap.fill(Text.from_markup(said).plain, width()))


def print_settings(settings: Sequence[dict[str, Any]], title: str = "setting") -> None:
    """A table of settings, with their possible values where they are few."""
    print_table((title, ">default", ""), map(setting_cells, settings))


def setting_cells(setting: dict[str, Any]) -> list[str]:
    """The name, the default and the meaning of a setting, as a table shows them."""
    choices, default = ", ".join(map(value_text, setting["choices"])), setting["default"]
    text = " ".join(default) if isinstance(default, tuple) else value_text(default)
    return [setting["name"], escape(text), escape(f"{setting['help']} ({choices})" if choices else setting["help"])]


def _widest(column: str, rows: Sequence[Sequence[str]], i: int) -> int:
    return max(cell_len(column.lstrip(">")), *(Text.from_markup(row[i]).cell_len for row in rows))


def _folded(cell: str, letters: int) -> Text:
    """A text in lines: a name that is too long for one, such as that of an agent, breaks after a mark in it."""
    text, begins = Text.from_markup(cell), [0]
    for part in PART.finditer(text.plain):
        if cell_len(text.plain[begins[-1] : part.end()].rstrip()) > letters and part.start() > begins[-1]:
            begins.append(part.start())
    return Text("\n").join(text.divide(begins[1:]))


def _needed(widths: dict[int, int]) -> int:
    return sum(widths.values()) + BETWEEN * len(widths)

"""What the commands share: options, tables, JSON, files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from spielwerk.names import BadInput

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Such as morris, or einstein:board=6,players=4.")]
MOST_SEED = 2**31 - 1
Seed = Annotated[int, typer.Option(min=0, max=MOST_SEED, help="The same seed gives the same games.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Place = Annotated[str | None, typer.Argument(metavar="POSITION", help="One line of text; default: the start.")]
WIDE = 140  # columns for a file or another program, where nothing should be cut


def console() -> Console:
    """What tables are printed on."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDE)


def position_of(name: str, text: str | None, seed: int = 0) -> Any:
    """The position that the arguments GAME and POSITION name."""
    from spielwerk.games.registry import game

    variant = game(name)
    return variant.start(seed) if text is None else variant.parse(text)


def write(path: Path, text: str) -> None:
    """Writes a file that the user named."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}.") from None


def print_json(value: dict[str, Any]) -> None:
    """One object on one line."""
    print(json.dumps(value))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table; a column whose name begins with ">" is set to the right, an empty one is left out."""
    rows = list(rows)
    filled = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    columns, rows = [columns[i] for i in filled], [[row[i] for i in filled] for row in rows]
    table = Table(box=box.SIMPLE_HEAD, show_header=any(columns), pad_edge=False)
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console().print(table)

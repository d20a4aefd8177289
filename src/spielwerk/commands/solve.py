"""The command that solves games, so that the oracle knows more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from spielwerk.commands import panels
from spielwerk.commands.shared import AsJson, GameName, print_json, print_table
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.api.solve import SolveResult

app = typer.Typer()


@app.command(rich_help_panel=panels.LOOK_UP)
def solve(
    name: GameName,
    up_to: Annotated[
        str | None, typer.Option(metavar="MEN-MEN", help="Morris: the largest sector, such as 5-5.")
    ] = None,
    device: Annotated[str | None, typer.Option(metavar="cpu|cuda", help="Morris: cpu or cuda.")] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Morris: keep two bits a position, no depths.")] = False,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Morris: keep nothing but the figures.")] = False,
    check: Annotated[
        int | None, typer.Option(metavar="N", help="Morris: positions of each sector to verify; -1: all.")
    ] = None,
    stones: Annotated[
        int | None, typer.Option(metavar="N", help="EinStein: stones on the board of endgame tables.")
    ] = None,
    checkers: Annotated[int | None, typer.Option(metavar="N", help="Backgammon: most checkers of a side.")] = None,
    positions: Annotated[
        int | None, typer.Option(metavar="N", help="Games without a solver of their own: most positions.")
    ] = None,
    memory: Annotated[
        float | None, typer.Option(metavar="GIGABYTES", help="Games without a solver of their own: gigabytes.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game, or as much of it as is asked for, and keep the tables."""
    from spielwerk.api.solve import solve as solved

    if wdl and no_tables:
        raise BadInput("--wdl keeps two bits a position, --no-tables nothing: give one of them.")
    keep = "classes" if wdl else "nothing" if no_tables else None
    given = {"up_to": up_to, "device": device, "keep": keep, "check": check, "stones": stones, "checkers": checkers}
    given |= {"positions": positions, "memory": memory}
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(f"solving {name}", total=None)
        found = solved(
            name,
            callback=lambda done, total: progress.update(bar, completed=done, total=total),
            **{key: value for key, value in given.items() if value is not None},
        )
    return print_json(found.facts()) if as_json else _print(found)


def _print(found: SolveResult) -> None:
    if found.found.get("sectors"):
        print_table(*found.sectors())
    print_table(*found.table())
    print(f"{found.found['seconds']:.1f} seconds.")

"""The command that solves games, so that the oracle knows more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from spielwerk.commands.shared import panels
from spielwerk.commands.shared.options import AsJson, GameName
from spielwerk.commands.shared.output import print_json, print_settings, print_table
from spielwerk.commands.shared.progress_lines import ProgressLines
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.api.solve import SolveResult

ARGUMENTS = ("game", "callback")  # of `sw.solve`, besides settings
app = typer.Typer()


@app.command(rich_help_panel=panels.LOOK_UP)
def solve(
    name: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE…", help="Settings of the game's solver; --list shows them."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the settings of the game's solver.")] = False,
    up_to: Annotated[str | None, typer.Option(metavar="MEN-MEN", help="Morris: same as up_to=….")] = None,
    device: Annotated[str | None, typer.Option(metavar="cpu|cuda", help="Morris: same as device=….")] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Morris: same as keep=classes.")] = False,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Morris: same as keep=nothing.")] = False,
    check: Annotated[int | None, typer.Option(metavar="N", help="Morris: same as check=….")] = None,
    stones: Annotated[int | None, typer.Option(metavar="N", help="EinStein: same as stones=….")] = None,
    checkers: Annotated[int | None, typer.Option(metavar="N", help="Backgammon: same as checkers=….")] = None,
    positions: Annotated[int | None, typer.Option(metavar="N", help="Other games: same as positions=….")] = None,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GIGABYTES", help="Other games: same as memory=…."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game, or part of it, and keep the tables."""
    if wdl and no_tables:
        raise BadInput("Give either --wdl or --no-tables, not both.")
    keep = "classes" if wdl else "nothing" if no_tables else None
    flags = {"up_to": up_to, "device": device, "keep": keep, "check": check, "stones": stones, "checkers": checkers}
    flags |= {"positions": positions, "memory": memory}
    if listed:
        return _describe(name, as_json)
    found = _solved(name, _settings(words or [], {key: value for key, value in flags.items() if value is not None}))
    return print_json(found.facts()) if as_json else _print(found)


def _settings(words: Sequence[str], flags: dict[str, Any]) -> dict[str, Any]:
    """What the words and the options say, each once."""
    given = dict(flags)
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadInput(
                f'"{word}" is not a setting; write key=value. "spielwerk solve GAME --list" lists the settings.'
            )
        if key in given:
            raise BadInput(f'"{key}" is set twice.')
        if key in ARGUMENTS:
            raise BadInput(f'"{key}" cannot be a setting of a solver.')
        given[key] = value
    return given


def _solved(name: str, settings: dict[str, Any]) -> SolveResult:
    """Solves a game, with a progress bar."""
    from spielwerk.api.solve import solve as solved

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(f"solving {name}", total=None)
        if_stopped("Finished tables are kept (for morris, finished sectors); the same command computes the rest.")
        lines = ProgressLines(f"solving {name}")

        def advance(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)
            if progress.disable:
                lines(done, total)

        return solved(name, callback=advance, **settings)


def _describe(name: str, as_json: bool) -> None:
    """The settings of a game's solver."""
    from spielwerk.api.catalogue import settings_facts
    from spielwerk.games.registry import game
    from spielwerk.solvers.oracle import solver

    variant = game(name)
    facts = settings_facts(solver(variant)[1])
    if as_json:
        return print_json({"game": variant.name, "settings": facts})
    return print_settings(facts) if facts else print(f"The solver of {variant.name} has no settings.")


def _print(found: SolveResult) -> None:
    if found.found.get("sectors"):
        print_table(*found.sectors())
    print_table(*found.table())
    print(f"{found.found['seconds']:.1f} seconds.")

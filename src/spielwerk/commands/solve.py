"""The command that solves games, so that the oracle knows more."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from spielwerk.commands.shared import AsJson, GameName, print_json, print_table
from spielwerk.names import BadInput

app = typer.Typer()


@app.command()
def solve(
    name: GameName,
    up_to: Annotated[str | None, typer.Option(help="Morris: the largest sector, such as 5-5.")] = None,
    device: Annotated[str | None, typer.Option(help="Morris: cpu or cuda.")] = None,
    wdl: Annotated[bool, typer.Option("--wdl", help="Morris: keep two bits a position, no depths.")] = False,
    no_tables: Annotated[bool, typer.Option("--no-tables", help="Morris: keep nothing but the figures.")] = False,
    check: Annotated[int | None, typer.Option(help="Morris: positions of each sector to verify; -1: all.")] = None,
    stones: Annotated[int | None, typer.Option(help="EinStein: stones on the board of endgame tables.")] = None,
    checkers: Annotated[int | None, typer.Option(help="Backgammon: most checkers of a side.")] = None,
    positions: Annotated[int | None, typer.Option(help="Games without a solver of their own: most positions.")] = None,
    memory: Annotated[float | None, typer.Option(help="Games without a solver of their own: gigabytes.")] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a game, or as much of it as is asked for, and keep the tables."""
    from spielwerk import names
    from spielwerk.games.registry import game
    from spielwerk.solve.oracle import solver

    if wdl and no_tables:
        raise BadInput("--wdl keeps two bits a position, --no-tables nothing: give one of them.")
    keep = "classes" if wdl else "nothing" if no_tables else None
    given = {"up_to": up_to, "device": device, "keep": keep, "check": check, "stones": stones, "checkers": checkers}
    given |= {"positions": positions, "memory": memory}
    variant = game(name)
    solve_it, settings_class = solver(variant)
    chosen = {key: value for key, value in given.items() if value is not None}
    settings = names.settings(settings_class, f"solve {variant.kind}", chosen)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(f"solving {variant.name}", total=None)
        facts = solve_it(variant, settings, lambda done, total: progress.update(bar, completed=done, total=total))
    return print_json(facts) if as_json else _print(facts)


def _print(facts: dict[str, Any]) -> None:
    sectors = facts.get("sectors", [])
    if sectors:
        keys = ("name", "states", "wins", "draws", "losses", "longest_win", "longest_loss", "checked")
        rows = [[_text(sector[key]) for key in keys] for sector in sectors]
        heads = ("sector", ">states", ">wins", ">draws", ">losses", ">longest win", ">longest loss", ">verified")
        print_table(heads, rows if any(sector["checked"] for sector in sectors) else [[*row[:-1], ""] for row in rows])
    rest = {key: value for key, value in facts.items() if key not in ("sectors", "game", "seconds")}
    print_table(("", ""), [["game", facts["game"]], *([key, _text(value)] for key, value in rest.items())])
    print(f"{facts['seconds']:.1f} seconds.")


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
    if isinstance(value, float):
        return f"{value:.12g}"
    return f"{value:,}" if isinstance(value, int) else "–" if value is None else str(value)

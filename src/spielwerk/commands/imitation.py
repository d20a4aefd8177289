"""Commands about imitation: what the rules say of observed moves, and how well a run has learned them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from spielwerk.commands.shared import completion
from spielwerk.commands.shared.options import AsJson, GameName, Theme
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.train_progress import Device

HELP = "Inspect observed moves, and what imitation has learned from them."
app = typer.Typer(help=HELP, no_args_is_help=True)
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it, as .png or .svg.")]


@app.command()
def data(
    name: GameName,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Of observed moves.")],
    expand: Annotated[
        str,
        typer.Option(metavar="symmetries|paper|none", help="Turned boards: each position once, as the source, none."),
    ] = "symmetries",
    plot: Plot = None,
    theme: Theme = "light",
    as_json: AsJson = False,
) -> None:
    """Show how many moves are legal in the positions of a folder, and how often each is."""
    from spielwerk.api.dataset import legal_moves
    from spielwerk.arena.plots import check_path, save
    from spielwerk.terminal import waiting

    if plot:
        check_path(plot)
    with waiting("reading …"):
        found = legal_moves(name, folder, expand=expand)
    for note in found.notes:
        print(note, file=sys.stderr)
    if plot:
        save(found.plot, plot, theme)
    return print_json(found.facts()) if as_json else print_table(*found.table())


@app.command()
def measure(
    run: Annotated[
        str,
        typer.Argument(metavar="NAME", autocompletion=completion.runs, help="A run of imitation; NAME/2 is seed 2."),
    ],
    sets: Annotated[
        str, typer.Option(metavar="SETS", help="Positions: matches (all moves), test, states, with commas.")
    ] = "matches,test,states",
    positions: Annotated[int, typer.Option(metavar="N", min=0, help="Positions of each set. 0: all.")] = 0,
    data: Annotated[str, typer.Option(metavar="FOLDER", help="Other observed moves than the run's.")] = "",
    plot: Plot = None,
    theme: Theme = "light",
    device: Device = "cpu",
    as_json: AsJson = False,
) -> None:
    """Measure a run: accuracy by part, move and phase, legality, broken rules, and reliability."""
    from spielwerk.api.imitation import measure as measured
    from spielwerk.arena.plots import check_path, save

    if plot:
        check_path(plot)
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        bar = progress.add_task(run, total=1.0)
        asked = [name.strip() for name in sets.split(",") if name.strip()]
        found = measured(
            run,
            sets=asked,
            positions=positions,
            data=data,
            device=device,
            callback=lambda share: progress.update(bar, completed=share),
        )
    for note in found.notes:
        print(note, file=sys.stderr)
    if plot:
        save(found.plot, plot, theme)
        print(f"The plot is in {plot}.", file=sys.stderr)
    if as_json:
        return print_json(found.facts())
    print_table(*found.parts_table())
    return print_table(*found.table())

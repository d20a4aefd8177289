"""The command `dataset`: observed moves of a teacher."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, GameName, Seed
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.names import BadInput

app = typer.Typer()


@app.command(rich_help_panel=panels.LEARN)
def dataset(
    name: GameName,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the dataset is kept; begun ones are resumed.")],
    teacher: Annotated[
        str, typer.Option(metavar="AGENT", autocompletion=completion.agents, help="Whose moves are observed.")
    ],
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games that it plays.")] = 1000,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT", autocompletion=completion.agents, help="Opponents by turns. Default: self, the teacher."
        ),
    ] = None,
    starts: Annotated[
        str, typer.Option(metavar="start|random|reachable", help="Where games begin: the start, or drawn positions.")
    ] = "start",
    random: Annotated[float, typer.Option(metavar="SHARE", help="Share of the games that begin at drawn ones.")] = 1.0,
    opening: Annotated[int, typer.Option(min=0, metavar="N", help="Random turns before the teacher is observed.")] = 0,
    states: Annotated[int, typer.Option(min=0, metavar="N", help="Further positions without moves.")] = 0,
    label: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Play nothing: label these positions by the game's oracle.")
    ] = None,
    most: Annotated[int, typer.Option(min=0, metavar="N", help="With --label: so many positions. 0: all.")] = 0,
    form: Annotated[str, typer.Option("--format", metavar="jsonl|parquet", help="How files are written.")] = "jsonl",
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Observe a teacher at play: each position once, with its move, for `train imitation`."""
    from spielwerk.api.dataset import dataset as made
    from spielwerk.api.dataset import labelled

    if_stopped("What was observed is kept; the same command resumes it.")
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        if label is not None:
            if teacher != "oracle":
                raise BadInput(f"--label is for --teacher oracle, which knows the best moves, not for {teacher}.")
            bar = progress.add_task("labelling", total=None)
            found = labelled(
                name, label, out, form=form, most=most, callback=lambda done, _: progress.update(bar, completed=done)
            )
        else:
            playing = progress.add_task("playing", total=games)
            drawing = progress.add_task("drawing positions", total=states or None, visible=states > 0)
            terms: dict[str, Any] = {"games": games, "opponents": tuple(against or ("self",)), "starts": starts}
            terms |= {"random": random, "opening": opening, "states": states, "seed": seed, "form": form}
            found = made(
                name,
                teacher,
                out,
                **terms,
                played=lambda done, _: progress.update(playing, completed=done),
                drawn=lambda done, _: progress.update(drawing, completed=done),
            )
    for note in found.notes:
        print(note, file=sys.stderr)
    if as_json:
        return print_json(found.facts())
    print(f"{found.game.name}, observed of {found.teacher}, in {found.folder}")
    return print_table(*found.table())

"""Commands that rate agents: tournaments, and the ladder of all stored matches."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from spielwerk.arena.figures import counted, percentage
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, GameName, Seed, Theme
from spielwerk.commands.shared.output import print_json, print_table, width
from spielwerk.commands.shared.stopping import NOTHING, if_stopped
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.matches.ratings import Rating

app = typer.Typer()
WIDEST = 16  # agents of a cross table that is printed
CELL = 8  # letters of a rate in it, with the space around it
SPARE = (("last match (UTC)",), (">wins", ">draws", ">losses"))  # what a narrow terminal can do without
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratings, as .png or .svg.")]


@app.command(rich_help_panel=panels.MEASURE)
def tournament(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", autocompletion=completion.games, help="Such as morris, or einstein:board=4."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT…", autocompletion=completion.agents, help="Two or more agents, such as random mc."
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games of each pair.")] = 100,
    seed: Seed = 1,
    swiss: Annotated[int, typer.Option(min=0, metavar="ROUNDS", help="Play Swiss rounds. Default: all pairs.")] = 0,
    processes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes to use. Default: one for each core.")
    ] = None,
    resume: Annotated[int | None, typer.Option(metavar="NUMBER", help="Resume a tournament that was stopped.")] = None,
    plot: Plot = None,
    theme: Theme = "light",
    as_json: AsJson = False,
) -> None:
    """Let agents play each other, and rate them."""
    from rich.progress import Progress

    from spielwerk.api.tournament import resume_tournament
    from spielwerk.api.tournament import tournament as play
    from spielwerk.arena.plots import check_path, save

    if plot:
        check_path(plot)
    if resume is not None and name:
        raise BadInput(f"Tournament {resume} is resumed with its own game and agents; leave them out.")
    if resume is None and name is None:
        raise BadInput("Name a game and at least two agents, such as: spielwerk tournament nim random mc.")
    if_stopped(NOTHING)  # before the tournament has a number
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task("games", total=None)

        def begun(number: int, games: int) -> None:
            if_stopped(f"What was played is kept; to resume: spielwerk tournament --resume {number}")
            progress.update(bar, total=games)

        options: dict[str, Any] = {"processes": processes, "begun": begun}
        options["callback"] = lambda games: progress.update(bar, completed=games)
        if name is None:
            played = resume_tournament(resume or 0, **options)
        else:
            played = play(name, agents or [], games=games, seed=seed, swiss=swiss, **options)
    if plot:
        save(played.plot, plot, theme)
    if as_json:
        return print_json(played.facts())
    _print_ratings(played.ratings)
    _print_cross(played.facts()["cross"], played.game.sides > 2)
    return print(f"Tournament {played.number}, {counted(played.games, 'game')}.{_drawn(plot)}")


@app.command(rich_help_panel=panels.MEASURE)
def ladder(name: GameName, plot: Plot = None, theme: Theme = "light", as_json: AsJson = False) -> None:
    """Rate all agents that have played a game, from every stored match of that variant."""
    from spielwerk.api.tournament import ladder as standing
    from spielwerk.arena.plots import check_path, save

    if plot:
        check_path(plot)
    found = standing(name)
    if plot:
        save(found.plot, plot, theme)
    if as_json:
        return print_json(found.facts())
    if not found.places:
        return print(f"No match of {found.game.name} between two agents is stored yet.")
    _print_ratings(found.ratings, {one.rating.agent: one.last_played for one in found.places})
    return print(_drawn(plot).strip()) if plot else None


def _drawn(path: Path | None) -> str:
    return f" {path} shows the ratings." if path else ""


def _print_ratings(rated: Sequence[Rating], last_played: Mapping[str, str] | None = None) -> None:
    """A table for each group of agents that have met."""
    from spielwerk.api.tournament import HEADS

    times = last_played or {}
    columns = (*HEADS, "last match (UTC)")
    anchors = list(dict.fromkeys(rating.anchor for rating in rated))
    for anchor in anchors:
        print_table(columns, (_row(rating, times) for rating in rated if rating.anchor == anchor), SPARE)
        print(_anchored(anchor, len(anchors) > 1))


def _row(rating: Rating, times: Mapping[str, str]) -> list[str]:
    from spielwerk.api.tournament import rating_cells

    agent, *figures = rating_cells(rating)
    return [escape(agent), *figures, times.get(rating.agent, "")[:16].replace("T", " ")]


def _anchored(anchor: str, apart: bool) -> str:
    """What the Elo figures of a table are measured from."""
    words = f"Elo above {anchor}" if anchor == "random" else f"Elo above {anchor}, the lowest; random did not play"
    others = "; no match joins these agents with those of another table" if apart else ""
    return f"{words}; 95 % intervals{others}."


def _print_cross(rates: Mapping[str, Mapping[str, float]], single: bool) -> None:
    """The cross table; `single` says that more than two teams play, of which the row has one."""
    if len(rates) > min(WIDEST, width() // CELL - 3):
        return print(f"{len(rates)} agents are too many to print a cross table; --json has it.")
    numbers = [str(i) for i in range(1, len(rates) + 1)]
    cells = [[percentage(row[column]) if column in row else "·" for column in rates] for row in rates.values()]
    named = ([number, escape(agent), *row] for number, agent, row in zip(numbers, rates, cells, strict=True))
    print_table((">", "rate in % against", *(f">{number}" for number in numbers)), named)
    return print("The row plays one team, the column all others." if single else "", end="\n" if single else "")

"""Commands about games: listing, showing, playing, checking."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from spielwerk.arena.figures import counted
from spielwerk.commands.shared import panels
from spielwerk.commands.shared.options import AsJson, GameName, Place, Seed, position_of
from spielwerk.commands.shared.output import print_json, print_table, write
from spielwerk.names import BadInput

app = typer.Typer()
MOST_GAMES = 10**9


@app.command(rich_help_panel=panels.LOOK_UP)
def games(as_json: AsJson = False) -> None:
    """List the games and their variants."""
    from spielwerk.api.catalogue import game_facts
    from spielwerk.games.registry import game, kinds, variants

    listed = []
    for kind in kinds():
        try:
            listed += [game(name) for name in variants(kind)]
        except BadInput as problem:  # a game of another package; the others can still be listed
            print(problem, file=sys.stderr)
    facts = list(map(game_facts, listed))
    if as_json:
        return print_json({"games": facts})
    rows = []
    for fact in facts:
        if ":" not in fact["name"]:
            rows.append([f"[bold]{escape(fact['title'])}[/bold]", "", "", "", ""])
        numbers = [str(fact[key]) for key in ("players", "actions", "symmetries")]
        rows.append([fact["name"], *numbers, _power(fact["states"])])
    return print_table(("game", ">players", ">actions", ">symm.", ">states"), rows)


@app.command(rich_help_panel=panels.LOOK_UP)
def info(as_json: AsJson = False) -> None:
    """Show versions, devices, folders and the cache."""
    from spielwerk.about import facts

    about = facts()
    return print_json(about) if as_json else print_table(("", ""), ([key, str(value)] for key, value in about.items()))


@app.command(rich_help_panel=panels.LOOK_UP)
def show(
    name: GameName,
    position: Place = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as an SVG picture to this file.")
    ] = None,
    theme: Annotated[str, typer.Option(metavar="light|dark|auto", help="Theme of the picture.")] = "auto",
    form: Annotated[
        str, typer.Option("--as", metavar="FORMAT", help="Print it as other programs write it, such as xgid.")
    ] = "",
    tuples: Annotated[
        str,
        typer.Option(metavar="RUN", help="Show n-tuples instead: those of a run of td, or a named set."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show a position: its board, its text and what can be played. With --tuples, the n-tuples of an agent."""
    from spielwerk.terminal import described

    if tuples:
        return _show_tuples(name, tuples, svg, theme, as_json)
    shown = position_of(name, position)
    picture = shown.svg(theme)  # drawn in any case, so that a wrong theme is always refused
    if svg:
        write(svg, picture)
    written = shown.written(form) if form else None
    if as_json:
        return print_json(shown.facts() | ({} if written is None else {form: written}))
    return print(described(shown) if written is None else written)


def _show_tuples(name: str, tuples: str, svg: Path | None, theme: str, as_json: bool) -> None:
    """Shows the n-tuples of a run or a named set on the board of a game."""
    from spielwerk.games.face.svg import document
    from spielwerk.games.registry import game
    from spielwerk.learn.td.tuple_pictures import picture, text
    from spielwerk.learn.td.tuple_set import tuple_set

    found = tuple_set(game(name), tuples)
    drawn = document(picture(found), theme)  # drawn in any case, so that a wrong theme is always refused
    if svg:
        write(svg, drawn)
    return print_json(found.facts()) if as_json else print(text(found))


@app.command(rich_help_panel=panels.LOOK_UP)
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=1, max=20, help="Depth in whole turns.")],
    position: Place = None,
    as_json: AsJson = False,
) -> None:
    """Count the lines of play to a depth (perft)."""
    from spielwerk.games.perft import perft as count

    counts: list[int] = []
    begun = time.perf_counter()
    begins = position_of(name, position)
    for ways in count(begins, depth):
        counts.append(ways)
        if not as_json:
            print(f"{len(counts):3}  {ways:>18,}  {time.perf_counter() - begun:8.2f} s", flush=True)
    if as_json:
        print_json({"game": begins.game.name, "position": str(begins), "counts": counts})


@app.command(rich_help_panel=panels.LOOK_UP)
def laws(
    name: GameName,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_GAMES, help="Random games along which to check.")
    ] = 100,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the laws of the rules, such as one of your own."""
    from rich.progress import track

    from spielwerk.games.laws import BrokenLaw, check
    from spielwerk.games.registry import game

    variant = game(name)
    try:
        for number in track(range(games), "checking", console=Console(stderr=True), transient=True):
            check(variant, seed + number)
    except BrokenLaw as broken:
        print(broken, file=sys.stderr)
        raise typer.Exit(1) from None
    if as_json:
        return print_json({"game": variant.name, "games": games, "laws": "kept"})
    return print(
        f"{variant.name} keeps the laws along {counted(games, 'random game')} (seeds {seed} to {seed + games - 1})."
    )


def _power(number: int) -> str:
    return f"{number:,}" if number < 10**6 else f"{number:.1e}".replace("e+", " × 10^").replace("^0", "^")

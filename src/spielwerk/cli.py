"""The command line: a thin skin over the rooms of the house."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from spielwerk.names import BadInput

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
bench = typer.Typer(help="Measure speed, beside a peer where one is installed.", no_args_is_help=True)
app.add_typer(bench, name="bench")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Such as morris, or einstein:board=6,players=4.")]
MOST_SEED = 2**31 - 1
Seed = Annotated[int, typer.Option(min=0, max=MOST_SEED, help="The same seed gives the same games.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Place = Annotated[str | None, typer.Argument(metavar="POSITION", help="One line of text; default: the start.")]
INTERRUPTED = 130  # what typer makes of Ctrl-C
WIDE = 140  # columns for a file or another program, where nothing should be cut


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDE)


@app.callback(invoke_without_command=True)
def spielwerk(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """A laboratory in which machines learn board games."""
    if version:
        from spielwerk import __version__

        print(f"spielwerk {__version__}")
        raise typer.Exit


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games and their variants."""
    from spielwerk.games.registry import game, kinds, variants

    listed = []
    for kind in kinds():
        try:
            listed += [game(name) for name in variants(kind)]
        except BadInput as problem:  # a game of another package; the others can still be listed
            print(problem, file=sys.stderr)
    facts = [
        {"name": one.name, "title": one.title, "players": one.players}
        | {"actions": one.constants["ACTIONS"], "symmetries": one.constants["SYMMETRIES"], "states": one.states}
        for one in listed
    ]
    if as_json:
        return _print_json({"games": facts})
    rows = []
    for fact in facts:
        if ":" not in fact["name"]:
            rows.append([f"[bold]{fact['title']}[/bold]", "", "", "", ""])
        numbers = [str(fact[key]) for key in ("players", "actions", "symmetries")]
        rows.append([fact["name"], *numbers, _power(fact["states"])])
    return _table(("game", ">players", ">actions", ">symm.", ">states"), rows)


@app.command()
def info(as_json: AsJson = False) -> None:
    """Show versions, devices, folders and the cache."""
    from spielwerk.about import facts

    about = facts()
    return _print_json(about) if as_json else _table(("", ""), ([key, str(value)] for key, value in about.items()))


@app.command()
def show(
    name: GameName,
    position: Place = None,
    svg: Annotated[Path | None, typer.Option(help="Write the board as an SVG picture to this file.")] = None,
    theme: Annotated[str, typer.Option(help="Of the picture: light, dark, or auto.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Show a position: its board, its text and what can be played."""
    from spielwerk.terminal import described

    shown = _position(name, position)
    picture = shown.svg(theme)  # drawn in any case, so that a wrong theme is always refused
    if svg:
        _write(svg, picture)
    if as_json:
        return _print_json(shown.facts())
    return print(described(shown))


@app.command()
def play(
    name: GameName,
    position: Place = None,
    against: Annotated[str, typer.Option(help="random, or human for two or more people.")] = "human",
    seat: Annotated[int, typer.Option(help="Your seat against the random mover, from 0.")] = 0,
    seed: Annotated[int | None, typer.Option(min=0, max=MOST_SEED, help="Default: a new one each time.")] = None,
) -> None:
    """Play in the terminal: people against each other, or one against the random mover."""
    from spielwerk.terminal import TerminalGame

    seed = int.from_bytes(os.urandom(3)) if seed is None else seed
    TerminalGame(_position(name, position, seed), against, seat, seed).run()


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=20, help="Whole turns.")],
    position: Place = None,
    as_json: AsJson = False,
) -> None:
    """Count the ways in which a game can go."""
    from spielwerk.games.perft import perft as count

    counts: list[int] = []
    begun = time.perf_counter()
    begins = _position(name, position)
    for ways in count(begins, depth):
        counts.append(ways)
        if not as_json:
            print(f"{len(counts):3}  {ways:>18,}  {time.perf_counter() - begun:8.2f} s", flush=True)
    if as_json:
        _print_json({"game": begins.game.name, "position": str(begins), "counts": counts})


@app.command()
def laws(
    name: GameName,
    games: Annotated[int, typer.Option(min=1, help="Random games to check them along.")] = 100,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the laws of the rules; for games of your own."""
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
        return _print_json({"game": variant.name, "games": games, "laws": "kept"})
    return print(f"{variant.name} keeps the laws along {games} random games (seeds {seed} to {seed + games - 1}).")


@bench.command()
def rules(
    rounds: Annotated[int, typer.Option(min=1, help="The median of this many is shown.")] = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Random games a second, with OpenSpiel's in the same run, and a GPU's where there is one."""
    from spielwerk.bench import rules as bench_rules

    _measured(bench_rules.rows(rounds, seed=seed), as_json)


@bench.command()
def start(as_json: AsJson = False) -> None:
    """CPU seconds of the command itself, of a first compile, and of a second process."""
    from spielwerk.bench import start as bench_start

    _measured(bench_start.rows(), as_json)


def main() -> None:
    """The entry point: bad input is one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a board is worth seeing even where some letters are not known
    try:
        app()
    except BadInput as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
    except SystemExit as ended:
        sys.exit(1 if ended.code == INTERRUPTED else ended.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone, and knows it
    except OSError as problem:
        print(f"{problem.strerror}.", file=sys.stderr)
        sys.exit(1)


def _position(name: str, text: str | None, seed: int = 0) -> Any:
    from spielwerk.games.registry import game

    variant = game(name)
    return variant.start(seed) if text is None else variant.parse(text)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}.") from None


def _measured(rows: Iterable[Any], as_json: bool) -> None:
    from spielwerk.bench.row import as_json as json_of
    from spielwerk.bench.row import cells

    shown = []
    with Console(stderr=True).status("measuring") as status:
        for row in rows:
            shown.append(row)
            status.update(f"measured {row.name}")
    if as_json:
        return _print_json(json_of(shown))
    return _table(("", ">ours", "", "peer", ">theirs", ">ratio"), map(cells, shown))


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    rows = list(rows)
    filled = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    columns, rows = [columns[i] for i in filled], [[row[i] for i in filled] for row in rows]
    table = Table(box=box.SIMPLE_HEAD, show_header=any(columns), pad_edge=False)
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    _console().print(table)


def _power(number: int) -> str:
    return f"{number:,}" if number < 10**6 else f"{number:.1e}".replace("e+", " × 10^").replace("^0", "^")

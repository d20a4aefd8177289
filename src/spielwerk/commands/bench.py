"""Commands that measure speed, beside a peer where one is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console

from spielwerk.commands.shared.options import AsJson, Seed
from spielwerk.commands.shared.output import print_json, print_table

app = typer.Typer(help="Measure speed, and compare it with a peer where one is installed.", no_args_is_help=True)
Rounds = Annotated[int, typer.Option(metavar="N", min=1, help="Repeat so often, and show the median.")]
Device = Annotated[str, typer.Option(metavar="cpu|cuda|both", help="Where to measure; both skips a missing GPU.")]


@app.command()
def rules(
    rounds: Rounds = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Random games a second, with OpenSpiel's in the same run, and a GPU's where there is one."""
    from spielwerk.bench import rules as bench_rules

    _measured(bench_rules.rows(rounds, seed=seed), as_json)


@app.command()
def search(
    rounds: Rounds = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Simulations a second of tree search, with OpenSpiel's in the same run; evaluations; threads; random movers."""
    from spielwerk.bench import search as bench_search

    _measured(bench_search.rows(rounds, seed), as_json)


@app.command()
def solve(as_json: AsJson = False) -> None:
    """Positions a second of the solvers, on all cores."""
    from spielwerk.bench import solve as bench_solve

    _measured(bench_solve.rows(), as_json)


@app.command()
def start(as_json: AsJson = False) -> None:
    """CPU seconds of the command itself, of a first compile, and of a second process."""
    from spielwerk.bench import start as bench_start

    _measured(bench_start.rows(), as_json)


@app.command()
def td(
    rounds: Rounds = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Episodes a second of TD learning, compared with GBG's published figures; with one seed and with two at once."""
    from spielwerk.bench import td as bench_td

    _measured(bench_td.rows(rounds, seed), as_json)


@app.command()
def batch(
    device: Device = "both",
    rounds: Rounds = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Random steps and afterstates a second of many boards at once, with Pgx's in the same run."""
    from spielwerk.bench import batch as bench_batch

    _measured(bench_batch.rows(device, rounds, seed), as_json)


@app.command()
def selfplay(
    device: Device = "both",
    rounds: Rounds = 3,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Moves and simulations a second of TD networks and AlphaZero, learning and playing, with GNU Backgammon's."""
    from spielwerk.bench import selfplay as bench_selfplay

    _measured(bench_selfplay.rows(device, rounds, seed), as_json)


@app.command()
def evolution(
    rounds: Rounds = 5,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Evaluations of a genome a second, with neat-python's in the same run; generations a second on all cores."""
    from spielwerk.bench import evolution as bench_evolution

    _measured(bench_evolution.rows(rounds, seed), as_json)


def _measured(rows: Iterable[Any], as_json: bool) -> None:
    from spielwerk.bench.row import as_json as json_of
    from spielwerk.bench.row import cells

    shown = []
    with Console(stderr=True).status("measuring") as status:
        for row in rows:
            shown.append(row)
            status.update(f"measured {row.name}")
    if as_json:
        return print_json(json_of(shown))
    return print_table(("", ">Spielwerk", "", "peer", ">peer's", ">ratio"), map(cells, shown))

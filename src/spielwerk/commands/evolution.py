"""Commands about the runs of evolution: what they have recorded, the games of champions, their networks as pictures.

They read the last checkpoint of a run, so that they work while it goes on learning.
"""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielwerk.arena.figures import counted
from spielwerk.commands.shared import completion
from spielwerk.commands.shared import evolution_tables as generations
from spielwerk.commands.shared.evolution_tables import SHOWN
from spielwerk.commands.shared.options import AsJson
from spielwerk.commands.shared.output import print_json, print_table, write
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.checkpoint import Checkpoint

KIND, SVG = "evolution", ".svg"
HELP = "Inspect runs of evolution, even during training: their figures, games and networks."
app = typer.Typer(help=HELP, no_args_is_help=True)
BredName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        autocompletion=completion.runs,
        help="A run of evolution; NAME/2 is seed 2, otherwise the best one.",
    ),
]
Picture = Annotated[Path, typer.Argument(metavar="FILE", help=f"Such as champion{SVG}.")]
Moving = Annotated[Path, typer.Argument(metavar="FILE", help=f"Such as growth{SVG}.")]
Generation = Annotated[int | None, typer.Option(metavar="G", min=0, help="Generation, from 0. Default: the last one.")]

Drawn = Annotated[
    int | None, typer.Option(metavar="G", min=0, help="Generation, from 0. Default: that of the champion that plays.")
]


@app.command()
def history(
    name: BredName,
    all_: Annotated[bool, typer.Option("--all", help=f"Show every generation, not only about {SHOWN}.")] = False,
    table: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write every generation to a CSV file.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the curves, as .png or .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the record of each generation: fitness, grade, turns, sizes, species."""
    from spielwerk.learn.evolution.champion_files import history as history_of
    from spielwerk.learn.evolution.drawing.history_plot import history_plot
    from spielwerk.learn.evolution.history.history import COLUMNS
    from spielwerk.learn.evolution.history.history_csv import history_csv

    kept = _kept(name)
    found = history_of(_game(kept), kept)
    count = len(found.rows)
    if table:
        write(table, history_csv(found))
    if plot:
        history_plot(found, _title(name, kept), plot)
    if as_json:
        every = [found.facts(number) for number in range(count)]
        return print_json(_about(name, kept) | {"columns": COLUMNS, "generations": every})
    shown = range(count) if all_ else generations.thinned(count)
    print_table(generations.COLUMNS, [generations.row(found, number) for number in shown], generations.SPARE)
    more = "" if len(shown) == count else " --all prints all of them."
    files = "".join(f" Written: {file}." for file in (table, plot) if file)
    return print(f"{_title(name, kept)}, {counted(count, 'generation')}.{more}{files}")


@app.command()
def games(name: BredName, generation: Generation = None, as_json: AsJson = False) -> None:
    """Show the whole games of a generation's champion: against the previous one, and against an earlier one."""
    from spielwerk.learn.evolution.champion_files import history as history_of
    from spielwerk.learn.evolution.history.generation import number_of
    from spielwerk.learn.evolution.history.history import NUMBER
    from spielwerk.learn.evolution.history.whole_games import whole_games

    kept = _kept(name)
    found = history_of(_game(kept), kept)
    number = number_of(generation, len(found.rows))
    played = list(whole_games(found, _game(kept), number))
    if as_json:
        return print_json(_about(name, kept) | {NUMBER: number, "games": [one.facts() for one in played]})
    if not played:
        return print(f"Generation {number} has no games: there was no champion before it.")
    return print("\n\n".join(map(generations.game_text, played)))


@app.command()
def draw(name: BredName, file: Picture, generation: Drawn = None, as_json: AsJson = False) -> None:
    """Draw the network of a champion: weights by colour and width."""
    from spielwerk.learn.evolution.champion_files import blueprint_of
    from spielwerk.learn.evolution.drawing.graph import drawing
    from spielwerk.learn.evolution.genome.genome import ON
    from spielwerk.learn.evolution.history.generation import champion_of
    from spielwerk.learn.evolution.history.history import NUMBER
    from spielwerk.learn.evolution.history.history_csv import layers_text

    _check_picture(file)
    kept = _kept(name)
    game = _game(kept)
    number, genome = champion_of(game, kept, generation)
    blueprint = blueprint_of(game, kept)
    subtitle = f"the champion of generation {number}"
    write(file, drawing(genome, blueprint.input_names, blueprint.output_names, _title(name, kept), subtitle))
    layers, edges = genome.layer_sizes, int(genome.edges[:, ON].sum())
    if as_json:
        facts = {NUMBER: number, "layers": layers, "edges": edges, "file": str(file)}
        return print_json(_about(name, kept) | facts)
    shape = f"layers of {layers_text(layers)} nodes, {counted(edges, 'edge')}"
    return print(f"{file}: {subtitle}, {shape}.")


@app.command()
def grow(name: BredName, file: Moving, as_json: AsJson = False) -> None:
    """Draw how the champion's network grew, from generation to generation, as an animation."""
    from spielwerk.learn.evolution.champion_files import blueprint_of, champions
    from spielwerk.learn.evolution.champion_files import history as history_of
    from spielwerk.learn.evolution.drawing.growth import growth

    _check_picture(file)
    kept = _kept(name)
    game = _game(kept)
    found, blueprint = champions(game, kept), blueprint_of(game, kept)
    marks = enumerate(history_of(game, kept).column("positions").tolist())
    notes = {number: f"{100 * mark:.1f} % of decisions right" for number, mark in marks if not isnan(mark)}
    write(file, growth(found, blueprint.input_names, blueprint.output_names, _title(name, kept), notes))
    numbers = [number for number, _ in found]
    if as_json:
        return print_json(_about(name, kept) | {"generations": numbers, "file": str(file)})
    return print(f"{file}: {counted(len(found), 'champion')}, up to generation {numbers[-1]}; a browser shows it.")


def _kept(name: str) -> Checkpoint:
    """The last checkpoint of a run of evolution, with at least one generation."""
    from spielwerk.learn.resolve import of_run

    found = of_run(KIND, name)
    if not found.episode:
        raise BadInput(f"Nothing has been recorded yet for {name}.")
    return found


def _game(kept: Checkpoint) -> Game:
    from spielwerk.games.registry import game

    return game(kept.metadata["game"])


def _about(name: str, kept: Checkpoint) -> dict[str, Any]:
    """What every `--json` begins with."""
    return {"run": name.partition("/")[0], "seed": int(kept.metadata["seed"]), "game": kept.metadata["game"]}


def _title(name: str, kept: Checkpoint) -> str:
    return f"{name.partition('/')[0]}/{kept.metadata['seed']}: {KIND} in {kept.metadata['game']}"


def _check_picture(file: Path) -> None:
    if file.suffix.lower() != SVG:
        raise BadInput(f'A drawing is a {SVG} file, not "{file.name}".')

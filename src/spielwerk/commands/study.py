"""Commands that carry out published experiments again."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from spielwerk.arena.figures import counted
from spielwerk.commands.shared.options import AsJson, Seed
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.progress_lines import ProgressLines
from spielwerk.commands.shared.stopping import if_stopped

if TYPE_CHECKING:
    from spielwerk.studies.execution import Outcome, Todo
    from spielwerk.studies.recipe import Form, Recipe

Device = Annotated[
    str | None,
    typer.Option(
        metavar="cpu|cuda", help="Of full forms that can do without a GPU. Default: cuda if there is one, else cpu."
    ),
]
HEADS = ("recipe", "what it measures", ">quick", ">full", ">known")
TEXT = 24  # letters that the name of a row has room for, before a column of less weight goes

app = typer.Typer(help="Reproduce published experiments.", no_args_is_help=True)


@app.command("list")
def list_recipes(as_json: AsJson = False) -> None:
    """List the recipes: what each measures, how long its forms take here, and how much of the full one is known."""
    from spielwerk.studies.execution import overview
    from spielwerk.studies.recipe import duration
    from spielwerk.studies.registry import recipes, sources

    cores = os.cpu_count() or 1
    listed = [overview(recipe, cores) for recipe in recipes().values()]
    if as_json:
        return print_json({"recipes": [asdict(one) for one in listed]})
    rows = [[one.name, one.about, duration(one.quick_seconds), duration(one.full_seconds)] for one in listed]
    known = [f"{int(100 * one.known)} %" if one.known else "" for one in listed]
    print_table(HEADS, [[*map(escape, row), share] for row, share in zip(rows, known, strict=True)])
    for source in sources():
        print(source)
    return print(
        f"Times are estimates for {counted(cores, 'idle core')}, if nothing has been measured yet. Known: the share of "
        "the full form's measurements that was made here or unpacked."
    )


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="RECIPE", help="Such as einstein/table-16.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="A smaller form with fewer games, agents and settings.")
    ] = False,
    seed: Seed = 1,
    device: Device = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for plots and the report. Default: in the data folder.")
    ] = None,
    cores: Annotated[int | None, typer.Option(metavar="N", min=1, help="Cores to use. Default: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a recipe: published and reproduced figures, with intervals and plots. Measurements are kept."""
    from spielwerk.studies.device import form_asked_for
    from spielwerk.studies.execution import execute, plan
    from spielwerk.studies.registry import recipe as recipe_of

    recipe, cores = recipe_of(name), cores or os.cpu_count() or 1
    form = form_asked_for(recipe, quick, seed, device)
    todo = plan(recipe, form, cores)
    _announce(recipe, form, quick, todo, cores)
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        bar = progress.add_task(recipe.name, total=sum(job.seconds for job in todo.missing) or None)
        if_stopped("Finished measurements are kept; the same command resumes from there.")
        lines, total = ProgressLines(recipe.name), sum(job.seconds for job in todo.missing)

        def advance(done: float) -> None:
            progress.update(bar, completed=done)
            if progress.disable:
                lines(done, total)

        outcome = execute(recipe, form, folder, cores, advance)
    return print_json(outcome.facts()) if as_json else _print(outcome)


@app.command()
def pack(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Such as einstein.jsonl.gz; an existing file is replaced.")
    ],
    names: Annotated[list[str], typer.Argument(metavar="STUDY|RECIPE…", help="Such as einstein, or nim/pairing.")],
    quick: Annotated[bool, typer.Option("--quick", help="The measurements of the smaller form.")] = False,
    seed: Seed = 1,
    device: Device = None,
    as_json: AsJson = False,
) -> None:
    """Write what has been measured for recipes into one file, so that it is known on another machine."""
    from spielwerk.studies.device import form_here
    from spielwerk.studies.packing import pack as write
    from spielwerk.studies.registry import recipes_of

    found = [recipe for name in names for recipe in recipes_of(name)]
    count = write({recipe: form_here(recipe, quick, seed, device) for recipe in found}, file)
    if as_json:
        return print_json({"file": str(file), "measurements": count})
    return print(f"{file}: {counted(count, 'measurement')}. To have them there: spielwerk study unpack {file}")


@app.command()
def unpack(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="What `spielwerk study pack` wrote.")],
    as_json: AsJson = False,
) -> None:
    """Add the measurements in files to those of this machine, which stay as they are."""
    from spielwerk.studies.packing import unpack as read

    found = read(files)
    if as_json:
        return print_json(asdict(found))
    other = f", {found.other_version:,} of another version left out" if found.other_version else ""
    return print(f"{counted(found.new, 'new measurement')}, {found.known:,} known before{other}.")


def _announce(recipe: Recipe, form: Form, quick: bool, todo: Todo, cores: int) -> None:
    """Says beforehand what is done, and how long it takes."""
    from spielwerk.studies.recipe import TWO_CORES, duration

    say = Console(stderr=True, highlight=False, soft_wrap=True).print
    if quick:
        say(f"Quick form: {escape(recipe.less or 'the same as the full one')}.")
    elif form.scale == TWO_CORES:
        say(f"Full form without a GPU: {escape(recipe.without_gpu)}.")
    if todo.missing:
        known = len(todo.jobs) - len(todo.missing)
        before = f" ({known:,} more are known)" if known else ""
        takes = f"about {duration(todo.seconds)} on {counted(cores, 'core')}"
        say(f"{counted(len(todo.missing), 'measurement')} to make{before}: {takes}. Ctrl-C keeps what is finished.")


def _print(outcome: Outcome) -> None:
    from spielwerk.studies.recipe import TWO_CORES
    from spielwerk.studies.report import SPARE, cells, heads

    recipe, form = outcome.recipe, outcome.form
    full = "full form" if recipe.less else "quick and full form are the same"
    full += f" without a GPU: {recipe.without_gpu}" if form.scale == TWO_CORES else ""
    kind = f"quick form: {recipe.less}" if form.quick else full
    source = f"{recipe.section}; " if recipe.section else ""
    print(f"{recipe.name}: {recipe.about} ({source}{kind}; seed {form.seed})")
    rows = outcome.report.rows
    print_table(heads(rows), [[escape(text) for text in cells(row)] for row in rows], SPARE, text=TEXT)
    for note in outcome.report.notes:
        print(f"\n{note}" if note.endswith("?") else f"- {note}")
    for file in outcome.plots:
        print(f"Plot: {file}")
    print(f"Report: {outcome.file}")

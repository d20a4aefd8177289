"""The commands about training runs: listing, showing, comparing, resuming, deleting."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from spielwerk.arena.measurement import RATE, is_main, value_text
from spielwerk.commands.shared import completion
from spielwerk.commands.shared.options import AsJson, Theme
from spielwerk.commands.shared.output import print_json, print_table, width, write
from spielwerk.commands.shared.run_figures import print_measurements, print_settings_of, report
from spielwerk.commands.shared.train_progress import Device, SaveEvery, Threads, train_with_progress
from spielwerk.learn.config import DEFAULT_SAVE
from spielwerk.names import BadInput, printable

app = typer.Typer(help="List training runs, compare them, resume them, delete them.")
RunName = Annotated[
    str, typer.Argument(metavar="NAME", autocompletion=completion.runs, help="A run; `spielwerk runs` lists them.")
]
TRAINED = ">trained"  # episodes, generations, or both
COLUMNS = ("run", "game", TRAINED, "now", ">seeds", ">rate", "against", "more figures")
COLUMNS += (">size", "kind", "began (UTC)")
SPARE = (["began (UTC)"], ["kind"], [">seeds"], ["more figures"], ["now"], [">size"], ["against", ">rate"])
WHOLE = ("run", "game")  # columns whose texts are not broken


@app.callback(invoke_without_command=True)
def runs(context: typer.Context, as_json: AsJson = False) -> None:
    """List training runs, compare them, resume them, delete them."""
    if context.invoked_subcommand is None:
        list_(as_json)


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the training runs."""
    from spielwerk.api.runs import facts_of_runs
    from spielwerk.learn.registry import length_name

    listed = facts_of_runs()
    if as_json:
        return print_json({"runs": listed})
    if not listed:
        return print("There is no training run yet; to begin one: spielwerk train td einstein:board=4")
    counted = {length_name(one["kind"]) for one in listed if "kind" in one}
    same = f">{counted.pop()}" if len(counted) == 1 else TRAINED
    print_table([same if name == TRAINED else name for name in COLUMNS], map(_row, listed), SPARE, WHOLE)
    for one in listed:
        if "problem" in one:
            print(f"{one['run']}: {one['problem']}")
    return None


@app.command()
def show(
    name: RunName,
    all_: Annotated[bool, typer.Option("--all", help="Print all settings, as TOML.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the last figures of a run, each measurement, and the settings that differ from their defaults."""
    from spielwerk.api.runs import run as opened
    from spielwerk.learn.runs import CONFIG

    result = opened(name)
    run = result.run
    if as_json:
        return print_json(result.all_facts())
    report(result, as_json=False)
    print_measurements(result)
    if all_:
        return print("\n".join(map(printable, (run.folder / CONFIG).read_text(encoding="utf-8").rstrip().split("\n"))))
    return print_settings_of(result)


@app.command()
def compare(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME…", autocompletion=completion.runs, help="Two or more runs.")
    ],
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the curves, as .png or .svg.")] = None,
    theme: Theme = "light",
    as_json: AsJson = False,
) -> None:
    """Compare the figures of runs of one game, with intervals, and the settings in which they differ.

    --plot draws their curves into one picture.
    """
    from spielwerk.api.compare import compare as compared
    from spielwerk.arena.plots import save

    found = compared(*names)
    if plot:
        save(found.plot, plot, theme)
    if as_json:
        return print_json(found.facts() | {"curves": str(plot) if plot else None})
    heads, rows = found.table()
    print_table(list(map(escape, heads)), [list(map(escape, row)) for row in rows])
    return print("95 % intervals." + (f" {plot} shows the curves." if plot else ""))


@app.command()
def curves(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME…", autocompletion=completion.runs, help="A run, or several of one game."),
    ],
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The .png or .svg to draw. Default: the run's curves.png.")
    ] = None,
    theme: Theme = "light",
    as_json: AsJson = False,
) -> None:
    """Draw the learning curves of runs: strength, losses, step sizes, lengths of games, speed."""
    from spielwerk.api.compare import side_by_side
    from spielwerk.api.runs import run
    from spielwerk.arena.plots import save

    if plot is None and len(names) > 1:
        raise BadInput("Curves of several runs are drawn into one file: add --plot FILE.")
    path = plot or run(names[0]).run.curves
    save((side_by_side(names) if len(names) > 1 else run(names[0])).plot, path, theme)
    return print_json({"runs": names, "curves": str(path)}) if as_json else print(f"{path} shows the curves.")


@app.command()
def metrics(
    name: RunName,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write the metrics as CSV; - prints them.")
    ] = None,
    tensorboard: Annotated[
        Path | None, typer.Option("--tensorboard", metavar="FOLDER", help="Write event files that TensorBoard reads.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a run has logged and measured, or write it for other programs: CSV, TensorBoard."""
    from spielwerk.api.runs import run as opened
    from spielwerk.learn.metrics_files import csv_text, rows_of, write_events

    run = opened(name).run
    if csv is None and tensorboard is None:
        return print_json({"run": name, "rows": rows_of(run)}) if as_json else _print_metrics(rows_of(run))
    if csv == "-":
        print(csv_text(run), end="")
    elif csv:
        write(Path(csv), csv_text(run))
    folders = write_events(run, tensorboard) if tensorboard else []
    if as_json:
        return print_json({"run": name, "csv": csv, "tensorboard": [str(folder) for folder in folders]})
    if csv and csv != "-":
        print(f"{csv} has the metrics.")
    return print(f"To look at them: tensorboard --logdir {tensorboard}") if folders else None


@app.command()
def resume(
    name: RunName,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes",
            "--generations",
            metavar="N",
            min=1,
            help="Extend the run to N in all, at its final rates.",
        ),
    ] = None,
    threads: Threads = None,
    device: Device = "cpu",
    save_every: SaveEvery = DEFAULT_SAVE,
    as_json: AsJson = False,
) -> None:
    """Resume a run that was stopped or killed, or extend one that is finished."""
    from spielwerk.api.train import TrainingOptions, resume_run

    options = TrainingOptions(threads, device, save_every)
    train_with_progress(lambda shown: resume_run(name, shown, episodes), options, as_json)


@app.command()
def delete(
    name: RunName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a run: its checkpoints, its measurements and its curves."""
    from spielwerk.learn.runs import check_known
    from spielwerk.learn.runs import delete as remove

    check_known(name)
    if not yes and not _confirmed(name):
        raise typer.Exit(1)
    remove(name)
    return print_json({"deleted": name}) if as_json else print(f"The run {name} is deleted.")


@app.command()
def export(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", autocompletion=completion.runs, help="A run; NAME/2 is seed 2, otherwise the best one."
        ),
    ],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Such as agent.safetensors; the suffix chooses the format.")
    ],
    grade: Annotated[
        str, typer.Option(metavar="WORDS", help="How well it plays, in words. Default: the last evaluation.")
    ] = "",
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            "--generation",
            metavar="N",
            min=0,
            help="An earlier checkpoint, or a champion of evolution. Default: what plays.",
        ),
    ] = None,
    half: Annotated[
        bool, typer.Option("--half", help="Weights of a network in half precision: half the size, all but the same.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the agent of a run to a small file, to play with but not to resume."""
    from spielwerk.learn.export import export as write
    from spielwerk.learn.registry import learner_kind
    from spielwerk.learn.runs import LAST

    about = write(name, file, grade, LAST if at is None else at, half)
    size, kind = file.stat().st_size, learner_kind(about["kind"])
    if as_json:
        return print_json({"file": str(file), "bytes": size, **about})
    earlier = f"the champion of generation {at}" if kind.earlier else f"after {at} {kind.length}"
    print(f"{file}: {size:,} bytes{'' if at is None else f', {earlier}'}. {about['grade']}".rstrip())
    return print(f"To play with it: {kind.name}:{file}") if file.suffix in kind.played else None


@app.command()
def pack(
    name: RunName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as run.zip; an existing file is replaced.")],
    without_replay: Annotated[
        bool, typer.Option("--without-replay", help="Leave out the replay buffer, which a resume fills anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a whole run into one file, to resume it on another machine."""
    from spielwerk.learn.packing import pack as write

    size = write(name, file, replay=not without_replay)
    if as_json:
        return print_json({"run": name, "file": str(file), "bytes": size})
    return print(f"{file}: {size:,} bytes. To have the run there: spielwerk runs unpack {file}")


@app.command()
def unpack(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `spielwerk runs pack` wrote.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the run. Default: its old one.")] = "",
    as_json: AsJson = False,
) -> None:
    """Unpack a run from a file."""
    from spielwerk.api.runs import RunResult
    from spielwerk.learn.packing import programs
    from spielwerk.learn.packing import unpack as read

    run = read(file, name)
    if as_json:
        return print_json(RunResult(run).facts())
    for program in programs(run):
        print(f"It is measured against {program}, a program that is started when you resume it.", file=sys.stderr)
    return print(f"The run {run.name} is there; to resume it: spielwerk runs resume {run.name}")


@app.command()
def shipped(as_json: AsJson = False) -> None:
    """List the trained agents that come with the package: how well they play, and how they were made."""
    from spielwerk.learn.shipped import all_shipped

    found = [(one.path.stat().st_size, one.metadata) for one in all_shipped()]
    if as_json:
        return print_json({"agents": [{"bytes": size, **about} for size, about in found]})
    if not found:
        return print("No trained agent comes with this version.")
    for size, about in found:
        print(f"{about['kind']} for {about['game']}, {size:,} bytes")
        print(textwrap.fill(about["grade"], min(width(), 120), initial_indent="  ", subsequent_indent="  "))
        print(f"  made by: {about['command']}   (only seed {about['seed']})")
    return None


def _print_metrics(rows: Sequence[dict[str, Any]]) -> None:
    """The last row of each seed, one figure a line."""
    lasts = {row["seed"]: {} for row in rows}
    for row in rows:
        lasts[row["seed"]] |= row
    names = dict.fromkeys(name for row in rows for name in row if name != "seed")
    if not rows:
        return print("Nothing was logged yet.")
    cells = [[escape(name), *(_metric(last.get(name)) for last in lasts.values())] for name in names]
    print_table(("last of", *(f">seed {seed}" for seed in lasts)), cells)
    return print("All of them: --csv FILE, --tensorboard FOLDER, or --json.")


def _metric(value: float | None) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _confirmed(name: str) -> bool:
    """Whether the user wants a run deleted."""
    from spielwerk.learn.runs import size_of
    from spielwerk.solvers.tables import size_text

    try:
        sure = typer.confirm(f"Delete the run {name} ({size_text(size_of(name))}) permanently?", err=True)
    except (typer.Abort, RuntimeError):  # nobody is there to answer
        print("\nNot deleted; --yes does not ask.", file=sys.stderr)
        return False
    if not sure:
        print("Kept.", file=sys.stderr)
    return sure


def _row(fact: dict[str, Any]) -> list[str]:
    from spielwerk.solvers.tables import size_text

    if "problem" in fact:
        return [fact["run"], "cannot be read", *[""] * (len(COLUMNS) - 2)]
    main = {what: one["value"] for what, one in fact["figures"].items() if is_main(what)}
    first = next((what for what in main if what.startswith(RATE)), "")
    more = (f"{_short(what)} {value_text(what, value)}" for what, value in main.items() if what != first)
    figures = [value_text(first, main[first]) if first else "", escape(_short(first)), escape(" · ".join(more))]
    about = [fact["run"], escape(fact["game"]), _progress(fact), "running" if fact["running"] else ""]
    began = fact["started"][:16].replace("T", " ")
    return [*about, str(len(fact["seeds"])), *figures, size_text(fact["size"]), fact["kind"], began]


def _short(what: str) -> str:
    """An opponent without its settings, or the regret."""
    return what.removeprefix(RATE).partition(":")[0]


def _progress(fact: dict[str, Any]) -> str:
    """Such as 3M, or 457k of 3M where that is the mean of what the seeds have done."""
    from spielwerk.learn.figures import count_text

    planned = count_text(fact["episodes"])
    done = count_text(sum(fact["done"].values()) // len(fact["seeds"]))
    return planned if fact["finished"] else f"{done} of {planned}"

"""The commands about training runs: listing, showing, comparing, going on, deleting."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from spielwerk.arena.measurement import RATE, is_main, value_text
from spielwerk.commands.figures import facts, print_measurements, report
from spielwerk.commands.shared import AsJson, counted, print_json, print_table
from spielwerk.commands.training import DEFAULT_SAVE, SaveEvery, Threads, carry_on, prepare
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.learn.runs import Run

app = typer.Typer(help="List training runs, compare them, go on with them, delete them.")
RunName = Annotated[str, typer.Argument(metavar="NAME", help="A run; `spielwerk runs` lists them.")]
SPARE = (["began (UTC)"], [">size"], ["kind"])


@app.callback(invoke_without_command=True)
def runs(context: typer.Context, as_json: AsJson = False) -> None:
    """List training runs, compare them, go on with them, delete them."""
    if context.invoked_subcommand is None:
        list_(as_json)


@app.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """List the training runs."""
    from spielwerk.learn.runs import names_of_runs

    listed = [_listed(name) for name in names_of_runs()]
    if as_json:
        return print_json({"runs": listed})
    if not listed:
        return print("There is no training run yet; to begin one: spielwerk train td einstein:board=4")
    columns = ("run", "kind", "game", ">seeds", ">episodes", "last figures", ">size", "began (UTC)", "note")
    print_table(columns, map(_row, listed), spare=SPARE)
    for one in listed:
        if "problem" in one:
            print(f"{one['run']}: {one['problem']}")
    return None


@app.command()
def show(name: RunName, as_json: AsJson = False) -> None:
    """Show the settings of a run, each measurement, and the last figures of each seed."""
    from spielwerk.learn.runs import RECIPE, open_run

    run = open_run(name)
    if as_json:
        measured = [{"seed": seed, **one.facts()} for seed in run.recipe.seeds for one in run.measurements(seed)]
        return print_json(facts(run) | {"measurements": measured})
    print((run.folder / RECIPE).read_text(encoding="utf-8").rstrip())
    print_measurements(run)
    return report(run, as_json=False)


@app.command()
def compare(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Two or more runs.")],
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the curves, as .png or .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the figures of runs of one game, with intervals; --plot draws their curves into one picture."""
    from spielwerk.learn.curves import curve_plot
    from spielwerk.learn.figures import figures

    compared = _compared(names)
    found = {run.name: figures(run) for run in compared}
    kinds = list(dict.fromkeys(what for ones in found.values() for what in ones))
    if not kinds:
        raise BadInput(f"Nothing was measured yet of {', '.join(names)}.")
    if plot:
        curve_plot(compared, compared[0].recipe.game, plot)
    if as_json:
        return print_json({"runs": [facts(run) for run in compared], "curves": str(plot) if plot else None})
    rows = [[escape(what), *(ones[what].text if what in ones else "" for ones in found.values())] for what in kinds]
    about = [f"{run.recipe.kind} in {run.recipe.game}, {counted(len(run.recipe.seeds), 'seed')}" for run in compared]
    print_table(("", *(f">{name}" for name in names)), [["", *map(escape, about)], *rows])
    return print("95 % intervals." + (f" {plot} shows the curves." if plot else ""))


@app.command()
def resume(
    name: RunName, threads: Threads = None, save_every: SaveEvery = DEFAULT_SAVE, as_json: AsJson = False
) -> None:
    """Go on with a run that was stopped or killed; it ends just as if it had not been."""
    from spielwerk.learn.runs import open_run

    run = open_run(name)
    if all(run.finished(seed) for seed in run.recipe.seeds):
        raise BadInput(
            f"The run {name} is finished; its settings are planned for {run.recipe.episodes:,} episodes, so that "
            "more of them need a new run."
        )
    carry_on(run, prepare(run.recipe, threads, run.kept()), threads, save_every, as_json)


@app.command()
def delete(
    name: RunName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a run: its checkpoints, its measurements and its curves."""
    from spielwerk.learn.runs import check_known
    from spielwerk.learn.runs import delete as remove

    check_known(name)
    if not yes and not typer.confirm(f"Delete the run {name} for ever?", err=True):
        print("Kept.", file=sys.stderr)
        raise typer.Exit(1)
    remove(name)
    return print_json({"deleted": name}) if as_json else print(f"The run {name} is deleted.")


@app.command()
def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A run; NAME/2 is seed 2, otherwise the best one.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as agent.safetensors.")],
    grade: Annotated[str, typer.Option(help="How well it plays. Default: what was measured last.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write the agent of a run into a small file, with which one can play but not learn on."""
    from spielwerk.learn.export import export as write
    from spielwerk.learn.shipped import SUFFIX

    if file.suffix != SUFFIX:
        raise BadInput(f"{file}: the name of such a file ends in {SUFFIX}.")
    about = write(name, file, grade).metadata
    size = file.stat().st_size
    if as_json:
        return print_json({"file": str(file), "bytes": size, **about})
    return print(f"{file}: {size:,} bytes. {about['grade']}\nTo play with it: td:{file}")


@app.command()
def shipped(as_json: AsJson = False) -> None:
    """List the trained agents that come with the package: how well they play, and how they were made."""
    from spielwerk.learn.shipped import all_shipped

    found = [(one.path.stat().st_size, one.metadata) for one in all_shipped()]
    if as_json:
        return print_json({"agents": [{"bytes": size, **about} for size, about in found]})
    if not found:
        return print("No trained agent comes with this version.")
    rows = (
        [about["kind"], escape(about["game"]), f"{size:,}", escape(about["grade"]), escape(about["command"])]
        for size, about in found
    )
    return print_table(("agent", "game", ">bytes", "grade", "made by"), rows)


def _compared(names: list[str]) -> list[Run]:
    """Runs that can be compared."""
    from spielwerk.learn.runs import open_run

    if len(set(names)) < max(2, len(names)):
        raise BadInput("Name two or more different runs.")
    found = [open_run(name) for name in names]
    other = next((run for run in found if run.recipe.game != found[0].recipe.game), None)
    if other:
        raise BadInput(
            f"Figures of different games cannot be compared: {found[0].name} is a run of {found[0].recipe.game}, "
            f"{other.name} one of {other.recipe.game}."
        )
    return found


def _listed(name: str) -> dict[str, Any]:
    """What is listed of a run; one that cannot be read says why."""
    from spielwerk.learn.runs import in_use, open_run

    try:
        found = facts(open_run(name))
    except BadInput as problem:
        return {"run": name, "problem": str(problem)}
    return found | {"running": in_use(name)}


def _row(fact: dict[str, Any]) -> list[str]:
    from spielwerk.solve.tables import size_text

    if "problem" in fact:
        return [fact["run"], *[""] * 7, "cannot be read"]
    mean = sum(fact["done"].values()) / len(fact["seeds"])
    episodes = f"{fact['episodes']:,}" if fact["finished"] else f"{mean:,.0f}/{fact['episodes']:,}"
    main = {what: one["value"] for what, one in fact["figures"].items() if is_main(what)}
    shown = " · ".join(f"{what.removeprefix(RATE)} {value_text(what, value)}" for what, value in main.items())
    note = "" if fact["finished"] else "running" if fact["running"] else "not finished"
    began = fact["started"][:16].replace("T", " ")
    about = [fact["run"], fact["kind"], escape(fact["game"]), str(len(fact["seeds"])), episodes]
    return [*about, escape(shown), size_text(fact["size"]), began, note]

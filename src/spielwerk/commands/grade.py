"""The command `grade`: an agent against the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from spielwerk.arena.figures import counted
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, GameName, Seed, Theme
from spielwerk.commands.shared.output import print_json, print_table

if TYPE_CHECKING:
    from spielwerk.arena.grading.examination import ExamReport

app = typer.Typer()


@app.command(rich_help_panel=panels.MEASURE)
def grade(
    name: GameName,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", autocompletion=completion.agents, help="Such as alphabeta:depth=6.")
    ],
    positions: Annotated[
        str, typer.Option(metavar="SOURCE", help="Positions to grade on: own (games), random, public, or all.")
    ] = "all",
    decisions: Annotated[
        int | None,
        typer.Option(
            "--decisions",
            "--limit",
            metavar="N",
            min=1,
            help="Decisions to grade. Default: 2000; with --judged, the whole file.",
        ),
    ] = None,
    knows: Annotated[
        str, typer.Option(metavar="SETTINGS", help="Settings of the game's oracle, such as stones=5.")
    ] = "",
    judged: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of judged positions, instead of the oracle.")
    ] = None,
    seed: Seed = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the grade, as .png or .svg.")] = None,
    theme: Theme = "light",
    as_json: AsJson = False,
) -> None:
    """Grade an agent: how often it chooses one of the best moves, and what the others cost."""
    from spielwerk.api.grade import DECISIONS
    from spielwerk.api.grade import grade as graded
    from spielwerk.arena.plots import check_path, save

    if plot:
        check_path(plot)
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        finding = progress.add_task("reading" if judged else "finding positions", total=decisions or DECISIONS)
        bar = progress.add_task(escape(agent), total=decisions or DECISIONS)
        found = graded(
            name,
            agent,
            positions=positions,
            decisions=decisions,
            knows=knows,
            judged=judged,
            seed=seed,
            found=lambda count: progress.update(finding, completed=count),
            callback=lambda count: progress.update(bar, completed=count),
        )
    if plot:
        save(found.plot, plot, theme)
        print(f"The plot is in {plot}.", file=sys.stderr)
    if as_json:
        return print_json(found.facts())
    count = found.report.whole.decisions
    print(f"{found.agent} in {counted(count, 'decision')} of {found.game.name}{_passed_over(found.report)}")
    if found.asked is not None and count < found.asked:
        print(f"Fewer than the {found.asked:,} asked for: the oracle does not know any others that were found.")
    if found.illegal is not None:
        print(f"It does not know the rules: {100 * found.illegal:.3g} % of its choices were illegal, and replaced.")
    return print_table(*found.table(), spare=[[">by chance"]])


def _passed_over(report: ExamReport) -> str:
    """What the oracle did not know, in words."""
    return "" if report.known == 1 else f" (the oracle knew {100 * report.known:.1f} % of those looked at)"

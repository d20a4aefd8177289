"""The command `grade`: an agent against the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from spielwerk import names
from spielwerk.commands.shared import AsJson, GameName, Seed, counted, print_json, print_table

if TYPE_CHECKING:
    from spielwerk.arena.agent import Agent
    from spielwerk.arena.grading.examination import Examination, ExamReport
    from spielwerk.arena.grading.grade import Grade
    from spielwerk.arena.matches.statistics import Interval
    from spielwerk.games.game import Game

app = typer.Typer()
DECISIONS = 2000
COLUMNS = ("", ">decisions", ">best class", ">perfect", ">loss a decision", ">mEMG", ">by chance")


@app.command()
def grade(
    name: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Such as alphabeta:depth=6.")],
    positions: Annotated[str, typer.Option(help="Where they come from: own (games), random, public, or all.")] = "all",
    decisions: Annotated[
        int | None,
        typer.Option("--decisions", "--limit", min=1, help="How many. Default: 2000; with --judged, the whole file."),
    ] = None,
    knows: Annotated[str, typer.Option(help="Settings of the game's oracle, such as stones=5.")] = "",
    judged: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead: positions whose turns all have an exact value.")
    ] = None,
    seed: Seed = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the grade, as .png or .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Grade an agent: how often it chooses one of the best moves, and what the others cost."""
    from spielwerk.agents.registry import agent as agent_of
    from spielwerk.arena.grading.grade_plot import grade_plot
    from spielwerk.arena.plots import check_path
    from spielwerk.games.registry import game

    if plot:
        check_path(plot)
    variant = game(name)
    chooser = agent_of(agent, variant)
    try:
        chooser.ready()
        screen = Console(stderr=True)
        with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
            if judged:
                exam = _from_file(variant, judged, decisions or 0, progress)
            else:
                exam = _from_oracle(chooser, positions, decisions or DECISIONS, knows, seed, progress)
            bar = progress.add_task(escape(chooser.name), total=len(exam.questions))
            report = exam.examine(chooser, seed, lambda done: progress.update(bar, completed=done))
    finally:
        chooser.close()
    if plot:
        grade_plot(report, f"{chooser.name} in {variant.name}", plot)
        print(f"The plot is in {plot}.", file=sys.stderr)
    if as_json:
        return print_json({"game": variant.name, "agent": chooser.name, "seed": seed, **report.facts()})
    print(f"{chooser.name} in {counted(report.whole.decisions, 'decision')} of {variant.name}{_passed_over(report)}")
    if not judged and report.whole.decisions < (decisions or DECISIONS):
        print(f"Fewer than the {decisions or DECISIONS:,} asked for: more that the oracle knows were not found.")
    rows = [_row(label, part) for group in report.groups() for label, part in group]
    return print_table(COLUMNS, rows, spare=[[">by chance"]])


def _from_file(game: Game, path: Path, limit: int, progress: Progress) -> Examination:
    """The positions of a file."""
    from spielwerk.arena.grading.examination import judged_examination
    from spielwerk.arena.grading.judged import questions

    reads = questions(game, path, limit)
    return judged_examination([read() for read in progress.track(reads, description="reading")])


def _from_oracle(
    agent: Agent, positions: str, decisions: int, knows: str, seed: int, progress: Progress
) -> Examination:
    """Positions whose truth the game's oracle knows."""
    from spielwerk.arena.grading.examination import SOURCES, examination
    from spielwerk.solve.oracle import oracle

    if positions not in (*SOURCES, "all"):
        raise names.unknown("Positions cannot come from", positions, (*SOURCES, "all"), "Possible")
    known = oracle(agent.game, **names.split(f"oracle:{knows}")[1])
    bar = progress.add_task("finding positions", total=decisions)
    sources = list(SOURCES) if positions == "all" else [positions]
    return examination(known, sources, decisions, seed, agent, lambda done: progress.update(bar, completed=done))


def _passed_over(report: ExamReport) -> str:
    """What the oracle did not know, in words."""
    return "" if report.known == 1 else f" (the oracle knew {100 * report.known:.1f} % of those looked at)"


def _row(label: str, part: Grade) -> list[str]:
    classes = "" if part.best_class is None else _share(part.best_class, part.best_class_interval)
    low, high = part.loss_interval
    loss = f"{part.loss:.4f} ({low:.4f} to {high:.4f})"
    memg = "" if part.memg is None else f"{part.memg:.1f}"
    perfect = _share(part.perfect, part.perfect_interval)
    return [label, f"{part.decisions:,}", classes, perfect, loss, memg, f"{100 * part.chance:.1f} %"]


def _share(share: float, interval: Interval | None) -> str:
    low, high = interval or (share, share)
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"

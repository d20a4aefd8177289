"""The command `grade`: an agent against the truth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from spielwerk.commands.shared import AsJson, GameName, Seed, print_json, print_table

if TYPE_CHECKING:
    from spielwerk.arena.grade import Grade
    from spielwerk.arena.statistics import Interval

app = typer.Typer()


@app.command()
def grade(
    name: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Such as alphabeta:depth=6.")],
    judged: Annotated[Path, typer.Option(metavar="FILE", help="Positions whose turns all have an exact value.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many positions, spread over the file.")] = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Grade an agent: how often it chooses one of the best moves, and what the others cost."""
    from spielwerk.agents.registry import agent as agent_of
    from spielwerk.arena.grade import answers, by_phase
    from spielwerk.arena.grade import grade as graded
    from spielwerk.arena.judged import questions
    from spielwerk.games.registry import game

    variant = game(name)
    chooser = agent_of(agent, variant)
    try:
        screen = Console(stderr=True)
        with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
            asked = [read() for read in progress.track(questions(variant, judged, limit or 0), description="reading")]
            bar = progress.add_task(chooser.name, total=len(asked))
            ends = answers(chooser, asked, seed, lambda done: progress.update(bar, completed=done))
    finally:
        chooser.close()
    whole, phases = graded(asked, ends), dict(by_phase(asked, ends))
    if as_json:
        facts = {"game": variant.name, "agent": chooser.name, "seed": seed, **whole.facts()}
        return print_json(facts | {"phases": {phase: part.facts() for phase, part in phases.items()}})
    print(f"{chooser.name} in {whole.decisions:,} judged positions of {variant.name}")
    rows = [_row(phase, part) for phase, part in (*phases.items(), ("all", whole))]
    return print_table(("", ">decisions", ">best class", ">perfect", ">loss a decision", ">by chance"), rows)


def _row(phase: str, part: Grade) -> list[str]:
    shares = [_share(part.best_class, part.best_class_interval), _share(part.perfect, part.perfect_interval)]
    low, high = part.loss_interval
    loss = f"{part.loss:.4f} ({low:.4f} to {high:.4f})"
    return [phase, f"{part.decisions:,}", *shares, loss, f"{100 * part.chance:.1f} %"]


def _share(share: float, interval: Interval) -> str:
    low, high = interval
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"

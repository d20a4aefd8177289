"""The command `match`: two agents, many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spielwerk.arena.figures import percent
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, Seed
from spielwerk.commands.shared.output import print_json
from spielwerk.commands.shared.stopping import NOTHING, if_stopped
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.api.match import MatchResult
    from spielwerk.arena.playing.plan import Plan

app = typer.Typer()
SHOWN = 3  # forfeits that are named
MOST_GAMES = 50_000_000
LONGEST, BAR = 12, 20  # letters of an agent's name beside the progress bar, and of the bar


@app.command(rich_help_panel=panels.MEASURE)
def match(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", autocompletion=completion.games, help="Such as morris, or einstein:board=4."),
    ] = None,
    first: Annotated[
        str | None,
        typer.Argument(metavar="A", autocompletion=completion.agents, help="An agent, such as mcts:iterations=500."),
    ] = None,
    second: Annotated[
        str | None, typer.Argument(metavar="B", autocompletion=completion.agents, help="Its opponent, such as random.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, max=MOST_GAMES, help="Games to play.")
    ] = 1000,
    seed: Seed = 1,
    seating: Annotated[
        str, typer.Option(metavar="teams|mixed", help="With more than two players: A has a team, or one seat (mixed).")
    ] = "teams",
    opening: Annotated[int, typer.Option(min=0, metavar="N", help="Random turns at the beginning of each game.")] = 0,
    processes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes to use. Default: one for each core.")
    ] = None,
    records: Annotated[
        bool | None, typer.Option(help="Keep the moves. Default: in matches below 10,000 games.")
    ] = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Stop as soon as a sequential test (SPRT) decides.")
    ] = None,
    resume: Annotated[int | None, typer.Option(metavar="MATCH", help="Resume a match that was stopped.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two agents with balanced seats, and store it."""
    from spielwerk.api.match import match as play
    from spielwerk.api.match import resume_match
    from spielwerk.arena.records.store import Store

    for option in ("games", "seed", "seating", "opening"):
        given = context.get_parameter_source(option)
        if resume is not None and given is not None and given.name != "DEFAULT":
            raise BadInput(f"Match {resume} is resumed with the settings it began with; leave out --{option}.")
    if resume is not None and name:
        raise BadInput(f"Match {resume} is resumed with its own game and agents; leave them out.")
    if_stopped(NOTHING)  # before the match has a number
    with Store() as store, _progress() as progress:
        bar = progress.add_task("getting ready", total=None, stands="")

        def show(plan: Plan, number: int) -> None:
            if_stopped(f"What was played is kept; to resume: spielwerk match --resume {number}")
            progress.update(bar, description=" · ".join(map(_short, plan.agents)), total=plan.games)
            first_agent.append(_short(plan.agents[0]))

        def played_so_far(done: int, rate: float) -> None:
            progress.update(bar, completed=done, stands=standing(first_agent[0], rate))

        first_agent: list[str] = []
        options: dict[str, Any] = {
            "processes": processes,
            "records": records,
            "sprt": sprt,
            "begun": show,
            "callback": played_so_far,
        }
        if resume is not None:
            played = resume_match(store, resume, **options)
        elif name is None or first is None or second is None:
            raise BadInput("Name a game and two agents, such as: spielwerk match morris mcts random.")
        else:
            terms: dict[str, Any] = {"games": games, "seed": seed, "seating": seating, "opening": opening}
            played = play(name, first, second, **terms, store=store, **options)
    if as_json:
        return print_json(played.facts())
    print(_report(played))
    return print(played.test.words(played.match.verdict)) if played.test else None


def standing(first: str, rate: float) -> str:
    """What the progress of a match says: the rate of the first agent so far."""
    return f"games, rate of {first} {percent(rate)}"


def _progress() -> Progress:
    screen, stands = Console(stderr=True), TextColumn("{task.fields[stands]}", markup=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(BAR), MofNCompleteColumn(), stands)
    return Progress(*columns, TimeRemainingColumn(), console=screen, transient=True, disable=not screen.is_terminal)


def _short(agent: str) -> str:
    return agent.partition(":")[0][:LONGEST]


def _report(result: MatchResult) -> str:
    """The figures for people, and the command that shows a game."""
    played, (_, rows) = result.match, result.table()
    wide = max(len(label) for label, _ in rows)
    lines = [result.title, *(f"  {label:<{wide}}  {figures}" for label, figures in rows)]
    for number, (_, reason) in sorted(played.faults.items())[:SHOWN]:
        lines.append(f"  game {number} was forfeited: {reason}")
    if len(played.faults) > SHOWN:
        lines.append(f"  … {len(played.faults)} games were forfeited in all")
    if played.repeats:
        lines.append("  Nothing is random here: these are all the different games.")
    return "\n".join([*lines, f"Match {played.number}. Look at a game: spielwerk replay {played.number} 0"])

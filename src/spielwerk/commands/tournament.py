"""Commands that rate agents: tournaments, and the ladder of all stored matches."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from spielwerk.commands.shared import (
    AsJson,
    GameName,
    Seed,
    check_ready,
    counted,
    percent,
    print_json,
    print_table,
    width,
)
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.matches.ratings import Rating
    from spielwerk.arena.matches.tournament import Tournament
    from spielwerk.arena.records.store import Store

app = typer.Typer()
WIDEST = 16  # agents of a cross table that is printed
CELL = 8  # letters of a rate in it, with the space around it
SPARE = (("last match (UTC)",), (">wins", ">draws", ">losses"))  # what a narrow terminal can do without
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratings, as .png or .svg.")]


@app.command()
def tournament(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Such as morris, or einstein:board=4.")] = None,
    agents: Annotated[list[str] | None, typer.Argument(metavar="AGENT…", help="Two or more, such as random.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games of each pair.")] = 100,
    seed: Seed = 1,
    swiss: Annotated[int, typer.Option(min=0, metavar="ROUNDS", help="Swiss rounds; default: all pairs.")] = 0,
    processes: Annotated[int | None, typer.Option(min=1, help="Default: one for each core.")] = None,
    resume: Annotated[int | None, typer.Option(metavar="NUMBER", help="Go on with a tournament.")] = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play each other, and rate them."""
    from spielwerk.arena.plots import check_path
    from spielwerk.arena.records.store import Store

    if plot:
        check_path(plot)
    if resume is not None and name:
        raise BadInput(f"Tournament {resume} goes on with its own game and agents; name none.")
    with Store() as store:
        number = _begin(store, name, agents or [], games, seed, swiss) if resume is None else resume
        played = _run(store, number, processes or os.cpu_count() or 1)
    rated = played.ratings()
    facts: dict[str, Any] = played.facts() | {"tournament": number}
    if plot:
        _plot(rated, f"{facts['game']} · {counted(facts['games'], 'game')}", plot)
    if as_json:
        return print_json(facts)
    _print_ratings(rated)
    _print_cross(facts["cross"], played.game.sides > 2)
    return print(f"Tournament {number}, {counted(facts['games'], 'game')}.{_drawn(plot)}")


@app.command()
def ladder(name: GameName, plot: Plot = None, as_json: AsJson = False) -> None:
    """Rate all agents that have played a game, from every stored match of that variant."""
    from spielwerk.arena.matches.ladder import ladder as standing
    from spielwerk.arena.plots import check_path
    from spielwerk.arena.records.store import Store
    from spielwerk.games.registry import game

    if plot:
        check_path(plot)
    variant = game(name)
    with Store() as store:
        places = standing(store, variant)
    total = sum(place.rating.games for place in places) // 2
    if plot:
        _plot([place.rating for place in places], f"{variant.name} · {counted(total, 'game')}", plot)
    if as_json:
        return print_json({"game": variant.name, "games": total, "ratings": [place.facts() for place in places]})
    if not places:
        return print(f"No match of {variant.name} between two agents is stored yet.")
    _print_ratings([place.rating for place in places], {one.rating.agent: one.last_played for one in places})
    return print(_drawn(plot).strip()) if plot else None


def _begin(store: Store, name: str | None, given: Sequence[str], games: int, seed: int, rounds: int) -> int:
    """The number of a new tournament, whose agents have been checked."""
    from spielwerk.agents.registry import agent
    from spielwerk.arena.matches.stored_tournament import begin_tournament
    from spielwerk.arena.matches.tournament import Terms
    from spielwerk.games.registry import game

    if name is None:
        raise BadInput("Name a game and at least two agents, such as: spielwerk tournament nim random mc.")
    variant = game(name)
    made = [agent(text, variant) for text in given]
    terms = Terms(variant.name, tuple(one.name for one in made), games, seed, rounds)
    check_ready(made)
    return begin_tournament(store, terms)


def _run(store: Store, number: int, processes: int) -> Tournament:
    """Plays the games that are left, with a progress bar; after Ctrl-C it says how to go on."""
    from rich.progress import Progress

    from spielwerk.agents.registry import agent
    from spielwerk.arena.matches.stored_tournament import stored_tournament

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task("games")
        tournament = stored_tournament(
            store, number, agent, processes, lambda games: progress.update(bar, completed=games)
        )
        progress.update(bar, total=tournament.games)
        try:
            tournament.run()
        except KeyboardInterrupt:
            progress.stop()
            print(f"Stopped. Go on with: spielwerk tournament --resume {number}", file=sys.stderr)
            raise typer.Exit(1) from None
    store.finish_tournament(number)
    return tournament


def _plot(rated: Sequence[Rating], title: str, path: Path) -> None:
    """Draws the ratings; where some agents have never met the others, those of the first table."""
    from spielwerk.arena.plots import rating_plot

    if not rated:
        raise BadInput("There is no match to draw ratings from.")
    rating_plot([rating for rating in rated if rating.anchor == rated[0].anchor], title, path)


def _drawn(path: Path | None) -> str:
    return f" {path} shows the ratings." if path else ""


def _print_ratings(rated: Sequence[Rating], last_played: Mapping[str, str] | None = None) -> None:
    """A table for each group of agents that have met."""
    times = last_played or {}
    columns = ("agent", ">Elo", "", ">games", ">wins", ">draws", ">losses", ">rate", "last match (UTC)")
    anchors = list(dict.fromkeys(rating.anchor for rating in rated))
    for anchor in anchors:
        print_table(columns, (_row(rating, times) for rating in rated if rating.anchor == anchor), SPARE)
        print(_anchored(anchor, len(anchors) > 1))


def _row(rating: Rating, times: Mapping[str, str]) -> list[str]:
    counts = (rating.games, rating.wins, rating.draws, rating.losses)
    half = rating.interval[1] - rating.rating
    figures = [f"{rating.rating:.0f}", f"± {half:.0f}" if half else "", *(f"{count:,}" for count in counts)]
    time = times.get(rating.agent, "")[:16].replace("T", " ")
    return [escape(rating.agent), *figures, percent(rating.rate), time]


def _anchored(anchor: str, apart: bool) -> str:
    """What the Elo figures of a table are measured from."""
    words = f"Elo above {anchor}" if anchor == "random" else f"Elo above {anchor}, the lowest; random did not play"
    others = "; no match joins these agents with those of another table" if apart else ""
    return f"{words}; 95 % intervals{others}."


def _print_cross(rates: Mapping[str, Mapping[str, float]], single: bool) -> None:
    """The cross table; `single` says that more than two teams play, of which the row has one."""
    if len(rates) > min(WIDEST, width() // CELL - 3):
        return print(f"With --json there is a cross table; {len(rates)} agents are too many to print it.")
    numbers = [str(i) for i in range(1, len(rates) + 1)]
    cells = [[f"{100 * row[column]:.1f}" if column in row else "·" for column in rates] for row in rates.values()]
    named = ([number, escape(agent), *row] for number, agent, row in zip(numbers, rates, cells, strict=True))
    print_table((">", "rate in % against", *(f">{number}" for number in numbers)), named)
    return print("The row plays one team, the column all others." if single else "", end="\n" if single else "")

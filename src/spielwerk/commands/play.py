"""Commands for people who play: playing, the games played, and reviewing them."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, Place, Seed, position_of
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.learn.config import MOST_SEED
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.records.played import KeptGame
    from spielwerk.terminal.game import TerminalGame

app = typer.Typer()
HUMAN = "human"
Resume = Annotated[str, typer.Option(metavar="NUMBER", help="Resume an unfinished game: its number, or last.")]


@app.command(rich_help_panel=panels.PLAY)
def play(
    name: Annotated[
        str, typer.Argument(metavar="[GAME]", autocompletion=completion.games, help="Such as morris.")
    ] = "",
    position: Place = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="AGENT", autocompletion=completion.opponents, help="Opponent, such as mcts; human: people only."
        ),
    ] = HUMAN,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat against the agent, from 0.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=MOST_SEED, help="Seed of the dice. Default: a new one each time."),
    ] = None,
    resume: Resume = "",
) -> None:
    """Play in the terminal: people against each other, or one against an agent. Every game is kept."""
    from spielwerk.arena.records.played import PlayedGames

    if resume and (name or against != HUMAN or seat or seed is not None):
        raise BadInput("A game is resumed as it was: --resume takes no game, opponent, seat or seed.")
    if not name and not resume:
        raise BadInput("Name a game to play, such as: spielwerk play morris; or resume one: --resume last.")
    seed = int.from_bytes(os.urandom(3)) if seed is None else seed
    with PlayedGames() as games, ExitStack() as stack:
        kept = games.game(resume) if resume else None
        if kept and kept.finished:
            raise BadInput(f"Game {kept.number} has ended; to review it: spielwerk review {kept.number}")
        settings = kept.settings if kept else {"against": against, "seat": seat, "seed": seed}
        game = _begun(stack, settings, name, position, kept)
        number = _kept_from_now_on(games, game, settings, kept)
        game.run()
        print(_goodbye(number, game))


def _begun(
    stack: ExitStack, settings: dict[str, Any], name: str, position: str | None, kept: KeptGame | None
) -> TerminalGame:
    from spielwerk.agents.registry import agent
    from spielwerk.terminal import waiting
    from spielwerk.terminal.game import TerminalGame

    with waiting("compiling …"):
        begins = kept.record.begin() if kept else position_of(name, position, settings["seed"])
    against = settings["against"]
    opponent = None if against == HUMAN else stack.enter_context(closing(agent(against, begins.game)))
    game = TerminalGame(begins, opponent, settings["seat"], settings["seed"])
    if kept:
        game.resume(kept)
    return game


def _kept_from_now_on(games: Any, game: TerminalGame, settings: dict[str, Any], kept: KeptGame | None) -> int:
    """Lets the store hear of every turn; the number of the game there."""
    number = kept.number if kept else games.begin_game(game.kept(), settings)
    game.keep = lambda: games.keep_game(number, game.kept())
    if_stopped(f"Kept as game {number}; to resume it: spielwerk play --resume {number}")
    return number


def _goodbye(number: int, game: TerminalGame) -> str:
    if game.ended:
        return f"Kept as game {number}; to review it: spielwerk review {number}"
    return f"\nKept as game {number}; to resume it: spielwerk play --resume {number}"


@app.command(rich_help_panel=panels.PLAY)
def played(as_json: AsJson = False) -> None:
    """List the games that people played here."""
    from spielwerk.arena.records.played import PlayedGames

    with PlayedGames() as games:
        listed = games.games()
    facts = [
        {"number": one.number, "game": one.record.game, "agents": one.record.agents, "turns": len(one.record.turns)}
        | {"scores": one.record.scores, "finished": one.finished, "started": one.started}
        for one in listed
    ]
    if as_json:
        return print_json({"games": facts})
    if not facts:
        return print("No game has been played here yet; to play one: spielwerk play morris --against mcts")
    rows = [_row(fact) for fact in facts]
    return print_table((">number", "game", "players", ">turns", "result", "began (UTC)"), rows)


@app.command(rich_help_panel=panels.PLAY)
def review(
    which: Annotated[str, typer.Argument(metavar="[GAME|FILE]", help="A number from `played`, or a file.")] = "last",
    number: Annotated[int, typer.Option(metavar="N", min=1, help="Game of a file with several, from 1.")] = 1,
    judge: Annotated[
        str,
        typer.Option(
            metavar="AGENT", autocompletion=completion.agents, help="Judge of positions that the oracle does not know."
        ),
    ] = "",
    luck: Annotated[bool, typer.Option(help="Measure luck as well, by valuing every roll.")] = True,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the value over the game, as .png or .svg.")
    ] = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Review a game: what each turn cost, blunders, missed wins, accuracy, luck."""
    from rich.progress import Progress

    from spielwerk.api.review import JUDGE, record_of
    from spielwerk.api.review import review as reviewed
    from spielwerk.arena.plots import check_path
    from spielwerk.commands.shared.files import shown

    if plot:
        check_path(plot)
    record = record_of(which, number)
    if_stopped("The review is not kept; the game is.")
    with Progress(**shown()) as bar:
        task = bar.add_task("judging", total=len(record.turns))
        found = reviewed(
            record, judge or JUDGE, luck=luck, seed=seed, callback=lambda done: bar.update(task, completed=done)
        )
    if plot:
        found.save(plot)
    if as_json:
        return print_json(found.facts())
    print(f"{found.game}: {' – '.join(found.agents)}; judged by {' and '.join(found.judges) or 'nobody'}\n")
    heads, rows = found.table()
    print_table(heads, [[escape(text) for text in row] for row in rows])
    heads, rows = found.summary()
    print_table(heads, [[escape(text) for text in row] for row in rows])
    return None


def _row(fact: dict[str, Any]) -> list[str]:
    from spielwerk.arena.records.record import score_text

    result = " ".join(map(score_text, fact["scores"])) if fact["finished"] else "not finished"
    began = fact["started"][:16].replace("T", " ")
    players = escape(", ".join(fact["agents"]))
    return [str(fact["number"]), fact["game"], players, str(fact["turns"]), result, began]

"""Commands for people who play: playing, the games played, and reviewing them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, Place, Seed, Theme, position_of
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.learn.config import MOST_SEED
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.records.played import KeptGame, PlayedGames
    from spielwerk.arena.result import Rows
    from spielwerk.terminal.game import TerminalGame

app = typer.Typer()
HUMAN = "human"
SPARE, WHOLE = (["began (UTC)"], [">turns"]), ("game",)  # of the games played; see `print_table`
SPARE_OF_TURNS, SPARE_OF_PLAYERS = ([">luck"], [">value"], ["player"]), ([">decisions"], [">luck"], [">mistakes"])
MOVE, NAME = 18, 12  # letters that a move and a name have room for, before a column of less weight goes
Resume = Annotated[str, typer.Option(metavar="NUMBER", help="Resume an unfinished game: its number, or last.")]


@app.command(rich_help_panel=panels.PLAY)
def play(
    name: Annotated[str, typer.Argument(metavar="GAME", autocompletion=completion.games, help="Such as morris.")] = "",
    position: Place = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="AGENT", autocompletion=completion.opponents, help="Opponent, such as mcts; human: people only."
        ),
    ] = HUMAN,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="Your seat, from 0 (the default); its side is at the bottom.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=MOST_SEED, help="Seed of the dice. Default: a new one each time."),
    ] = None,
    resume: Resume = "",
) -> None:
    """Play in the terminal: people against each other, or one against an agent. Every game is kept."""
    from spielwerk.arena.records.played import PlayedGames

    if resume and (name or against != HUMAN or seat is not None or seed is not None):
        raise BadInput("A game is resumed as it was: --resume takes no game, opponent, seat or seed.")
    if not name and not resume:
        raise BadInput("Name a game to play, such as: spielwerk play morris; or resume one: --resume last.")
    seed = int.from_bytes(os.urandom(3)) if seed is None else seed
    with PlayedGames() as games, ExitStack() as stack:
        kept = games.game(resume) if resume else None
        if kept and kept.finished:
            raise BadInput(f"Game {kept.number} has ended; to review it: spielwerk review {kept.number}")
        if kept and not _fits(kept):
            raise BadInput(f"Game {kept.number} has seats that only the page can fill; to go on: spielwerk serve")
        settings = kept.settings if kept else {"against": against, "seat": seat, "seed": seed}
        game = _begun(stack, settings, name, position, kept)
        keeping = _Keeping(games, game, settings, kept.number if kept else None)
        game.keep = keeping.keep
        game.run()
        print("" if game.ended else "\n", keeping.said, sep="")


def _fits(kept: KeptGame) -> bool:
    """Whether people only, or a person and one kind of agent, fill the seats of a game."""
    people = kept.record.agents.count(HUMAN)
    others = {name for name in kept.record.agents if name != HUMAN}
    return not others or (people == 1 and len(others) == 1)


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


class _Keeping:
    """Lets the store hear of every turn of a game, from the first one on."""

    def __init__(self, games: PlayedGames, game: TerminalGame, settings: dict[str, Any], number: int | None) -> None:
        self.games, self.game, self.settings = games, game, settings
        self.number = number  # in the store, which a game has from its first turn on
        self.there = number is not None
        if_stopped(self.said)

    def keep(self) -> None:
        """Called after every turn; a game of which every turn was taken back is not kept."""
        kept = self.game.kept()
        if self.number is None or not self.there:
            self.number = self.games.begin_game(kept, self.settings, self.number) if kept.begun else self.number
        elif kept.begun:
            self.games.keep_game(self.number, kept)
        else:
            self.games.forget_game(self.number)
        self.there = kept.begun
        if_stopped(self.said)

    @property
    def said(self) -> str:
        """What is kept, and how to go on."""
        if not self.there:
            return "No turn was played; there is nothing to keep."
        if self.game.ended:
            return f"Kept as game {self.number}; to review it: spielwerk review {self.number}"
        return f"Kept as game {self.number}; to resume it: spielwerk play --resume {self.number}"


@app.command(rich_help_panel=panels.PLAY)
def played(as_json: AsJson = False) -> None:
    """List the games that people played here."""
    from spielwerk.arena.records.played import PlayedGames

    with PlayedGames() as games:
        listed = games.games()
    facts = [
        {"number": one.number, "game": one.record.game, "agents": one.record.agents, "turns": len(one.record.turns)}
        | {"scores": one.record.scores if one.finished else None, "finished": one.finished, "started": one.started}
        for one in listed
    ]
    if as_json:
        return print_json({"games": facts})
    if not facts:
        return print("No game has been played here yet; to play one: spielwerk play morris --against mcts")
    rows = [_row(fact) for fact in facts]
    return print_table((">number", "game", "players", ">turns", "result", "began (UTC)"), rows, SPARE, WHOLE)


@app.command(rich_help_panel=panels.PLAY)
def review(
    which: Annotated[str, typer.Argument(metavar="GAME|FILE", help="A number from `played`, or a file.")] = "last",
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
    theme: Theme = "light",
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Review a game: what each turn cost, blunders, missed wins, accuracy, luck."""
    from rich.progress import Progress

    from spielwerk.api.review import record_of
    from spielwerk.api.review import review as reviewed
    from spielwerk.arena.plots import check_path, check_theme
    from spielwerk.commands.shared.files import shown

    check_theme(theme)
    if plot:
        check_path(plot)
    record = record_of(which, number)
    if_stopped("The review is not kept; the game is.")
    with Progress(**shown()) as bar:
        task = bar.add_task("judging", total=len(record.turns))
        found = reviewed(record, judge, luck=luck, seed=seed, callback=lambda done: bar.update(task, completed=done))
    if plot:
        found.save(plot, theme)
    if as_json:
        return print_json(found.facts())
    print(f"{found.game}: {' – '.join(found.agents)}; judged by {' and '.join(found.judges) or 'nobody'}\n")
    _print(found.table(), SPARE_OF_TURNS, MOVE)
    return _print(found.summary(), SPARE_OF_PLAYERS, NAME)


def _print(table: tuple[Sequence[str], Rows], spare: Sequence[Sequence[str]], text: int) -> None:
    heads, rows = table
    print_table(heads, [[escape(cell) for cell in row] for row in rows], spare, text=text)


def _row(fact: dict[str, Any]) -> list[str]:
    from spielwerk.arena.records.record import result_text

    result = result_text(fact["scores"]) if fact["finished"] else "not finished"
    began = fact["started"][:16].replace("T", " ")
    players = escape(", ".join(fact["agents"]))
    return [str(fact["number"]), fact["game"], players, str(fact["turns"]), result, began]

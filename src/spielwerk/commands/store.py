"""Commands about stored games: listing matches, replaying, exporting, importing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from spielwerk.arena.figures import counted, percent
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.files import opened_text, shown
from spielwerk.commands.shared.options import AsJson
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.data import left_out
from spielwerk.files import named_by_user
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.records.record import Record
    from spielwerk.games.position import Position

app = typer.Typer()
MatchNumber = Annotated[int, typer.Argument(metavar="MATCH", help="Number of a match; `spielwerk matches` lists them.")]
OnlyGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", autocompletion=completion.games, help="Only matches of this game."),
]
STDOUT = "-"
SPARE, WHOLE = (["began (UTC)"], ["note"]), ("game",)  # of the list of matches; see `print_table`


@app.command(rich_help_panel=panels.LOOK_UP)
def matches(name: OnlyGame = None, as_json: AsJson = False) -> None:
    """List the stored matches."""
    from rich.markup import escape

    from spielwerk.arena.matches.stored_match import match_facts
    from spielwerk.arena.records.store import Store
    from spielwerk.games.registry import game

    with Store() as store:
        listed = []
        for match in store.matches(game(name).name if name else None):
            with left_out():  # also where its game is of a package that is no more
                listed.append(match_facts(store, match))
    if as_json:
        return print_json({"matches": listed})
    if not listed:
        return print("No match is stored yet." if name is None else f"No match of {name} is stored yet.")
    columns = (">match", "game", "first agent", "second agent", ">games", ">rate", "began (UTC)", "note")
    rows = [[escape(text) for text in _row(fact)] for fact in listed]
    return print_table(columns, rows, SPARE, WHOLE)


@app.command(rich_help_panel=panels.LOOK_UP)
def replay(
    match: MatchNumber,
    game: Annotated[int, typer.Argument(metavar="GAME", min=0, help="Number of a game, from 0.")] = 0,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every turn.")] = False,
    from_seed: Annotated[bool, typer.Option("--from-seed", help="Play it again, even if a record is kept.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a stored game, checked turn by turn; without a record it is played again from its seed."""
    from spielwerk.agents.registry import agent
    from spielwerk.arena.records.replay import difference, replayed
    from spielwerk.arena.records.retrace import check
    from spielwerk.arena.records.store import Store

    with Store() as store:
        record = replayed(store, match, game, agent, from_seed)
        again = from_seed or store.record(match, game) is None
        unlike = difference(store, match, game, record) if again else None
    end = check(record)
    if as_json:
        print_json(record.facts() | {"rebuilt": again, "difference": unlike})
    else:
        _show(record, end, boards)
        print("Played again from its seed." if again else "As it was kept.", "Every turn keeps the rules.")
    if unlike:
        print(unlike, file=sys.stderr)
        raise typer.Exit(1)


@app.command(rich_help_panel=panels.LOOK_UP)
def export(
    match: MatchNumber,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write, or - to print.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Write JSON lines instead of text.")] = False,
    form: Annotated[str, typer.Option("--format", metavar="mat|transcript", help="A format of other programs.")] = "",
) -> None:
    """Write all games of a match to a file; those without a record are played again from their seed."""
    from spielwerk.agents.registry import agent
    from spielwerk.arena.records.replay import exported
    from spielwerk.arena.records.store import Store

    if jsonl and form:
        raise BadInput("Give either --jsonl or --format, not both.")
    with Store() as store:
        stored = store.match(match)
        if file != STDOUT:
            if_stopped(f"{file} holds only some of the games.")
        played, writer = stored.played, _writer(stored.plan.game, jsonl, form)
        lost, reason = _export(exported(store, match, agent), played, file, writer)
    if file != STDOUT:
        print(f"{counted(played - lost, 'game')} of match {match} written to {file}.")
    if lost:
        print(f"{lost} left out: damaged, or not reproducible. {reason}", file=sys.stderr)
        raise typer.Exit(1)


@app.command(name="import", rich_help_panel=panels.LOOK_UP)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Games as text, JSON lines, .mat or transcripts.")],
    as_json: AsJson = False,
) -> None:
    """Import the games of a file: all are checked, then all are stored or none."""
    from spielwerk.arena.matches.stored_match import match_facts
    from spielwerk.arena.records import formats
    from spielwerk.arena.records.importer import imported
    from spielwerk.arena.records.store import Store

    if_stopped("Nothing of the file is stored.")
    with Store() as store:
        with opened_text(file, "checking") as lines:
            found = imported(store, formats.read(lines))
        listed = [match_facts(store, store.match(number)) for number in found.matches]
    if as_json:
        return print_json({"matches": listed, "known": found.known})
    for fact in listed:
        first, second = fact["agents"]
        games = f"{counted(fact['played'], 'game')} of {fact['game']}, {first} against {second}"
        left = f" ({fact['unfinished']:,} unfinished)" if fact["unfinished"] else ""
        print(f"match {fact['number']}: {games}{left}")
    if found.known:
        are = "is" if found.known == 1 else "are"
        print(f"{'' if listed else 'Nothing is new: '}{counted(found.known, 'game')} {are} already here.")
    return None


def _row(fact: dict[str, Any]) -> list[str]:
    games = f"{fact['played']:,}" + ("" if fact["played"] == fact["games"] else f"/{fact['games']:,}")
    rate = "" if fact["rate"] is None else percent(fact["rate"])
    notes = ["imported"] if fact["imported"] else [] if fact["finished"] else ["not finished"]
    notes += [f"{fact['unfinished']:,} unfinished"] if fact["unfinished"] else []
    notes += [f"tournament {fact['tournament']}"] if fact["tournament"] else []
    began = fact["started"][:16].replace("T", " ")
    return [str(fact["number"]), fact["game"], *fact["agents"], games, rate, began, ", ".join(notes)]


def _show(record: Record, end: Position, boards: bool) -> None:
    from spielwerk.arena.records.record import written
    from spielwerk.arena.records.retrace import positions
    from spielwerk.terminal import status

    text = record.text()
    if boards:
        print(text.partition("\n\n")[0], record.begin().board(), sep="\n\n")
        for number, (turn, position) in enumerate(positions(record), 1):
            print(f"\n{written(end.game, number, turn)}\n\n{position.board()}")
    else:
        print(f"{text}\n{end.board()}")
    print(f"\n{_ending(record) or status(end)}")


def _ending(record: Record) -> str:
    """How a game ended that did not end by the rules."""
    from spielwerk.games.registry import game

    if record.fault:
        return f"{game(record.game).player_names[record.fault[0]]} forfeited: {record.fault[1]}"
    if record.scores is None:
        return "The game is unfinished: it has no result, and counts for nothing."
    return "The game was cut: it counts as drawn." if record.cut else ""


def _writer(name: str, jsonl: bool, form: str) -> Callable[[Iterable[Record]], Iterable[str]]:
    """What writes the games of a match."""
    from spielwerk.arena.records.formats import format_of
    from spielwerk.games.registry import game

    if form:
        return format_of(game(name), form).write
    return lambda records: (f"{record.json() if jsonl else record.text()}\n" for record in records)


def _export(games: Any, played: int, file: str, writer: Callable[..., Iterable[str]]) -> tuple[int, str | None]:
    """Writes the games; returns how many are damaged or could not be played again as they were, and why."""
    from rich.progress import track

    lost, reason = 0, None

    def found() -> Iterator[Record]:
        nonlocal lost, reason
        for _, record, problem in track(games, "writing", played, **shown()):
            if problem:
                lost, reason = lost + 1, problem
            else:
                yield record

    with _opened(file) as out:
        for piece in writer(found()):
            out.write(piece)
    return lost, reason


@contextmanager
def _opened(file: str) -> Iterator[TextIO]:
    if file == STDOUT:
        yield sys.stdout
        return
    try:
        with named_by_user(Path(file)) as part, part.open("w", encoding="utf-8") as out:
            yield out
    except OSError as problem:
        raise BadInput(f"{file} cannot be written: {problem.strerror}.") from None

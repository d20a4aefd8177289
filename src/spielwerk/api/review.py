"""`sw.review`: a game turn by turn, with what each turn cost."""

from __future__ import annotations

from pathlib import Path

from spielwerk.api.judges import judge_of
from spielwerk.arena.agent import Agent
from spielwerk.arena.figures import counted
from spielwerk.arena.records import formats
from spielwerk.arena.records.played import LAST, PlayedGames
from spielwerk.arena.records.record import Record
from spielwerk.arena.reviewing.review import Review
from spielwerk.arena.reviewing.reviewer import Progress, review_of
from spielwerk.files import opened_text
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput
from spielwerk.search.stop import Stop


def review(
    game: Record | Path | str | int = LAST,
    judge: str | Agent = "",
    *,
    number: int = 1,
    luck: bool = True,
    seed: int = 1,
    callback: Progress = lambda done: None,
    stop: Stop | None = None,
) -> Review:
    """Goes through a game with a judge: the game's oracle where it knows, elsewhere the agent `judge` or the usual one.

    `game` is a record, the number of a game that was played here ("last": the last one), or a file; of a file with
    several games the one with that `number`.
    `luck` values every roll against all that could have been rolled, which takes as many analyses; `callback` receives
    the number of turns done, and `stop` ends the search of the judge.
    """
    record = game if isinstance(game, Record) else record_of(game, number)
    played = game_of(record.game)
    asked = judge_of(played, judge, seed=seed, stop=stop)
    try:
        return review_of(record, asked, luck, callback)
    finally:
        if isinstance(judge, str):
            asked.agent.close()


def record_of(which: Path | str | int, number: int = 1) -> Record:
    """The game that is meant: one of those played here, or one of a file, in our own form or another program's."""
    if str(which) == LAST or str(which).isdecimal():
        with PlayedGames() as games:
            return games.game(str(which)).record
    count = 0
    with opened_text(Path(str(which))) as lines:
        for count, (_, record) in enumerate(formats.read(lines), 1):
            if count == number:
                return record
        raise BadInput(f"there is no game {number}; the file holds {counted(count, 'game')}.")

"""Games that people play or watch: kept turn by turn in the store, so that none is lost, and resumed.

The page keeps a table from its first moment, so that a killed server loses none; a game without a turn is not listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple

from spielwerk.arena.records.reader import from_json
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.store import Store
from spielwerk.data import MOST_WORD, cleaned, is_whole, json_text, left_out, parsed
from spielwerk.names import BadInput

LAST = "last"
LONGEST_NUMBER = 18  # digits, so that SQLite knows it
MOST_SEATS = 1000
# SQL: whether a game has neither a turn nor an end. Damaged records have not: whoever reads them says what is wrong.
UNBEGUN = """(CASE WHEN json_valid(record) THEN json_type(record, '$.turns') = 'array'
    AND coalesce(json_extract(record, '$.turns[0].move'), '') = ''
    AND json_extract(record, '$.fault') IS NULL AND json_extract(record, '$.scores') IS NULL END IS TRUE)"""


class Kept(NamedTuple):
    """A game as far as it was played, and where the streams of dice and opponent stand."""

    record: Record
    streams: tuple[int, int]

    @property
    def begun(self) -> bool:
        """Whether there is anything to keep: a turn, or who gave up before the first one."""
        return _begun(self.record)


@dataclass(frozen=True)
class KeptGame:
    """A game of people from the store."""

    number: int
    record: Record
    streams: tuple[int, int]
    settings: dict[str, Any]  # against whom, in which seat (None: nobody's in particular), the seed
    started: str  # ISO time, UTC

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""
        return self.record.scores is not None and not self.record.cut  # as they were kept before

    @property
    def begun(self) -> bool:
        """Whether anything has happened in it."""
        return _begun(self.record)


class PlayedGames(Store):
    """The table of games that people play."""

    def begin_game(self, kept: Kept, settings: dict[str, Any], number: int | None = None) -> int:
        """Writes down a new game and returns its number; one that was forgotten may have its own again."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        values = (number, kept.record.game, json_text(settings), kept.record.json(), json_text(kept.streams), now)
        return self._insert("played (number, game, settings, record, streams, started)", values)

    def keep_game(self, number: int, kept: Kept, settings: dict[str, Any] | None = None) -> bool:
        """Writes down how far a game has come, and its settings where they have changed; False if it is not there."""
        changed = None if settings is None else json_text(settings)
        row = (kept.record.json(), json_text(kept.streams), changed, number)
        columns = "record = ?, streams = ?, settings = coalesce(?, settings)"
        with self.transaction():
            return self._connection.execute(f"UPDATE played SET {columns} WHERE number = ?", row).rowcount > 0

    def forget_game(self, number: int) -> None:
        """Removes a game of which every turn was taken back."""
        with self.transaction():
            self._connection.execute("DELETE FROM played WHERE number = ?", (number,))

    def forget_unbegun(self, before: str, most: int) -> None:
        """Removes games without a turn that are older than an ISO time, and the oldest where there are too many."""
        rows = self._rows(f"SELECT number, started FROM played WHERE {UNBEGUN} ORDER BY number DESC")
        for place, (number, started) in enumerate(rows):
            if place >= most or str(started) < before:
                self.forget_game(number)

    def games(self) -> list[KeptGame]:
        """All that have begun, in their order."""
        query = f"SELECT number, record, streams, settings, started FROM played WHERE NOT {UNBEGUN} ORDER BY number"
        return list(_readable(self._rows(query)))

    def last(self, most: int, before: int | None = None) -> list[KeptGame]:
        """So many of the last that have begun, or of the last before a number; the newest first."""
        where = f"NOT {UNBEGUN} AND number < coalesce(?, number + 1) ORDER BY number DESC"
        rows = self._rows(f"SELECT number, record, streams, settings, started FROM played WHERE {where}", before)
        return list(islice(_readable(rows), most))

    def game(self, number: int | str) -> KeptGame:
        """One of them, or the last; BadInput if there is none."""
        if number == LAST:
            (number,) = self._rows(f"SELECT max(number) FROM played WHERE NOT {UNBEGUN}")[0]
            if number is None:
                raise BadInput("No game has been played here yet; to play one: spielwerk play morris --against mcts")
        if not str(number).isdecimal() or len(str(number)) > LONGEST_NUMBER:
            raise BadInput(f'"{number}" is not the number of a game; "spielwerk played" lists them.')
        self._exists("played", int(number))
        query = "SELECT number, record, streams, settings, started FROM played WHERE number = ?"
        return _kept_game(*self._rows(query, int(number))[0])

    def numbered(self, key: str) -> int | None:
        """The number of the game whose settings hold this key, under which the page knows it; None if there is none."""
        where = "json_valid(settings) AND json_extract(settings, '$.key') = ?"
        (number,) = self._rows(f"SELECT max(number) FROM played WHERE {where}", key)[0]
        return number


def _readable(rows: Iterable[Any]) -> Iterator[KeptGame]:
    """The games of these rows, but for damaged ones."""
    for row in rows:
        with left_out():
            yield _kept_game(*row)


def _begun(record: Record) -> bool:
    return record.fault is not None or any(line.move for line in record.turns)


def _kept_game(number: int, record: str, streams: str, settings: str, started: str) -> KeptGame:
    try:
        (first, second), about = parsed(streams), cleaned(parsed(settings))
        if not is_whole(first, 0, MOST_WORD) or not is_whole(second, 0, MOST_WORD) or not _settings(about):
            raise ValueError
        return KeptGame(number, from_json(record), (first, second), about, cleaned(str(started)))
    except (ValueError, TypeError, KeyError):
        raise BadInput(f"Game {number} of the store is damaged.") from None


def _settings(about: Any) -> bool:
    """Whether these are settings with which a game can be resumed."""
    if not isinstance(about, dict) or not isinstance(about["against"], str):
        return False
    seated = about["seat"] is None or is_whole(about["seat"], 0, MOST_SEATS)
    return seated and is_whole(about["seed"], 0, MOST_WORD)

"""The store: matches with plan, results, forfeits and kept records, and learning curves, in one SQLite file.

A block of games is one transaction, so that killing the process at any moment loses at most the block in progress.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from spielwerk import folders
from spielwerk.arena.measurement import Measurement
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.schema import PATIENCE, connect, explained_errors
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

FILE = "arena.db"
SCORE, SEAT = "<f4", "u1"  # how results and seats are kept: little-endian, compressed
QUICK = 1  # the level of compression: blocks are written while a match waits
COLUMNS = "number, plan, tournament, finished, started, version, imported"

Ranges = list[tuple[int, int]]  # (first, count) of games that follow each other


@dataclass(frozen=True)
class StoredMatch:
    """A match as far as it has been played."""

    number: int
    plan: Plan
    tournament: int | None
    played: int  # games stored
    finished: bool
    started: str  # ISO time, UTC
    version: str  # of Spielwerk
    imported: bool = False  # from a file: there is no seed to play it again from


@dataclass(frozen=True)
class StoredTournament:
    """A tournament; its matches are `store.matches(tournament=number)`."""

    number: int
    game: str
    agents: tuple[str, ...]
    settings: dict[str, Any]
    started: str
    finished: bool


class Store:
    """The file `arena.db` under SPIELWERK_HOME, or another one; several processes may use it at once."""

    def __init__(self, path: Path | None = None, patience: float = PATIENCE) -> None:
        self.path = path or folders.home() / FILE
        self.patience = patience
        self._connection = connect(self.path, patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is stored together, or not at all."""
        if self._connection.in_transaction:
            yield
            return
        with explained_errors(self.path, self.patience):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def begin(self, plan: Plan, tournament: int | None = None, imported: bool = False) -> int:
        """Writes down a new match and returns its number."""
        values = (plan.game, json.dumps(asdict(plan)), tournament, imported, _now(), _version())
        return self._insert("match (game, plan, tournament, imported, started, version)", values)

    def add(
        self, number: int, block: Block, records: Mapping[int, str] | None = None, seats: np.ndarray | None = None
    ) -> None:
        """Stores a block of a match, its forfeits and its records (by game); `seats` only where no plan says them."""
        faults = [(number, game, player, reason) for game, (player, reason) in block.faults.items()]
        kept = [(number, game, text) for game, text in (records or {}).items()]
        with self.transaction():
            self._exists("match", number)
            self._store_block(number, block.first, block.scores, seats)
            self._connection.executemany("INSERT OR REPLACE INTO fault VALUES (?, ?, ?, ?)", faults)
            self._connection.executemany("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", kept)

    def finish(self, number: int, games: int) -> None:
        """Closes a match of which the first `games` games count; what was played beyond them is dropped."""
        with self.transaction():
            self._exists("match", number)
            self._connection.execute("UPDATE match SET finished = 1 WHERE number = ?", (number,))
            where = "match = ? AND first + games > ?"
            beyond = self._rows(f"SELECT first, games, scores, seats FROM block WHERE {where}", number, games)
            self._connection.execute(f"DELETE FROM block WHERE {where}", (number, games))
            for first, count, scores, seats in (row for row in beyond if row[0] < games):
                counted = games - first
                kept_seats = None if seats is None else _unpacked(seats, SEAT, count)[:counted]
                self._store_block(number, first, _unpacked(scores, SCORE, count)[:counted], kept_seats)
            for table in ("fault", "record"):
                self._connection.execute(f"DELETE FROM {table} WHERE match = ? AND game >= ?", (number, games))

    def delete(self, number: int) -> None:
        """Removes a match with its games."""
        with self.transaction():
            self._exists("match", number)
            self._connection.execute("DELETE FROM match WHERE number = ?", (number,))

    def matches(self, game: str | None = None, tournament: int | None = None) -> list[StoredMatch]:
        """All matches, or those of one game or one tournament, in the order in which they began."""
        where = "(?1 IS NULL OR game = ?1) AND (?2 IS NULL OR tournament = ?2)"
        found = self._rows(f"SELECT {COLUMNS} FROM match WHERE {where} ORDER BY number", game, tournament)
        blocks: dict[int, Ranges] = {}
        for match, first, games in self._rows("SELECT match, first, games FROM block ORDER BY match, first"):
            blocks.setdefault(match, []).append((first, games))
        return [_stored_match(row, blocks.get(row[0], [])) for row in found]

    def match(self, number: int) -> StoredMatch:
        """One match; BadInput if there is none of that number."""
        self._exists("match", number)
        (row,) = self._rows(f"SELECT {COLUMNS} FROM match WHERE number = ?", number)
        return _stored_match(row, self._blocks(number))

    def played(self, number: int) -> Ranges:
        """The games that are stored, as ranges in ascending order: what a resumed match need not play."""
        self._exists("match", number)
        return _merged(self._blocks(number))

    def numbers(self, number: int) -> np.ndarray:
        """The numbers of the stored games, ascending; [n]."""
        return np.concatenate([np.arange(0), *(np.arange(first, first + n) for first, n in self.played(number))])

    def scores(self, number: int) -> np.ndarray:
        """Each player's score in each stored game, in the order of `numbers`; [n, players]."""
        return self._column(number, "scores", SCORE).astype(np.float64)

    def seats(self, number: int) -> np.ndarray:
        """Which of the plan's two agents sat where, in the order of `numbers`; [n, players]."""
        match = self.match(number)
        if match.imported:
            return self._column(number, "seats", SEAT).astype(np.int64)
        game = game_of(match.plan.game)
        ways = [match.plan.seats(game, first, count) for first, count in self.played(number)]
        return np.concatenate([np.zeros((0, game.players), np.int64), *ways])

    def faults(self, number: int) -> dict[int, tuple[int, str]]:
        """The games that were forfeited: by which player, and why."""
        self._exists("match", number)
        found = self._rows("SELECT game, player, reason FROM fault WHERE match = ? ORDER BY game", number)
        return {game: (player, reason) for game, player, reason in found}

    def record(self, number: int, game: int) -> str | None:
        """The record of a game, where it was kept."""
        return self.records(number, game, 1).get(game)

    def records(self, number: int, first: int, count: int) -> dict[int, str]:
        """The kept records among games `first` to `first + count - 1`."""
        self._exists("match", number)
        where = "match = ? AND game >= ? AND game < ? ORDER BY game"
        return dict(self._rows(f"SELECT game, text FROM record WHERE {where}", number, first, first + count))

    def begin_tournament(self, game: str, agents: Sequence[str], settings: Mapping[str, Any]) -> int:
        """Writes down a new tournament and returns its number."""
        values = (game, json.dumps(list(agents)), json.dumps(dict(settings)), _now())
        return self._insert("tournament (game, agents, settings, started)", values)

    def finish_tournament(self, number: int) -> None:
        """Closes a tournament."""
        with self.transaction():
            self._exists("tournament", number)
            self._connection.execute("UPDATE tournament SET finished = 1 WHERE number = ?", (number,))

    def tournaments(self) -> list[StoredTournament]:
        """All tournaments, in the order in which they began."""
        rows = self._rows("SELECT number, game, agents, settings, started, finished FROM tournament ORDER BY number")
        return [
            StoredTournament(number, game, tuple(json.loads(agents)), json.loads(settings), started, bool(finished))
            for number, game, agents, settings, started, finished in rows
        ]

    def tournament(self, number: int) -> StoredTournament:
        """One tournament; BadInput if there is none of that number."""
        self._exists("tournament", number)
        return next(one for one in self.tournaments() if one.number == number)

    def measure(self, run: str, seed: int, measured: Iterable[Measurement]) -> None:
        """Writes down what was measured of one seed of a training run, instead of all that was written before."""
        rows = [(run, seed, *astuple(one)) for one in measured]
        with self.transaction():
            self._connection.execute("DELETE FROM measurement WHERE run = ? AND seed = ?", (run, seed))
            self._connection.executemany("INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def measurements(self, run: str) -> dict[int, list[Measurement]]:
        """What was measured of a training run, by seed, in the order in which it was."""
        columns = "seed, episode, what, value, low, high, games"
        found: dict[int, list[Measurement]] = {}
        for seed, *rest in self._rows(f"SELECT {columns} FROM measurement WHERE run = ? ORDER BY seed, rowid", run):
            found.setdefault(seed, []).append(Measurement(*rest))
        return found

    def forget(self, run: str) -> None:
        """Removes all that was measured of a training run."""
        with self.transaction():
            self._connection.execute("DELETE FROM measurement WHERE run = ?", (run,))

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with explained_errors(self.path, self.patience):
            return self._connection.execute(query, values).fetchall()

    def _insert(self, into: str, values: Sequence[Any]) -> int:
        with self.transaction():
            marks = ", ".join("?" * len(values))
            number = self._connection.execute(f"INSERT INTO {into} VALUES ({marks})", values).lastrowid
        assert number is not None
        return number

    def _exists(self, table: str, number: int) -> None:
        """Refuses the number of a match or a tournament that is not there."""
        (last, found) = self._rows(f"SELECT max(number), total(number = ?) FROM {table}", number)[0]
        if not found:
            rest = f"; the last one is {last}" if last else ", nor any other yet"
            what = "game" if table == "played" else table
            raise BadInput(f"There is no {what} {number}{rest}.")

    def _store_block(self, number: int, first: int, scores: np.ndarray, seats: np.ndarray | None) -> None:
        row = (number, first, len(scores), _packed(scores, SCORE), None if seats is None else _packed(seats, SEAT))
        self._connection.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?)", row)

    def _blocks(self, number: int) -> Ranges:
        return self._rows("SELECT first, games FROM block WHERE match = ? ORDER BY first", number)

    def _column(self, number: int, name: str, kind: str) -> np.ndarray:
        """A column of the blocks as one array, each game once: two processes may have played the same one."""
        players = game_of(self.match(number).plan.game).players
        found = self._rows(f"SELECT first, games, {name} FROM block WHERE match = ? ORDER BY first", number)
        games = np.concatenate([np.arange(0), *(np.arange(first, first + count) for first, count, _ in found)])
        values = [_unpacked(packed, kind, count) for _, count, packed in found]
        return np.concatenate([np.zeros((0, players), kind), *values])[np.unique(games, return_index=True)[1]]


def _stored_match(row: Sequence[Any], blocks: Iterable[tuple[int, int]]) -> StoredMatch:
    number, plan, tournament, finished, started, version, imported = row
    fields = json.loads(plan)
    fields["agents"] = tuple(fields["agents"])
    played = sum(count for _, count in _merged(blocks))
    return StoredMatch(number, Plan(**fields), tournament, played, bool(finished), started, version, bool(imported))


def _merged(blocks: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges in ascending order, those that touch or overlap joined."""
    ranges: Ranges = []
    for first, count in blocks:
        if ranges and first <= sum(ranges[-1]):
            begin, length = ranges.pop()
            first, count = begin, max(length, first + count - begin)
        ranges.append((first, count))
    return ranges


def _packed(values: np.ndarray, kind: str) -> bytes:
    return zlib.compress(values.astype(kind).tobytes(), QUICK)


def _unpacked(packed: bytes, kind: str, rows: int) -> np.ndarray:
    return np.frombuffer(zlib.decompress(packed), kind).reshape(rows, -1)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _version() -> str:
    from spielwerk.version import __version__

    return __version__

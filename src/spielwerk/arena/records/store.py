"""The store: matches with plan, results, forfeits and kept records, and learning curves, in one SQLite file.

A block of games is one transaction, so that killing the process at any moment loses at most the block in progress.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from spielwerk import folders
from spielwerk.arena.measurement import Measurement, measurement_of
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.rows import (
    MOST_GAMES,
    MOST_NUMBER,
    SCORE,
    SEAT,
    Ranges,
    StoredMatch,
    StoredTournament,
    checked,
    damaged,
    fault_of,
    match_of,
    merged,
    packed,
    ranges_of,
    tournament_of,
    unpacked,
)
from spielwerk.arena.records.schema import PATIENCE, connect, explained_errors
from spielwerk.data import json_text, left_out
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

FILE = "arena.db"
COLUMNS = "number, plan, tournament, finished, started, version, imported"
OF_BLOCKS = "first, games, length(scores)"
OF_MEASUREMENTS = ("episode", "what", "value", "low", "high", "games")
OF_TOURNAMENTS = "number, game, agents, settings, started, finished"


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
        values = (plan.game, json_text(asdict(plan)), tournament, imported, _now(), _version())
        return self._insert("match (game, plan, tournament, imported, started, version)", values)

    def begun(self, plan: Plan, tournament: int) -> int:
        """The match of a tournament with this plan; begun if it was not, by whichever process."""
        with self.transaction():
            there = (match.number for match in self.matches(plan.game, tournament) if match.plan == plan)
            number = next(there, None)
            return self.begin(plan, tournament) if number is None else number

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

    def plan_again(self, number: int, plan: Plan) -> None:
        """Replaces the plan of a match whose length was not known when it began."""
        with self.transaction():
            self._connection.execute("UPDATE match SET plan = ? WHERE number = ?", (json_text(asdict(plan)), number))

    def finish(self, number: int, games: int) -> None:
        """Closes a match of which the first `games` games count; what was played beyond them is dropped."""
        with self.transaction():
            self._exists("match", number)
            self._connection.execute("UPDATE match SET finished = 1 WHERE number = ?", (number,))
            where = "match = ? AND first + games > ?"
            beyond = self._rows(f"SELECT first, games, scores, seats FROM block WHERE {where}", number, games)
            self._connection.execute(f"DELETE FROM block WHERE {where}", (number, games))
            game = self._game(number)
            for first, count, *columns in (row for row in beyond if row[0] < games):
                kept = [
                    None if data is None else self._unpacked(number, first, count, data, kind, game)[: games - first]
                    for data, kind in zip(columns, (SCORE, SEAT), strict=True)
                ]
                self._store_block(number, first, *kept)
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
        blocks: dict[int, list[Any]] = {}
        for match, *block in self._rows(f"SELECT match, {OF_BLOCKS} FROM block ORDER BY match, first"):
            blocks.setdefault(match, []).append(block)
        matches = []
        for row in found:
            with left_out():
                matches.append(match_of(row, blocks.get(row[0], [])))
        return matches

    def match(self, number: int) -> StoredMatch:
        """One match; BadInput if there is none of that number, or it is damaged."""
        self._exists("match", number)
        (row,) = self._rows(f"SELECT {COLUMNS} FROM match WHERE number = ?", number)
        return match_of(row, self._blocks(number))

    def played(self, number: int) -> Ranges:
        """The games that are stored, as ranges in ascending order: what a resumed match need not play."""
        self.match(number)  # which refuses blocks that cannot be
        return merged(checked(self._blocks(number)))

    def pieces(self, number: int, first: int = 0, count: int = MOST_GAMES) -> Iterator[tuple[int, np.ndarray]]:
        """Each player's score in each stored game among so many, piece by piece: the first game, and [n, players].

        Games that were left before their end have no scores, and are not among them.
        """
        for begin, _, scores in self._pieces(number, "scores", SCORE, first, count):
            for offset, length in ranges_of(np.isfinite(scores[:, 0])):
                yield begin + offset, scores[offset : offset + length].astype(np.float64)

    def numbers(self, number: int) -> np.ndarray:
        """The numbers of the stored games that have a result, ascending; [n]."""
        found = self.pieces(number)
        return np.concatenate([np.arange(0), *(np.arange(first, first + len(scores)) for first, scores in found)])

    def scores(self, number: int) -> np.ndarray:
        """Each player's score in each of them, in the order of `numbers`; [n, players]."""
        players = self._game(number).players
        return np.concatenate([np.zeros((0, players)), *(scores for _, scores in self.pieces(number))])

    def seats(self, number: int) -> np.ndarray:
        """Which of the plan's two agents sat where, in the order of `numbers`; [n, players]."""
        match, game = self.match(number), self._game(number)
        ways = [self.seats_of(match, game, first, len(scores)) for first, scores in self.pieces(number)]
        return np.concatenate([np.zeros((0, game.players), np.int64), *ways])

    def seats_of(self, match: StoredMatch, game: Game, first: int, count: int) -> np.ndarray:
        """The same of games `first` to `first + count - 1`, all of which are stored."""
        if not match.imported:
            return match.plan.seats(game, first, count)
        found = [seats for _, _, seats in self._pieces(match.number, "seats", SEAT, first, count)]
        return np.concatenate(found).astype(np.int64)

    def faults(self, number: int) -> dict[int, tuple[int, str]]:
        """The games that were forfeited: by which player, and why."""
        self._exists("match", number)
        found = {}
        for row in self._rows("SELECT game, player, reason FROM fault WHERE match = ? ORDER BY game", number):
            with left_out():
                game, fault = fault_of(number, row)
                found[game] = fault
        return found

    def record(self, number: int, game: int) -> str | None:
        """The record of a game, where it was kept."""
        return self.records(number, game, 1).get(game)

    def records(self, number: int, first: int, count: int) -> dict[int, str]:
        """The kept records among games `first` to `first + count - 1`."""
        self._exists("match", number)
        where = "match = ? AND game >= ? AND game < ? ORDER BY game"
        rows = self._rows(f"SELECT game, text FROM record WHERE {where}", number, first, first + count)
        return {game: str(text) for game, text in rows}

    def texts(self, number: int) -> Iterator[str]:
        """All kept records of a match, one after the other."""
        with explained_errors(self.path, self.patience):
            rows = self._connection.execute("SELECT text FROM record WHERE match = ? ORDER BY game", (number,))
            yield from (str(text) for (text,) in rows)

    def begin_tournament(self, game: str, agents: Sequence[str], settings: Mapping[str, Any]) -> int:
        """Writes down a new tournament and returns its number."""
        values = (game, json_text(list(agents)), json_text(dict(settings)), _now())
        return self._insert("tournament (game, agents, settings, started)", values)

    def finish_tournament(self, number: int) -> None:
        """Closes a tournament."""
        with self.transaction():
            self._exists("tournament", number)
            self._connection.execute("UPDATE tournament SET finished = 1 WHERE number = ?", (number,))

    def tournaments(self) -> list[StoredTournament]:
        """All tournaments, in the order in which they began."""
        found = []
        for row in self._rows(f"SELECT {OF_TOURNAMENTS} FROM tournament ORDER BY number"):
            with left_out():
                found.append(tournament_of(row))
        return found

    def tournament(self, number: int) -> StoredTournament:
        """One tournament; BadInput if there is none of that number."""
        self._exists("tournament", number)
        (row,) = self._rows(f"SELECT {OF_TOURNAMENTS} FROM tournament WHERE number = ?", number)
        return tournament_of(row)

    def measure(self, run: str, seed: int, measured: Iterable[Measurement]) -> None:
        """Writes down what was measured of one seed of a training run, instead of all that was written before."""
        rows = [(run, seed, *astuple(one)) for one in measured]
        with self.transaction():
            self._connection.execute("DELETE FROM measurement WHERE run = ? AND seed = ?", (run, seed))
            self._connection.executemany("INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def measurements(self, run: str) -> dict[int, list[Measurement]]:
        """What was measured of a training run, by seed, in the order in which it was."""
        columns = f"seed, {', '.join(OF_MEASUREMENTS)}"
        found: dict[int, list[Measurement]] = {}
        for seed, *rest in self._rows(f"SELECT {columns} FROM measurement WHERE run = ? ORDER BY seed, rowid", run):
            with suppress(ValueError, TypeError):  # the files of a run are what counts
                found.setdefault(seed, []).append(measurement_of(dict(zip(OF_MEASUREMENTS, rest, strict=True))))
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
        possible = number if 0 <= number <= MOST_NUMBER else -1
        (last, found) = self._rows(f"SELECT max(number), total(number = ?) FROM {table}", possible)[0]
        if not found:
            rest = f"; the last one is {last}" if last else ", nor any other yet"
            what = "game" if table == "played" else table
            raise BadInput(f"There is no {what} {number}{rest}.")

    def _store_block(self, number: int, first: int, scores: Any, seats: np.ndarray | None) -> None:
        row = (number, first, len(scores), packed(scores, SCORE), None if seats is None else packed(seats, SEAT))
        self._connection.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?)", row)

    def _blocks(self, number: int) -> list[Any]:
        return self._rows(f"SELECT {OF_BLOCKS} FROM block WHERE match = ? ORDER BY first", number)

    def _game(self, number: int) -> Game:
        return game_of(self.match(number).plan.game)

    def _pieces(
        self, number: int, column: str, kind: str, begin: int = 0, most: int = MOST_GAMES
    ) -> Iterator[tuple[int, int, np.ndarray]]:
        """A column of the blocks, piece by piece in the order of games, each game once.

        Two processes may have played the same game. Of each piece: its first game, how many, and their values.
        """
        match = self.match(number)  # which refuses blocks that cannot be
        game, end = game_of(match.plan.game), begin + most
        where = "match = ? AND first < ? AND first + games > ? ORDER BY first"
        blocks = self._rows(f"SELECT rowid, first, games FROM block WHERE {where}", number, end, begin)
        for row, first, count in blocks:
            low, high = max(begin, first), min(first + count, end)
            if low >= high:
                continue
            data = self._rows(f"SELECT {column} FROM block WHERE rowid = ?", row)[0][0]
            values = self._unpacked(number, first, count, data, kind, game, match.imported)
            yield low, high - low, values[low - first : high - first]
            begin = high

    def _unpacked(
        self, number: int, first: int, count: int, data: Any, kind: str, game: Game, open_ended: bool = False
    ) -> np.ndarray:
        try:
            return unpacked(data, kind, count, game, open_ended)
        except ValueError:
            raise damaged("Match", number, f" (its games {first} to {first + count - 1})") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _version() -> str:
    from spielwerk.version import __version__

    return __version__

"""Importing: games from files become matches of the store, without a seed; what is there already is left out.

A file may hold any number of games, and memory none: those that were checked wait in a temporary database.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import NamedTuple

import numpy as np

from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.reader import from_json
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check
from spielwerk.arena.records.rows import StoredMatch
from spielwerk.arena.records.store import Store
from spielwerk.data import left_out
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

Group = tuple[str, ...]  # the game, then the names of the agents

AT_ONCE = 1000  # games in memory
LONGEST_NUMBER = 15  # digits
TABLES = """
CREATE TABLE game (party INTEGER NOT NULL, record TEXT NOT NULL);
CREATE INDEX game_party ON game (party);
CREATE TABLE known (digest BLOB PRIMARY KEY, times INTEGER NOT NULL);
"""


class Imported(NamedTuple):
    """What became of the games of a file."""

    matches: list[int]  # the numbers of those that they became
    known: int  # games that the store already had


def imported(store: Store, found: Iterable[tuple[int, Record]]) -> Imported:
    """Checks games (with the line each begins in) and stores all that the store does not have yet, or none.

    Games between the same agents become one match. Where more than two different agents sit at a table, the one in
    the first seat is the first agent, and the others together are the second. The seating is "mixed" where the two sat
    in one team.
    """
    with closing(_Waiting()) as waiting:
        for line, record in found:
            try:
                check(record)
            except BadInput as problem:
                raise BadInput(f"Line {line}: {problem}") from None
            waiting.add(record)
        if not waiting.parties:
            raise BadInput("There is no game in the file.")
        stored, numbers = 0, []
        with store.transaction():
            for party in waiting.parties.values():
                match = _Match(store)
                for records in _portions(_new(store, waiting, party)):
                    match.add(records)
                numbers += match.finish()
                stored += match.games
    return Imported(numbers, waiting.games - stored)


class _Waiting:
    """The games of a file, checked, by who plays what; they lie on the disk."""

    def __init__(self) -> None:
        self.parties: dict[Group, int] = {}
        self.games = 0
        self._database = sqlite3.connect("")  # a file that is gone with the connection
        self._database.executescript(TABLES)

    def add(self, record: Record) -> None:
        """Takes a game."""
        party = self.parties.setdefault(_group(record), len(self.parties))
        self._database.execute("INSERT INTO game VALUES (?, ?)", (party, record.json()))
        self.games += 1

    def records(self, party: int) -> Iterator[Record]:
        """The games of one party, in their order."""
        rows = self._database.execute("SELECT record FROM game WHERE party = ? ORDER BY rowid", (party,))
        return (from_json(text) for (text,) in rows)

    def know(self, texts: Iterable[str]) -> None:
        """Notes games that were imported before."""
        more = "ON CONFLICT DO UPDATE SET times = times + 1"
        rows = ((_digest(text),) for text in texts)
        self._database.executemany(f"INSERT INTO known VALUES (?, 1) {more}", rows)

    def forget(self) -> None:
        """Begins anew with what was imported before."""
        self._database.execute("DELETE FROM known")

    def knows(self, text: str) -> bool:
        """Whether a game was imported before, each time once: a file may hold the same game several times."""
        where = "WHERE digest = ? AND times > 0"
        return self._database.execute(f"UPDATE known SET times = times - 1 {where}", (_digest(text),)).rowcount > 0

    def close(self) -> None:
        """Removes them."""
        self._database.close()


class _Match:
    """A match of the store that becomes longer with every portion of its games."""

    def __init__(self, store: Store) -> None:
        self.store, self.games, self.allied = store, 0, True
        self.number: int | None = None
        self.plan: Plan | None = None

    def add(self, records: list[Record]) -> None:
        """Stores some more games."""
        # The agent with fewer seats is the first: alone among others it is the one that is measured.
        if self.plan is None:
            first, *others = sorted(dict.fromkeys(records[0].agents), key=records[0].agents.count)
            names = (first, " + ".join(others) or first)
            self.plan = Plan(records[0].game, names, 1, seed=0)
            self.number = self.store.begin(self.plan, imported=True)
        assert self.number is not None
        seats = np.array([[name != self.plan.agents[0] for name in record.agents] for record in records])
        self.allied &= _allied(seats, self.plan.game)
        faults = {game: record.fault for game, record in enumerate(records, self.games) if record.fault}
        results = [record.scores or (np.nan,) * len(record.agents) for record in records]
        block = Block(self.games, np.array(results), faults)
        texts = {game: record.text() for game, record in enumerate(records, self.games)}
        self.store.add(self.number, block, texts, seats)
        self.games += len(records)

    def finish(self) -> list[int]:
        """The number of the match, if there was any game."""
        if self.number is None or self.plan is None:
            return []
        seating = "teams" if self.allied else "mixed"
        self.store.plan_again(self.number, Plan(self.plan.game, self.plan.agents, self.games, 0, seating))
        self.store.finish(self.number, self.games)
        return [self.number]


def _allied(seats: np.ndarray, game: str) -> bool:
    """Whether no team has seats of both agents."""
    teams = np.array(game_of(game).constants["TEAM"])
    return all((seats[:, player] == seats[:, np.argmax(teams == team)]).all() for player, team in enumerate(teams))


def _group(record: Record) -> Group:
    names = set(record.agents)
    return (record.game, *(sorted(names) if len(names) <= 2 else record.agents))


def _new(store: Store, waiting: _Waiting, party: int) -> Iterator[Record]:
    """Those of a party that were neither played here nor imported before."""
    seeds = {record.headers.get("Seed") for record in waiting.records(party)}
    first = next(waiting.records(party))
    played: dict[tuple[str, str], list[_Played]] = {}
    waiting.forget()
    for match in store.matches(first.game):
        with left_out():
            if match.imported:
                waiting.know(store.texts(match.number))
            elif str(match.plan.seed) in seeds and set(match.plan.agents) == set(first.agents):
                played.setdefault((str(match.plan.seed), match.plan.seating), []).append(_Played(store, match))
    for record in waiting.records(party):
        about = record.headers
        matches = played.get((about.get("Seed", ""), about.get("Seating", "teams")), [])
        if not any(match.holds(record) for match in matches) and not waiting.knows(record.text()):
            yield record


class _Played:
    """The games of a match that was played here."""

    def __init__(self, store: Store, match: StoredMatch) -> None:
        self.store, self.match, self.game = store, match, game_of(match.plan.game)
        self.first, self.scores = 0, np.zeros((0, self.game.players))  # of the piece last looked at

    def holds(self, record: Record) -> bool:
        """Whether a record of the same seed is one of them."""
        text = record.headers.get("Number", "")
        number = int(text) if text.isdecimal() and len(text) < LONGEST_NUMBER else -1
        if not 0 <= number < self.match.plan.games or not self._find(number):
            return False
        seats = self.match.plan.seats(self.game, number, 1)[0]
        if tuple(self.match.plan.agents[agent] for agent in seats) != record.agents:
            return False
        return record.scores is not None and np.allclose(self.scores[number - self.first], record.scores)

    def _find(self, number: int) -> bool:
        """Reads the piece in which a game lies; False where it was not played."""
        begin = number - number % AT_ONCE
        pieces = (
            [(self.first, self.scores)] if self._has(number) else self.store.pieces(self.match.number, begin, AT_ONCE)
        )
        for first, scores in pieces:
            self.first, self.scores = first, scores
            if self._has(number):
                return True
        return False

    def _has(self, number: int) -> bool:
        return self.first <= number < self.first + len(self.scores)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def _portions(records: Iterator[Record]) -> Iterator[list[Record]]:
    while portion := list(islice(records, AT_ONCE)):
        yield portion

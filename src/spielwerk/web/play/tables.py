"""Tables: all games in progress on this server, in memory while somebody plays, in the store always."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.records.played import KeptGame
from spielwerk.arena.records.record import Line
from spielwerk.arena.records.schema import StoreProblem
from spielwerk.arena.sitting import HUMAN, Sitting
from spielwerk.data import is_whole
from spielwerk.games.position import Position
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.play.table import Table, new_about
from spielwerk.web.play.watched import WATCH, Pace, WatchedTable
from spielwerk.web.protocol import NewTable
from spielwerk.web.searches import Searches
from spielwerk.web.storage import Storage

OPPONENT = "mcts"  # where nobody names another one
SWEEP = 60.0  # seconds between two looks for tables that nobody uses


class Tables:
    """Makes tables, finds them again, also after a restart, and forgets those that nobody uses."""

    def __init__(self, searches: Searches, storage: Storage) -> None:
        self.searches, self.storage = searches, storage
        self._tables: dict[str, Table] = {}
        self._lock = asyncio.Lock()

    async def create(self, asked: NewTable) -> Table:
        """A new game."""
        self._make_room()
        sitting = await asyncio.to_thread(_sitting, asked)
        about = new_about(sitting.seats, sitting.seed) | ({WATCH: asdict(Pace())} if asked.watch else {})
        table = self._add(self._table(sitting, about))
        await table.keep()
        return table

    async def find(self, key: str) -> Table:
        """The table of that key, from the memory or the store; BadInput if there is none."""
        async with self._lock:
            if key in self._tables:
                return self._tables[key]
            number = await self.storage.games(lambda games: games.numbered(key))
            if number is None:
                raise BadInput("This table is no more; begin a new game.")
            return await self._restored(await self.storage.game(number))

    async def open(self, number: int) -> Table:
        """The table of a stored game that has not ended, to go on with it."""
        async with self._lock:
            kept = await self.storage.game(number)
            if kept.finished:
                raise BadInput(f"Game {number} has ended; review it instead.")
            key = kept.settings.get("key")
            return self._tables[key] if key in self._tables else await self._restored(kept)

    async def sweep(self) -> None:
        """From time to time forgets tables that nobody looks at; their games are stored if they have a turn."""
        while True:
            with suppress(StoreProblem):
                await self.storage.tidy()
            await asyncio.sleep(SWEEP)
            self._drop(limits.IDLE)

    def close(self) -> None:
        """Stops all thinking."""
        for table in self._tables.values():
            table.close()

    def _make_room(self) -> None:
        if len(self._tables) >= limits.MOST_TABLES:
            self._drop(0.0)
        if len(self._tables) >= limits.MOST_TABLES:
            raise BadInput(f"This server has {limits.MOST_TABLES} games in progress, and takes no more.")

    def _drop(self, idle: float) -> None:
        now = time.monotonic()
        for key, table in list(self._tables.items()):
            if not table.viewers and now - table.left > idle:
                table.close()
                del self._tables[key]

    def _table(self, sitting: Sitting, about: dict[str, Any]) -> Table:
        """A table with people, or one at which agents are watched."""
        kind = WatchedTable if WATCH in about and not sitting.people else Table
        return kind(sitting, self.searches, self.storage, about)

    def _add(self, table: Table) -> Table:
        self._tables[table.key] = table
        return table

    async def _restored(self, kept: KeptGame) -> Table:
        self._make_room()
        sitting, about = await asyncio.to_thread(_resumed, kept)
        table = self._table(sitting, about)
        table.number = kept.number
        return self._add(table)


def _sitting(asked: NewTable) -> Sitting:
    """The sitting that a request describes; all of it is checked before anything is made."""
    game = limits.bounded_game(asked.game)
    given = [name for name in asked.seats if name.strip()] or [OPPONENT if asked.watch else HUMAN]
    if len(given) > game.players:
        raise BadInput(f"{game.name} has {game.players} seats, not {len(given)}.")
    seats = [limits.bounded_seat(name, game) for name in given]
    seats += [OPPONENT if HUMAN in seats or asked.watch else HUMAN] * (game.players - len(seats))
    if asked.watch and HUMAN in seats:
        raise BadInput("Only agents play in a game that is watched; to play yourself, begin a game of your own.")
    for name in set(seats) - {HUMAN}:
        agent_of(name, game).close()  # which refuses an agent that does not play this game
    seed = int.from_bytes(os.urandom(3)) if asked.seed is None else asked.seed
    sitting = Sitting(game.parse(asked.at) if asked.at.strip() else game.start(seed), seats, seed)
    for number, text in enumerate(asked.line, 1):
        try:
            sitting.replay(_line(sitting.position, text))
        except BadInput as problem:
            raise BadInput(f"Turn {number}: {problem}") from None
    return sitting


def _line(position: Position, text: str) -> Line:
    """A turn of a line of play, such as `d2`, or with its roll `3-1: 8/5 6/5`."""
    if not position.chance:
        return Line(position.mover, None, text)
    roll, colon, move = text.partition(":")
    if not colon:
        raise BadInput(f'"{text}" has no roll; write it before the move: "{position.rolls()[0]}: …".')
    return Line(position.roller, roll.strip(), move.strip())


def _resumed(kept: KeptGame) -> tuple[Sitting, dict[str, Any]]:
    """A stored game, which may also have been begun at the terminal."""
    game = limits.bounded_game(kept.record.game)
    seats = [_seat(name, game) for name in kept.record.agents]
    seed = kept.settings["seed"] if is_whole(kept.settings.get("seed"), 0, 1 << 62) else 0
    sitting = Sitting(kept.record.begin(), seats, seed)
    sitting.resume(kept)
    about = new_about(sitting.seats, seed) | kept.settings
    if len(about["seat_keys"]) != game.players:
        about["seat_keys"] = new_about(sitting.seats, seed)["seat_keys"]
    return sitting, about


def _seat(name: str, game: Any) -> str:
    """Who sat there; a name that is no agent here, as in games of other programs, is a person's."""
    with suppress(BadInput):
        return limits.bounded_seat(name, game)
    return HUMAN

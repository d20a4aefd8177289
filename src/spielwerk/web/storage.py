"""Storage: games and lessons in the arena's store, written and read in one thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from spielwerk.arena.records.lessons import Lessons
from spielwerk.arena.records.played import Kept, KeptGame, PlayedGames
from spielwerk.web import limits

T = TypeVar("T")
UNUSED = timedelta(days=1)  # after which a table without a move is forgotten


class Storage:
    """The store, which SQLite allows one thread at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        self._games, self._lessons = self._thread.submit(lambda: (PlayedGames(), Lessons())).result()

    async def keep(self, kept: Kept, settings: dict[str, Any], number: int | None) -> int:
        """Writes down how far a game has come, and returns its number."""
        return await self.games(lambda games: _keep(games, kept, settings, number))

    async def tidy(self) -> None:
        """Forgets tables at which nobody has made a move for a day, and the oldest of too many."""
        day = (datetime.now(UTC) - UNUSED).isoformat(timespec="seconds")
        await self.games(lambda games: games.forget_unbegun(day, limits.MOST_TABLES))

    async def game(self, number: int) -> KeptGame:
        """A game of that number; BadInput if there is none."""
        return await self.games(lambda games: games.game(number))

    async def games(self, work: Callable[[PlayedGames], T]) -> T:
        """Does something with the games."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._games)

    async def lessons(self, work: Callable[[Lessons], T]) -> T:
        """Does something with the lessons."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._lessons)

    def close(self) -> None:
        """Writes what is to be written, and gives the file back."""
        for store in (self._games, self._lessons):
            self._thread.submit(store.close)
        self._thread.shutdown()


def _keep(games: PlayedGames, kept: Kept, settings: dict[str, Any], number: int | None) -> int:
    if number is not None and games.keep_game(number, kept, settings):
        return number
    return games.begin_game(kept, settings, number)

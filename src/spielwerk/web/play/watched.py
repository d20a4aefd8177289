"""WatchedTable: agents play among themselves at a chosen pace; before each turn it is shown what the mover thinks."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from spielwerk.arena.agent import Forfeit
from spielwerk.arena.sitting import Sitting
from spielwerk.data import json_text
from spielwerk.games.position import Position, Turn
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.play.advice import Viewer, aside
from spielwerk.web.play.table import AGAIN, Table
from spielwerk.web.play.watch_view import fault_facts, thoughts_facts
from spielwerk.web.searches import Searches
from spielwerk.web.storage import Storage
from spielwerk.web.workers import Busy

WATCH = "watch"  # the name of the pace among a table's settings
MOST_STEPS = 8  # that may be asked for before the first of them is done


@dataclass
class Pace:
    """Whether the game goes on by itself, and for how many seconds each thought is shown."""

    playing: bool = True
    pause: float = 1.0

    @classmethod
    def of(cls, facts: Any) -> Pace:
        """As it is stored; what makes no sense there is as at first."""
        found = facts if isinstance(facts, dict) else {}
        pause: Any = found.get("pause")
        known = isinstance(pause, int | float) and limits.SHORTEST_PAUSE <= pause <= limits.LONGEST_PAUSE
        return cls(found.get("playing") is not False, pause if known else cls.pause)


class Thought(NamedTuple):
    """What the mover thinks: the message that says so, and the turn that it will take; None if it fails to."""

    position: Position
    rng: Any  # as the thinking has left it
    text: str
    turn: Turn | None
    problem: str
    since: float  # when it was shown


class WatchedTable(Table):
    """A table without people. Whoever looks on may change the pace; while nobody does, the game rests."""

    def __init__(self, sitting: Sitting, searches: Searches, storage: Storage, about: dict[str, Any]) -> None:
        super().__init__(sitting, searches, storage, about)
        self.pace = Pace.of(about[WATCH])
        self.thought: Thought | None = None
        self._steps = 0  # turns that were asked for one by one
        self._stirred = asyncio.Event()  # the pace has changed

    def greeting(self) -> dict[str, Any]:
        """The pace."""
        return {WATCH: asdict(self.pace)}

    async def join(self, viewer: Viewer) -> None:
        """A browser comes, and sees what is thought."""
        await super().join(viewer)
        if self.thought and self.thought.position is self.sitting.position:
            viewer.send(self.thought.text)

    def leave(self, viewer: Viewer) -> None:
        """A browser goes; after the last one the game rests."""
        super().leave(viewer)
        self._stirred.set()

    async def handle(self, viewer: Viewer, message: Any) -> None:
        """Changes the pace; all else is as at any table."""
        if message.type == "step":
            self._steps = min(self._steps + 1, MOST_STEPS)
            await self._change_pace(Pace(False, self.pace.pause))
        elif message.type == "pace":
            self._steps = 0
            await self._change_pace(Pace(message.playing, message.pause))
        else:
            await super().handle(viewer, message)

    async def _change_pace(self, pace: Pace) -> None:
        changed, self.pace = pace != self.pace, pace
        self._stirred.set()
        self.wake()
        if changed:
            self.about[WATCH] = asdict(pace)
            self.tell(json_text({"type": "pace", **asdict(pace)}))
            async with self.lock:
                await self.keep()

    async def _play_on(self) -> None:
        """Rolls, thoughts and turns, until the game has ended, is paused, or nobody looks on any more."""
        while not self.sitting.ended and self.viewers:
            if self.sitting.position.chance:
                async with self.lock:
                    await aside(self.sitting.roll)
                    await self._changed(False)
                continue
            try:
                thought = await self._thinking()
            except Busy:
                await asyncio.sleep(AGAIN)
                continue
            if not await self._due(thought):
                return
            await self._take(thought.position, thought.turn, thought.rng, thought.problem)

    async def _thinking(self) -> Thought:
        """What the mover thinks, which is found once for each position, and shown."""
        position = self.sitting.position
        if self.thought is None or self.thought.position is not position:
            self.thought = await self._think(position)
            self.tell(self.thought.text)
        return self.thought

    async def _think(self, position: Position) -> Thought:
        name, rng, version = self.sitting.seats[position.mover], self.sitting.rng.copy(), self.version
        try:
            found = await self.searches.thoughts(name, position, rng)
            text = await aside(lambda: json_text(thoughts_facts(position, name, found, version)))
            return Thought(position, rng, text, found.turn, "", time.monotonic())
        except Busy:
            raise
        except (Forfeit, BadInput) as fault:
            text = json_text(fault_facts(position, name, str(fault), version))
            return Thought(position, rng, text, None, f"({name}) forfeits: {fault}", time.monotonic())

    async def _due(self, thought: Thought) -> bool:
        """Waits until the turn is due; False if it is not until somebody asks for it."""
        while True:
            if self._steps:
                self._steps -= 1
                return True
            if not self.pace.playing or not self.viewers:
                return False
            left = thought.since + self.pace.pause - time.monotonic()
            if left <= 0:
                return True
            self._stirred.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), left)

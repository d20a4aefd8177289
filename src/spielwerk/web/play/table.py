"""Table: one game in progress, the browsers around it, and the agents in its seats."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

from spielwerk.arena.agent import Forfeit
from spielwerk.arena.sitting import HUMAN, Sitting, Step
from spielwerk.data import json_text
from spielwerk.games.position import Position, Turn
from spielwerk.games.scenes import Hop
from spielwerk.games.scenes.showing import partial_turn, stage_of
from spielwerk.names import BadInput, printable
from spielwerk.web import limits
from spielwerk.web.play.advice import Advice, Viewer, aside
from spielwerk.web.play.table_view import state_facts
from spielwerk.web.searches import Searches
from spielwerk.web.storage import Storage
from spielwerk.web.views import stage_facts
from spielwerk.web.workers import Busy

AGAIN = 1.0  # seconds after which a busy server tries again


class Table:
    """A sitting, who looks at it, and what is being thought about it."""

    def __init__(self, sitting: Sitting, searches: Searches, storage: Storage, about: dict[str, Any]) -> None:
        self.sitting, self.searches, self.storage = sitting, searches, storage
        self.about = about  # settings as they are stored: key, seat keys, seed, …
        self.number: int | None = None
        self.hops: tuple[Hop, ...] = ()  # of the turn in the making
        self.marked: tuple[Step | None, list[str]] = (None, [])  # the last turn, and the places it touched
        self.version = 0
        self.viewers: set[Viewer] = set()
        self.lock = asyncio.Lock()
        self.left = time.monotonic()
        self._player: asyncio.Task[None] | None = None
        self._search: asyncio.Future[Turn] | None = None  # of the agent that is to move
        self.advice = Advice(self)

    @property
    def key(self) -> str:
        """The name of the table in addresses."""
        return self.about["key"]

    async def join(self, viewer: Viewer) -> None:
        """A browser comes, perhaps again."""
        if len(self.viewers) >= limits.MOST_AT_TABLE:
            raise BadInput(f"At most {limits.MOST_AT_TABLE} browsers can be at one table.")
        self.viewers.add(viewer)
        async with self.lock:
            stage = await aside(lambda: stage_facts(self.sitting.position.game))
            yours = self.seats_of(viewer)
            about = {"type": "welcome", "key": self.key, "stage": stage, "yours": yours}
            viewer.send(json_text(about | self.greeting()))
            viewer.send(await aside(self._state))
        self.wake()

    def greeting(self) -> dict[str, Any]:
        """What else a browser should know when it comes."""
        return {}

    def leave(self, viewer: Viewer) -> None:
        """A browser goes; the game stays."""
        self.viewers.discard(viewer)
        self.advice.leave(viewer)
        self.left = time.monotonic()

    def seats_of(self, viewer: Viewer) -> list[int]:
        """The seats whose keys a browser holds."""
        return [seat for seat, key in enumerate(self.about["seat_keys"]) if key and key in viewer.keys]

    async def handle(self, viewer: Viewer, message: Any) -> None:
        """Does what a browser asks for; BadInput goes back to it alone."""
        if message.type == "judge":
            await self.advice.judge(viewer, message.on, message.sides, message.agent)
        elif message.type == "moves":
            moves = await aside(self.sitting.position.moves)
            viewer.send(json_text({"type": "moves", "version": self.version, "moves": moves}))
        elif message.type == "hint":
            await self.advice.hint(viewer, message.agent)
        elif message.type == "share":
            if not self.seats_of(viewer):
                raise BadInput("Only who sits at the table can invite others.")
            self.about["shared"] = True
            await self.keep()
        elif message.type in ("pace", "step"):
            raise BadInput("Only a game that agents play among themselves has a pace.")
        elif message.type != "hello":
            await self._change(viewer, message)

    def wake(self) -> None:
        """Lets agents and dice go on, unless they do."""
        if self._player is None or self._player.done():
            self._player = asyncio.create_task(self._play_on())
            self._player.add_done_callback(self._rested)

    def _rested(self, player: asyncio.Task[None]) -> None:
        """Says why a game does not go on; the next message wakes it again."""
        problem = None if player.cancelled() else player.exception()
        if problem is not None:
            self.tell(json_text({"type": "error", "text": f"The game cannot go on: {printable(str(problem))}"}))

    def tell(self, text: str) -> None:
        """Sends a message to all browsers here."""
        for viewer in self.viewers:
            viewer.send(text)

    def close(self) -> None:
        """Stops all that is thought about it."""
        self.advice.close()
        if self._player:
            self._player.cancel()

    async def _change(self, viewer: Viewer, message: Any) -> None:
        async with self.lock:
            self._check_turn(viewer, message.type)
            doing = {"touch": self._touch, "untouch": self._untouch, "confirm": self._confirm, "move": self._move}
            doing |= {"undo": self._undo, "resign": lambda _: self._resign(viewer), "stop": lambda _: None}
            before = len(self.sitting.steps), self.sitting.gave_up
            await aside(lambda: doing[message.type](message))
            if self._search:  # for a position that is no more
                self._search.cancel()
            await self._changed((len(self.sitting.steps), self.sitting.gave_up) != before)
        self.wake()

    def _check_turn(self, viewer: Viewer, what: str) -> None:
        """Refuses who does not sit here, and who is not to move."""
        yours = self.seats_of(viewer)
        if not yours:
            raise BadInput("You are watching this game; to play, begin one of your own.")
        if what == "undo" and self.about["shared"]:
            self._check_own_undo(yours)
        if what in ("undo", "resign"):
            return
        if self.sitting.ended:
            raise BadInput("The game is over.")
        if self.sitting.position.mover not in yours:
            raise BadInput("It is not your turn.")

    def _check_own_undo(self, yours: list[int]) -> None:
        """Where others sit, one takes back only one's own last turn, and nothing once the game is over."""
        if self.sitting.ended:
            raise BadInput("The game is over.")
        moved = [step.here.mover for step in self.sitting.steps if step.by_person]
        if not self.hops and moved and moved[-1] not in yours:
            raise BadInput("The last move was another player's; only they can take it back.")

    def _touch(self, message: Any) -> None:
        hops = (*self.hops, Hop(message.source, message.target))
        partial = partial_turn(self.sitting.position, hops)
        if partial.turn and not partial.following and not stage_of(self.sitting.position.game).confirmed:
            self.sitting.played(partial.turn, True)
            hops = ()
        self.hops = hops

    def _untouch(self, _: Any) -> None:
        self.hops = self.hops[:-1]

    def _confirm(self, _: Any) -> None:
        partial = partial_turn(self.sitting.position, self.hops)
        if partial.turn is None:
            raise BadInput("The turn is not complete yet.")
        self.sitting.played(partial.turn, True)
        self.hops = ()

    def _move(self, message: Any) -> None:
        self.sitting.play(message.text)
        self.hops = ()

    def _undo(self, _: Any) -> None:
        if self.hops:
            self.hops = ()
        elif not self.sitting.undo():
            raise BadInput("There is no move to take back.")

    def _resign(self, viewer: Viewer) -> None:
        if self.sitting.ended:
            raise BadInput("The game is over.")
        yours, mover = self.seats_of(viewer), self.sitting.position.mover
        self.sitting.resign(mover if mover in yours else yours[0])
        self.hops = ()

    async def _play_on(self) -> None:
        """Rolls and agents' turns, until a person is to move or the game has ended."""
        while True:
            async with self.lock:
                position = self.sitting.position
                if self.sitting.ended or (position.mover in self.sitting.people and not position.chance):
                    return
                if position.chance:
                    await aside(self.sitting.roll)
                    await self._changed(False)
                    continue
                rng = self.sitting.rng.copy()
            await self._answer(position, rng)

    async def _answer(self, position: Position, rng: Any) -> None:
        """The turn of an agent, unless the game has gone another way meanwhile."""
        name, turn, problem = self.sitting.seats[position.mover], None, ""
        self._search = asyncio.ensure_future(self.searches.turn(name, position, rng))
        try:
            await asyncio.wait({self._search})
            if self._search.cancelled():
                return
            turn = self._search.result()
        except Busy:
            await asyncio.sleep(AGAIN)
            return
        except (Forfeit, BadInput) as fault:
            problem = f"({name}) forfeits: {fault}"
        finally:
            self._search.cancel()  # where it is this that was cancelled
            self._search = None
        await self._take(position, turn, rng, problem)

    async def _take(self, position: Position, turn: Turn | None, rng: Any, problem: str) -> None:
        """Plays the turn of an agent; without one it has lost, by the fault that `problem` names."""
        async with self.lock:
            if self.sitting.position is not position or self.sitting.ended:
                return
            self.sitting.rng[...] = rng
            if turn is None:
                self.sitting.resign(position.mover, problem)
            else:
                await aside(lambda: self.sitting.played(turn, False))
            await self._changed(True)

    async def _changed(self, stored: bool) -> None:
        """Keeps the game, and shows it to all; what is acknowledged survives a killed server, or it is said."""
        self.version += 1
        problem = ""
        try:
            if stored:
                await self.keep()
        except OSError as fault:  # of the store, such as a full disk
            problem = json_text({"type": "error", "text": f"The game goes on, but is not stored: {fault}"})
        self.tell(await aside(self._state))
        if problem:
            self.tell(problem)
        self.advice.changed()

    async def keep(self) -> None:
        """Writes the game down as it stands, with its settings."""
        self.number = await self.storage.keep(self.sitting.kept(), self.about, self.number)

    def _state(self) -> str:
        return json_text(state_facts(self))


def new_about(seats: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The settings of a new table: its key, a key for each person's seat, and what the terminal needs to resume it."""
    agents = [name for name in seats if name != HUMAN]
    people = [seat for seat, name in enumerate(seats) if name == HUMAN]
    simple = len(people) == 1 and len(set(agents)) == 1
    return {
        "key": secrets.token_urlsafe(9),
        "seat_keys": [secrets.token_urlsafe(12) if name == HUMAN else "" for name in seats],
        "shared": False,
        "seats": list(seats),
        "against": agents[0] if agents else HUMAN,
        "seat": people[0] if simple else None,
        "seed": seed,
    }
